import { expandWord, expandWords, type ShellState } from './expansion';
import { bodyOf } from './fed-input';
import { absolute } from './forbidden-targets';
import { printedText } from './printed';
import type { ShellAssignment, SimpleCommand } from './shell-words';

/** What the shell knows before a line's first command. */
export function startState(cwd: string, home: string): ShellState {
  return { cwd, home, variables: new Map(), functions: new Map() };
}

/** What the shell knows after a command: where it is, and what its variables hold. */
export function after(command: SimpleCommand, words: readonly string[], state: ShellState): ShellState {
  const [name, ...args] = words;
  switch (name) {
    case undefined:
    case 'export':
    case 'local':
    case 'declare':
    case 'typeset':
    case 'readonly':
      return command.assignments.reduce(assigned, state);
    case 'unset':
      return args.reduce((next, each) => withVariable(next, each, undefined), state);
    case 'set':
      return withArguments(args, state);
    case 'shift':
      return shifted(Number(args[0] ?? 1), state);
    case 'read':
    case 'mapfile':
    case 'readarray':
    case 'printf':
      return stored(command, words, state);
    case 'cd':
    case 'pushd':
      return moved(words, state);
    default:
      return state;
  }
}

/** The same with one variable more; without it where its values aren't known. */
export function withVariable(
  state: ShellState,
  name: string,
  values: readonly string[] | undefined,
): ShellState {
  const variables = new Map(state.variables);
  if (values === undefined) variables.delete(name);
  else variables.set(name, values);
  return { ...state, variables };
}

function assigned(state: ShellState, assignment: ShellAssignment): ShellState {
  const { name, values, added, element } = assignment;
  if (values) return withVariable(state, name, expandWords(values, state));
  const known = state.variables.get(name) ?? [];
  if (added) {
    const more = expandWords(added.words, state);
    const text = [`${known[0] ?? ''}${more[0] ?? ''}`, ...known.slice(1)];
    return withVariable(state, name, added.elements ? [...known, ...more] : text);
  }
  if (!element) return withVariable(state, name, undefined);
  const next = [...known];
  while (next.length < element.index) next.push('');
  next[element.index] = expandWord(element.word, state).join(' ');
  return withVariable(state, name, next);
}

/** `set -- a b` and `set a b` give `$1` and `$2`; `set -e` gives nothing. */
function withArguments(args: readonly string[], state: ShellState): ShellState {
  let at = 0;
  while (/^[-+][a-zA-Z]/.test(args[at] ?? '')) at += /o$/.test(args[at] ?? '') ? 2 : 1;
  const ended = args[at] === '--' || args[at] === '-';
  if (at >= args.length) return state;
  return withVariable(state, '@', args.slice(ended ? at + 1 : at));
}

function shifted(by: number, state: ShellState): ShellState {
  const given = state.variables.get('@');
  return given ? withVariable(state, '@', given.slice(Number.isInteger(by) ? by : 1)) : state;
}

/** What a builtin puts into the variables that it names, where the line itself says what that is. */
function stored(command: SimpleCommand, words: readonly string[], state: ShellState): ShellState {
  const [name = '', ...args] = words;
  if (name === 'printf') {
    const [flag, variable, ...operands] = args;
    return flag === '-v' && variable !== undefined
      ? withVariable(state, variable, [printedText(name, operands)])
      : state;
  }
  const text = bodyOf(command, (word) => expandWord(word, state).join(' '));
  const names = args.filter((arg) => /^[A-Za-z_]\w*$/.test(arg));
  if (name !== 'read') return withVariable(state, names.at(-1) ?? 'MAPFILE', text?.trimEnd().split('\n'));
  const found = text?.split('\n', 1)[0]?.trim().split(/\s+/);
  return names.reduce((next, each, at) => {
    const last = at === names.length - 1;
    return withVariable(next, each, found && [last ? found.slice(at).join(' ') : (found[at] ?? '')]);
  }, state);
}

function moved(words: readonly string[], state: ShellState): ShellState {
  const target = words.slice(1).find((word) => !/^-[LPe@]+$/.test(word) && word !== '--');
  if (target === undefined) return { ...state, cwd: words[0] === 'cd' ? state.home : undefined };
  return { ...state, cwd: target === '-' ? undefined : absolute(target, state.cwd) };
}
