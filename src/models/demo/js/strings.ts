const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  '\n': '',
};

/** The text of a string literal. */
export function stringOf(literal: string): string {
  return unescaped(literal.slice(1, -1));
}

/** A template literal's texts and the sources of the expressions between them. */
export function templateParts(literal: string): {
  readonly strings: readonly string[];
  readonly sources: readonly string[];
} {
  const strings: string[] = [];
  const sources: string[] = [];
  let from = 1;
  for (let at = 1; at < literal.length - 1; at++) {
    if (literal[at] === '\\') at++;
    else if (literal[at] === '$' && literal[at + 1] === '{') {
      const end = endOf(literal, at + 2);
      strings.push(unescaped(literal.slice(from, at)));
      sources.push(literal.slice(at + 2, end));
      from = end + 1;
      at = end;
    }
  }
  strings.push(unescaped(literal.slice(from, -1)));
  return { strings, sources };
}

function endOf(literal: string, from: number): number {
  let depth = 1;
  for (let at = from; at < literal.length; at++) {
    if (literal[at] === '{') depth++;
    else if (literal[at] === '}' && --depth === 0) return at;
  }
  return literal.length - 1;
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u\{[\da-fA-F]{1,6}\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])/g, (written) => {
    const hex = /[\da-fA-F]{2,}/.exec(written.slice(2))?.[0];
    if (hex === undefined) return ESCAPES[written.slice(1)] ?? written.slice(1);
    const code = Number.parseInt(hex, 16);
    return code > 0x10ffff ? '' : String.fromCodePoint(code);
  });
}
