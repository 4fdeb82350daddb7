import { truncate } from '#base/text';
import { namesProgram } from '#commands/classes/variables';
import { expandWord, expandWords, type ShellState } from './expansion';
import { fedText, fedWords } from './fed-input';
import { forbiddenContainer } from './forbidden-containers';
import { forbiddenHead } from './forbidden-heads';
import { forbiddenPaths, redirectWrites } from './forbidden-paths';
import { type Ground, systemWrite } from './forbidden-targets';
import { forbiddenInWindows } from './forbidden-windows';
import { UNPARSED, understand } from './grammar';
import { commandName, fillIn, type Inner } from './inner';
import { readsStdin } from './shell-scripts';
import { after, startState, withVariable } from './shell-state';
import type { CommandStep, ShellKind, ShellStep, SimpleCommand, Understanding } from './shell-words';
import { innerCommands } from './wrappers';

export interface ForbiddenContext {
  readonly workspaceRoot: string;
  readonly home: string;
  readonly shell: ShellKind;
  /** Absolute folder in which the line starts; the workspace root when absent. */
  readonly cwd?: string;
}

/** Scripts in scripts beyond this are refused: nobody writes them to be read. */
const DEEPEST = 8;
/** Functions that call functions multiply. */
const MOST_CALLS = 200;

/**
 * Why this line may never run, whatever the approval, mode or rule, as a sentence; undefined when nothing
 * forbids it. Looks into every simple command, through wrappers, substitutions, inner scripts and variables whose
 * values stand on the line. A word inside an argument is no hit. It guards against accidents and plain attempts; what
 * a program does once it runs is for the sandbox to hold.
 */
export function forbidden(
  line: string,
  context: ForbiddenContext,
  reading?: Understanding,
): string | undefined {
  const hit = forbiddenPart(line, context, reading);
  return hit === undefined
    ? undefined
    : `\`${truncate(hit.source, 120)}\` is never run, whatever the approval: ${hit.why}. If it is really needed, the user does it in a terminal of their own.`;
}

/** The same as the part of the line that is meant and why. `reading` is the line's, where it was read already. */
export function forbiddenPart(
  line: string,
  context: ForbiddenContext,
  reading?: Understanding,
): Hit | undefined {
  const ground: Ground = { workspaceRoot: context.workspaceRoot, home: context.home };
  const state = startState(context.cwd ?? context.workspaceRoot, context.home);
  const place = { state, ground, depth: 0, calls: { left: MOST_CALLS } };
  return judgeScript(line, context.shell, place, reading);
}

/** A part of a line that is never run. */
export interface Hit {
  readonly source: string;
  readonly why: string;
}

interface Place {
  readonly state: ShellState;
  readonly ground: Ground;
  readonly depth: number;
  /** How many functions may still be called. */
  readonly calls: { left: number };
}

function judgeScript(
  script: string,
  shell: ShellKind,
  place: Place,
  reading?: Understanding,
): Hit | undefined {
  if (place.depth > DEEPEST) return { source: script, why: UNPARSED };
  if (shell === 'powershell' || shell === 'cmd') {
    const why = forbiddenInWindows(script, shell, place.ground);
    return why === undefined ? undefined : { source: script, why };
  }
  const { steps, why } = reading ?? understand(script, shell);
  if (why === UNPARSED) return { source: script, why };
  return judgeSteps(steps, place).hit;
}

/** What is hit first, and what the shell knows afterwards. */
interface Judged {
  readonly hit?: Hit;
  readonly state: ShellState;
}

function judgeSteps(steps: readonly ShellStep[], place: Place): Judged {
  const saved: ShellState[] = [];
  let state = place.state;
  for (const step of steps) {
    switch (step.kind) {
      case 'scope-start':
        saved.push(state);
        break;
      case 'scope-end':
        state = saved.pop() ?? state;
        break;
      case 'loop':
        state = withVariable(state, step.name, loopValues(step, state));
        break;
      case 'function':
        state = { ...state, functions: new Map([...state.functions, [step.name, step.steps]]) };
        break;
      case 'bomb':
        return { hit: { source: step.source, why: 'it is a fork bomb' }, state };
      case 'command': {
        const words = expandWords(step.command.words, state);
        const hit = judgeCommand(step, words, { ...place, state });
        if (hit) return { hit, state };
        const called = judgeCall(step, words, { ...place, state });
        if (called?.hit) return called;
        state = called?.state ?? after(step.command, words, state);
      }
    }
  }
  return { state };
}

function loopValues(
  { values }: ShellStep & { kind: 'loop' },
  state: ShellState,
): readonly string[] | undefined {
  const found = values ? expandWords(values, state) : state.variables.get('@');
  return found?.length === 0 ? undefined : found;
}

/** A call of a function of this line runs its body with the call's words as `$1` and so on. */
function judgeCall({ command }: CommandStep, words: readonly string[], place: Place): Judged | undefined {
  const [name = '', ...args] = words;
  const { state, calls } = place;
  const body = state.functions.get(name);
  if (body === undefined) return undefined;
  if (--calls.left < 0) return { hit: { source: command.source, why: UNPARSED }, state };
  // Within itself it is nobody's: one that calls itself has nothing new to say.
  const functions = new Map(state.functions);
  functions.delete(name);
  const inside = judgeSteps(body, { ...place, state: { ...withVariable(state, '@', args), functions } });
  const given = withVariable(inside.state, '@', state.variables.get('@'));
  return { ...inside, state: { ...given, functions: state.functions } };
}

function judgeCommand(step: CommandStep, words: readonly string[], place: Place): Hit | undefined {
  const { state, ground } = place;
  const { command } = step;
  for (const redirect of command.redirects) {
    if (!redirect.word || !redirectWrites(redirect.op)) continue;
    for (const target of expandWord(redirect.word, state)) {
      const why = systemWrite(target, state.cwd, ground);
      if (why !== undefined) return { source: command.source, why };
    }
  }
  for (const { values } of command.assignments.filter(({ name }) => namesProgram(name))) {
    const script = expandWords(values ?? [], state)
      .join(' ')
      .replace(/^\|/, '');
    const hit = judgeScript(script, 'sh', { ...place, depth: place.depth + 1 });
    if (hit) return hit;
  }
  return judgeWords(words, { ...place, source: command.source, step });
}

interface WordsPlace extends Place {
  readonly source: string;
  readonly step: CommandStep;
}

function judgeWords(words: readonly string[], place: WordsPlace): Hit | undefined {
  if (words.length === 0) return undefined;
  if (place.depth > DEEPEST) return { source: place.source, why: UNPARSED };
  const { state, ground, source } = place;
  const name = commandName(words[0] ?? '');
  const args = words.slice(1);
  const why =
    forbiddenHead(name, args) ??
    forbiddenContainer(name, args, state.cwd, ground) ??
    forbiddenPaths([name, ...args], state.cwd, ground) ??
    inWindows(words, name, ground);
  if (why !== undefined) return { source, why };
  const deeper = { ...place, depth: place.depth + 1 };
  for (const inner of innerCommands(words)) {
    const hit = judgeInner(inner, name, deeper);
    if (hit) return hit;
  }
  const fed = readsStdin(words);
  const script = fed && fedText(place.step, wordsIn(state));
  return fed && script && judgeScript(script.text, fed.shell, withArgs(deeper, ['', ...fed.args]));
}

function judgeInner(inner: Inner, name: string, place: WordsPlace): Hit | undefined {
  if (inner.kind === 'words') return judgeWords(isFed(name) ? fill(inner.words, place) : inner.words, place);
  const script = isFed(name) ? fill([inner.script], place).join(' ') : inner.script;
  return judgeScript(script, inner.shell, inner.args ? withArgs(place, inner.args) : place);
}

/** `bash -c SCRIPT NAME A B`: NAME is `$0`, A is `$1`. */
function withArgs(place: WordsPlace, args: readonly string[]): WordsPlace {
  const [name = '', ...given] = args;
  return { ...place, state: withVariable(withVariable(place.state, '0', [name]), '@', given) };
}

function isFed(name: string): boolean {
  return name === 'xargs' || name === 'parallel';
}

function wordsIn(state: ShellState): (command: SimpleCommand) => readonly string[] {
  return (command) => expandWords(command.words, state);
}

/** A program of Windows reached from here, or a line meant for PowerShell or cmd: judged by its words. */
function inWindows(words: readonly string[], name: string, ground: Ground): string | undefined {
  const line = [name, ...words.slice(1)].join(' ');
  if (/\.(exe|com)$/i.test(words[0] ?? '') || name.toLowerCase() === 'format')
    return forbiddenInWindows(line, 'cmd', ground);
  return /^[a-z]+-[a-z]+$/i.test(name) ? forbiddenInWindows(line, 'powershell', ground) : undefined;
}

/** What xargs makes of its input: `find D | xargs X` is `find D -exec X`. */
function fill(words: readonly string[], { step, state }: WordsPlace): readonly string[] {
  const given = fedWords(step, wordsIn(state));
  if (given.length === 0) return words;
  if (commandName(step.input?.words[0]?.text ?? '') === 'find') return ['find', ...given, '-exec', ...words];
  return words.flatMap((word) => fillIn(word, given));
}
