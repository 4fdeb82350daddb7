import { isLoader, isSetting, namesProgram, variableWords } from '#commands/classes/variables';
import { type ClassifiedCommand, classifyCommand } from '#commands/classify';
import { fedText, fedWords } from '#commands/fed-input';
import { understand } from '#commands/grammar';
import { commandName, FILLED, fillIn, type Inner } from '#commands/inner';
import { readsStdin, shellOf } from '#commands/shell-scripts';
import type {
  CommandStep,
  ShellKind,
  ShellStep,
  ShellWord,
  SimpleCommand,
  Understanding,
} from '#commands/shell-words';
import { innerCommands } from '#commands/wrappers';
import type { CommandSubject } from './subject';

/** A command line as the rules see it. */
export interface JudgedLine {
  /** Every simple command; never empty: a line in which none was found is one subject that nobody understands. */
  readonly subjects: readonly CommandSubject[];
  /** What each of them would do; empty where none was found. */
  readonly simple: readonly ClassifiedCommand[];
  /** Every simple command's words, the ones inside wrappers and scripts too, in the order a shell meets them. */
  readonly steps: readonly ShellStep[];
}

/** How deep `sh -c "env timeout 5 …"` is followed; deeper is not understood. */
const DEEPEST = 6;

interface Inside {
  /** Seen already: `find -exec find -exec …` reaches the same tail by every way there is. */
  readonly seen: Set<string>;
  readonly spellings: (readonly string[])[];
  readonly steps: ShellStep[];
  /** The command that holds all of it. */
  readonly step: CommandStep;
  /** Something inside is only known when it runs. */
  hides: boolean;
  doubt?: string;
}

/** Takes a line apart for the rules: each simple command is a subject, with what its wrappers would run. `reading` is the line's, where it was read already. */
export function judgeLine(
  line: string,
  shell: ShellKind,
  reading: Understanding = understand(line, shell),
): JudgedLine {
  const steps: ShellStep[] = [];
  const found: { readonly simple: ClassifiedCommand; readonly inside: Inside }[] = [];
  let doubt = reading.why;
  for (const step of reading.steps) {
    steps.push(step);
    if (step.kind !== 'command' || step.command.words.length === 0) continue;
    const inside: Inside = { seen: new Set(), spellings: [], steps: [], step, hides: false };
    follow(wordsOf(step.command), inside, 0);
    fed(inside);
    for (const { values } of step.command.assignments.filter(({ name }) => namesProgram(name)))
      for (const { text } of values ?? []) followScript(text.replace(/^\|/, ''), 'sh', inside, 1);
    doubt ??= inside.doubt ?? unknownScript(step.command);
    steps.push(...inside.steps);
    found.push({ simple: classifyCommand(step.command), inside });
  }
  if (found.length === 0) doubt ??= 'there is no command in it';
  // A doubt about one part is a doubt about the line: nobody knows what else the part might change.
  const open = doubt === undefined && isOpen(reading);
  const more = doubt === undefined ? {} : { doubt };
  const subjects = found.map(({ simple, inside }) => ({
    ...subjectOf(simple, inside, { open, single: reading.single }),
    ...more,
  }));
  return {
    subjects: subjects.length > 0 ? subjects : [{ ...NOBODY, text: line, ...more }],
    simple: found.map((each) => each.simple),
    steps,
  };
}

/** What stands for a line in which no command was found. */
const NOBODY: CommandSubject = {
  kind: 'command',
  text: '',
  spellings: [],
  plain: false,
  named: [],
  literal: 0,
  alone: false,
  narrow: true,
  class: 'execute',
};

const ONE_LITERAL: readonly ShellWord[] = [{ source: '', text: '', literal: true, pieces: [] }];

/** Rules may open parts of the line: nothing renames commands or computes, and every file the shell opens is named. */
function isOpen({ shape, commands, redirects, steps }: Understanding): boolean {
  return (
    shape !== 'other' &&
    // `for PATH in .` is an assignment.
    !steps.some((step) => step.kind === 'loop' && isLoader({ name: step.name, values: ONE_LITERAL })) &&
    commands.every(({ words, assignments }) => words.length > 0 || assignments.length === 0) &&
    redirects.every(({ body, plainBody, target }) =>
      body === undefined ? target !== undefined : plainBody === true,
    )
  );
}

function subjectOf(
  simple: ClassifiedCommand,
  { spellings, hides }: Inside,
  line: { readonly open: boolean; readonly single: SimpleCommand | undefined },
): CommandSubject {
  const { command, words } = simple;
  const variables = command.assignments.filter(
    (one) => isLoader(one) || (!isSetting(one) && simple.bare !== 'execute'),
  );
  const named = [...variables.map(variableWords), ...words];
  const unknown = command.words.findIndex((word) => !word.literal);
  const head = command.words[0];
  return {
    kind: 'command',
    text: command.source,
    spellings,
    plain:
      line.open &&
      head !== undefined &&
      head.source === head.text &&
      variables.every((one) => one.values?.length === 1 && one.values[0]?.literal === true) &&
      command.words.every(isKnownOrPrinted),
    named,
    literal: unknown < 0 ? named.length : variables.length + unknown,
    alone: line.single === command && spellings.length === 1,
    narrow: simple.narrow,
    class: simple.bare,
    ...(hides ? { hides: true as const } : {}),
  };
}

/** Literal, or made of what commands of this line print: these are judged themselves. */
function isKnownOrPrinted({ literal, pieces, source }: ShellWord): boolean {
  const printed = ({ kind }: ShellWord['pieces'][number]) =>
    kind === 'text' || kind === 'output' || kind === 'pipe';
  return literal || (!source.startsWith('~') && pieces.every(printed));
}

/** The words themselves, then what they would run: wrappers may hold wrappers, scripts hold commands. */
function follow(words: readonly string[], inside: Inside, depth: number): void {
  if (words.length === 0 || isSeen(words.join('\0'), inside)) return;
  inside.spellings.push(words);
  for (const inner of innerCommands(words)) {
    if (depth >= DEEPEST) inside.doubt ??= 'commands are nested too deeply in it';
    else followInner(inner, commandName(words[0] ?? ''), inside, depth + 1);
  }
}

function followInner(inner: Inner, name: string, inside: Inside, depth: number): void {
  if (inner.kind === 'script') {
    followScript(inner.script, inner.shell, inside, depth);
    return;
  }
  const isFilled = inner.words.some((word) => word.includes(FILLED));
  inside.hides ||= isFilled;
  const given = isFilled && /^(xargs|parallel)$/.test(name) ? fedWords(inside.step, literalWords) : [];
  for (const words of given.length > 0
    ? [inner.words, inner.words.flatMap((word) => fillIn(word, given))]
    : [inner.words]) {
    if (!inside.seen.has(words.join('\0'))) inside.steps.push(plainStep(words));
    follow(words, inside, depth);
  }
}

/** `sh <<< "curl x"` and `echo curl x | sh` run what they are fed; what isn't on the line, nobody can judge. */
function fed(inside: Inside): void {
  const shell = inside.spellings.map(readsStdin).find((found) => found !== undefined)?.shell;
  if (shell === undefined) return;
  const { command, input } = inside.step;
  const script = fedText(inside.step, literalWords);
  if (script) followScript(script.text, shell, inside, 1);
  if (script ? !script.isSure : input || command.redirects.some(({ op }) => op.includes('<')))
    inside.doubt ??= 'a shell in it runs what it is fed';
}

/** The words of a command that stand on the line as they are, all of them. */
function literalWords(command: SimpleCommand): readonly string[] | undefined {
  return command.words.every((word) => word.literal) ? wordsOf(command) : undefined;
}

function followScript(script: string, shell: ShellKind, inside: Inside, depth: number): void {
  if (isSeen(`${shell}\0${script}`, inside)) return;
  const reading = understand(script, shell);
  if (!reading.understood) inside.doubt ??= reading.why ?? 'a script inside it is not understood';
  inside.steps.push(...reading.steps);
  for (const command of reading.commands) {
    inside.hides ||= !command.words.every((word) => word.literal);
    follow(wordsOf(command), inside, depth);
  }
}

function isSeen(key: string, { seen }: Inside): boolean {
  const known = seen.has(key);
  seen.add(key);
  return known;
}

function wordsOf(command: SimpleCommand): readonly string[] {
  return command.words.map((word) => word.text);
}

/** `eval "$X"` and `sh -c "$X"` run what isn't on the line. */
function unknownScript(command: SimpleCommand): string | undefined {
  const words = wordsOf(command);
  if (command.words.every((word) => word.literal)) return undefined;
  const runs = innerCommands(words).length > 0 || readsPipe(command);
  return runs ? 'what it runs is only known when it runs' : undefined;
}

/** `bash <(echo x)` and `source <(x)` run what is printed there. */
function readsPipe({ words: [head, ...operands] }: SimpleCommand): boolean {
  const name = commandName(head?.text ?? '');
  return (
    (/^(source|\.)$/.test(name) || shellOf(name) !== undefined) &&
    operands.some(({ pieces }) => pieces.some(({ kind }) => kind === 'pipe'))
  );
}

function plainStep(words: readonly string[]): ShellStep {
  const literals = words.map(
    (text) => ({ source: text, text, literal: true, pieces: [{ kind: 'text', text }] }) as const,
  );
  return {
    kind: 'command',
    command: { words: literals, assignments: [], redirects: [], source: words.join(' ') },
  };
}
