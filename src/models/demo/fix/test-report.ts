/** One failing test as its runner tells it. Values are source-like text: `12500`, `'4.90'`, `[ 'a' ]`. */
export interface Failure {
  readonly name: string;
  /** Path as printed, absolute or relative, with the line of the test. */
  readonly file?: string;
  readonly line?: number;
  readonly actual?: string;
  readonly expected?: string;
  /** What else was printed about it: message and stack. */
  readonly details: string;
}

export interface TestReport {
  readonly failures: readonly Failure[];
  readonly passed?: number;
  /** Tests that failed, as counted by the runner, else as seen. */
  readonly failed: number;
}

/** Reads what `node --test` prints, as TAP or for people; of other runners the counts, and the usual "expected … received …". */
export function parseTestReport(output: string): TestReport {
  const text = output.replace(/\r/g, '');
  const failures = firstFound([() => specFailures(text), () => tapFailures(text), () => otherFailures(text)]);
  const failed = counted(text, [/^\W*fail (\d+)$/m, /Tests:?\s.*?(\d+) failed/, /^\s*(\d+) failing$/m]);
  const passed = counted(text, [/^\W*pass (\d+)$/m, /Tests:?\s.*?(\d+) passed/, /^\s*(\d+) passing/m]);
  return {
    failures,
    failed: failed ?? failures.length,
    ...(passed === undefined ? {} : { passed }),
  };
}

function firstFound(readers: readonly (() => readonly Failure[])[]): readonly Failure[] {
  for (const read of readers) {
    const failures = read().filter((failure) => !/subtests? failed/.test(failure.details));
    if (failures.length > 0) return failures;
  }
  return [];
}

function counted(text: string, patterns: readonly RegExp[]): number | undefined {
  const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find((each) => each !== undefined);
  return found === undefined ? undefined : Number(found);
}

function specFailures(text: string): readonly Failure[] {
  const from = text.search(/^✖ failing tests:/m);
  if (from < 0) return [];
  const blocks = text
    .slice(from)
    .split(/^\s*test at /m)
    .slice(1);
  return blocks.map((block) => {
    const [, file, line] = /^(.+?):(\d+):\d+/.exec(block) ?? [];
    const name = /^\s*✖ (.*?)(?: \([\d.]+m?s\))?$/m.exec(block)?.[1] ?? '';
    return failureOf(name, block, file, line);
  });
}

function tapFailures(text: string): readonly Failure[] {
  return [...text.matchAll(/^ *not ok \d+ - (.*)\n +---\n([\s\S]*?)\n +\.\.\.$/gm)].map(
    ([, name = '', block = '']) => {
      const [, file, line] = /location: '(.+?):(\d+):\d+'/.exec(block) ?? [];
      return failureOf(name, block, file, line);
    },
  );
}

/** Jest, Vitest, Mocha and the like: one failure made of whatever is there. */
function otherFailures(text: string): readonly Failure[] {
  const received =
    /Expected:?\s+(?<expected>\S.*)\n\s*Received:?\s+(?<actual>\S.*)/.exec(text) ??
    /expected (?<actual>.+?) to (?:be|equal|deeply equal|strictly equal|eql) (?<expected>.+)/.exec(text) ??
    /(?<actual>\S+) [!=]== (?<expected>\S+)/.exec(text);
  if (!received) return [];
  const [, file, line] = /([\w@./\\-]+\.(?:test|spec)\.[cm]?[jt]sx?):(\d+)/.exec(text) ?? [];
  const name =
    /^\s*(?:●|×|✕|FAIL|\d+\)) (.+)$/m
      .exec(text)?.[1]
      ?.split(/ [›>] /)
      .at(-1) ?? '';
  const values = `actual: ${received.groups?.['actual']?.trim()}\nexpected: ${received.groups?.['expected']?.trim()}\n`;
  return [failureOf(name, `${values}\n${text}`, file, line)];
}

function failureOf(name: string, block: string, file: string | undefined, line: string | undefined): Failure {
  const drawn = drawnDifference(block);
  const actual = valueIn(block, 'actual') ?? drawn?.actual;
  const expected = valueIn(block, 'expected') ?? drawn?.expected;
  return {
    name: name.trim(),
    details: block,
    ...(file === undefined ? {} : { file, line: Number(line) }),
    ...(actual === undefined ? {} : { actual }),
    ...(expected === undefined ? {} : { expected }),
  };
}

/** The value under a key of the error's printed fields; it may go over several lines. */
function valueIn(block: string, key: string): string | undefined {
  const pattern = new RegExp(
    `^([ \\t]*)${key}:[ \\n]([\\s\\S]*?)(?=\\n\\1(?:generatedMessage|code|actual|expected|operator|diff|name|stack|cause)\\b|\\n[ \\t]*\\}|\\n\\n|$(?![\\s\\S]))`,
    'm',
  );
  const value = pattern.exec(block)?.[2]?.trim().replace(/,$/, '');
  // Large values are only named.
  return value === undefined || /^\[(?:Array|Object)\]$/.test(value) ? undefined : value;
}

/** Both values out of the drawing that is headed "+ actual - expected". */
function drawnDifference(block: string): { readonly actual: string; readonly expected: string } | undefined {
  const drawing = /\+ actual - expected[^\n]*\n([\s\S]*?)(?=\n\s*at |\n\s*\w+: |$(?![\s\S]))/.exec(
    block,
  )?.[1];
  if (drawing === undefined) return undefined;
  const lines = drawing.split('\n').map((line) => /^\s*([+-](?= {2}))?\s*(.*)$/.exec(line));
  const side = (other: string) => lines.flatMap((line) => (line && line[1] !== other ? [line[2] ?? ''] : []));
  return { actual: side('-').join('\n').trim(), expected: side('+').join('\n').trim() };
}
