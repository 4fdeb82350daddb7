import { truncate } from '#base/text';
import { expandAssignment, expandWord, expandWords, type ShellState } from './expansion';
import { forbiddenHead } from './forbidden-heads';
import { forbiddenPaths, redirectWrites } from './forbidden-paths';
import { absolute, type Ground, systemWrite } from './forbidden-targets';
import { forbiddenInWindows } from './forbidden-windows';
import { UNPARSED, understand } from './grammar';
import { printedText } from './printed';
import type { ShellKind, ShellStep, SimpleCommand, Understanding } from './shell-words';
import { commandName, innerCommands, readsStdin } from './wrappers';

export interface ForbiddenContext {
  readonly workspaceRoot: string;
  readonly home: string;
  readonly shell: ShellKind;
  /** Absolute folder in which the line starts; the workspace root when absent. */
  readonly cwd?: string;
}

/** Scripts in scripts beyond this are refused: nobody writes them to be read. */
const DEEPEST = 8;

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
  const state: ShellState = {
    cwd: context.cwd ?? context.workspaceRoot,
    variables: new Map(),
    home: context.home,
  };
  return judgeScript(line, context.shell, { state, ground, depth: 0 }, reading);
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
  return judgeSteps(steps, place);
}

function judgeSteps(steps: readonly ShellStep[], place: Place): Hit | undefined {
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
        state = withVariable(state, step.name, step.values && expandWords(step.values, state));
        break;
      case 'bomb':
        return { source: step.source, why: 'it is a fork bomb' };
      case 'command': {
        const words = expandWords(step.command.words, state);
        const hit = judgeCommand(step, words, { ...place, state });
        if (hit) return hit;
        state = after(step.command, words, state);
      }
    }
  }
  return undefined;
}

function judgeCommand(
  { command, input }: ShellStep & { kind: 'command' },
  words: readonly string[],
  place: Place,
): Hit | undefined {
  const { state, ground } = place;
  for (const redirect of command.redirects) {
    if (!redirect.word || !redirectWrites(redirect.op)) continue;
    for (const target of expandWord(redirect.word, state)) {
      const why = systemWrite(target, state.cwd, ground);
      if (why !== undefined) return { source: command.source, why };
    }
  }
  return judgeWords(words, { ...place, source: command.source, command, ...(input ? { input } : {}) });
}

interface WordsPlace extends Place {
  readonly source: string;
  readonly command: SimpleCommand;
  readonly input?: SimpleCommand;
}

function judgeWords(words: readonly string[], place: WordsPlace): Hit | undefined {
  if (words.length === 0) return undefined;
  if (place.depth > DEEPEST) return { source: place.source, why: UNPARSED };
  const { state, ground, source } = place;
  const name = commandName(words[0] ?? '');
  const args = words.slice(1);
  const why =
    forbiddenHead(name, args) ??
    forbiddenPaths([name, ...args], state.cwd, ground) ??
    inWindows(words, name, ground);
  if (why !== undefined) return { source, why };
  const deeper = { ...place, depth: place.depth + 1 };
  for (const inner of innerCommands(words)) {
    const fed = inner.kind === 'words' && name === 'xargs' ? fedByPipe(inner.words, place) : [];
    const hit =
      inner.kind === 'script'
        ? judgeScript(inner.script, inner.shell, deeper)
        : judgeWords(fed.length > 0 ? fed : inner.words, deeper);
    if (hit) return hit;
  }
  const shell = readsStdin(words);
  const script = shell === undefined ? undefined : stdinScript(place);
  return script === undefined || shell === undefined ? undefined : judgeScript(script, shell, deeper);
}

/** A program of Windows reached from here, or a line meant for PowerShell or cmd: judged by its words. */
function inWindows(words: readonly string[], name: string, ground: Ground): string | undefined {
  const line = [name, ...words.slice(1)].join(' ');
  if (/\.(exe|com)$/i.test(words[0] ?? '') || name.toLowerCase() === 'format')
    return forbiddenInWindows(line, 'cmd', ground);
  return /^[a-z]+-[a-z]+$/i.test(name) ? forbiddenInWindows(line, 'powershell', ground) : undefined;
}

/** What xargs makes of its input: `find D | xargs X` is `find D -exec X`. */
function fedByPipe(words: readonly string[], place: WordsPlace): readonly string[] {
  const given = printed(place);
  const isFind = commandName(place.input?.words[0]?.text ?? '') === 'find';
  return isFind ? ['find', ...given, '-exec', ...words] : [...words, ...given];
}

/** The script that a shell without one gets on its stdin, where the line itself holds it. */
function stdinScript(place: WordsPlace): string | undefined {
  const body = place.command.redirects.find((redirect) => redirect.body !== undefined)?.body;
  if (body !== undefined) return body;
  const piped = place.input?.redirects.find((redirect) => redirect.body !== undefined)?.body;
  if (piped !== undefined) return piped;
  const words = place.input ? expandWords(place.input.words, place.state) : [];
  const name = commandName(words[0] ?? '');
  return /^(echo|printf)$/.test(name) && words.length > 1 ? printedText(name, words.slice(1)) : undefined;
}

/** What the command before the pipe surely prints: the operands of echo and printf, or where find looks. */
function printed(place: WordsPlace): readonly string[] {
  const words = place.input ? expandWords(place.input.words, place.state) : [];
  const name = commandName(words[0] ?? '');
  if (name === 'echo' || name === 'printf') return words.slice(1).filter((word) => !/^-[neE]+$/.test(word));
  if (name !== 'find') return [];
  const end = words.findIndex((word, index) => index > 0 && /^[-(!]/.test(word));
  return words.slice(1, end < 0 ? undefined : end);
}

/** What the shell knows after a command: where it is, and what its variables hold. */
function after(command: SimpleCommand, words: readonly string[], state: ShellState): ShellState {
  const name = words[0];
  let next = state;
  if (name === undefined || /^(export|local|declare|typeset|readonly)$/.test(name)) {
    for (const assignment of command.assignments) {
      next = withVariable(next, assignment.name, expandAssignment(assignment, next));
    }
  }
  if (name === 'unset' || name === 'read')
    for (const word of words.slice(1)) next = withVariable(next, word, undefined);
  if (name !== 'cd' && name !== 'pushd') return next;
  const target = words.slice(1).find((word) => !/^-[LPe@]+$/.test(word) && word !== '--');
  if (target === undefined) return { ...next, cwd: name === 'cd' ? state.home : undefined };
  return { ...next, cwd: target === '-' ? undefined : absolute(target, state.cwd) };
}

function withVariable(state: ShellState, name: string, values: readonly string[] | undefined): ShellState {
  const variables = new Map(state.variables);
  if (values === undefined || values.length === 0) variables.delete(name);
  else variables.set(name, values);
  return { ...state, variables };
}
