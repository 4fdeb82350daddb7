import { commandName } from '#commands/inner';
import { WRAPPERS } from '#commands/wrapper-table';
import { innerCommands } from '#commands/wrappers';
import { classOfName } from './changers';
import { executes, type NotReads, type Reads, type TableWord } from './command-class';
import { readByFlags } from './flags';
import { git } from './git';
import { READERS } from './readers';
import { onlyTalks, SPECIAL } from './special';

/** What a command would do, by its name and the words after it; nothing is said of what it wraps. */
export function judgeName(name: string, args: readonly TableWord[]): Reads | NotReads {
  if (onlyTalks(name, args) || (isReader(name) && isTalk(args))) return { paths: [] };
  const line = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (line) return readByFlags(line, args);
  const special = name === 'git' ? git : Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special) return special(args);
  const bare = commandName(name);
  const known = classOfName(bare, args);
  if (known)
    return {
      class: known,
      why: known === 'network' ? `${bare} uses the network` : `${bare} changes files or processes`,
    };
  if (bare !== name && bare === 'git') return executes('it names its program by a path');
  return executes(`${bare} may run anything`);
}

/** Whether a rule that begins so opens only what reads: it names a reader, or a wrapper without what it wraps. */
export function namesReader(words: readonly string[]): boolean {
  const [name, ...args] = words.map((text): TableWord => ({ text, kind: 'literal' }));
  if (name === undefined) return false;
  const inner = innerCommands(words);
  if (isWrapper(commandName(name.text)))
    return inner.every((each) => (each.kind === 'words' ? each.words.length === 0 : each.script === ''));
  return !('why' in judgeName(name.text, args)) || (args.length === 0 && isReader(name.text));
}

function isWrapper(name: string): boolean {
  return Object.hasOwn(WRAPPERS, name) || /^(flock|script|watch|command)$/.test(name);
}

/** A reader of the tables, whose flags decide what it does. */
function isReader(name: string): boolean {
  return Object.hasOwn(READERS, name) || Object.hasOwn(SPECIAL, name);
}

/** `ls --help`, and nothing else. */
function isTalk([only, ...more]: readonly TableWord[]): boolean {
  return more.length === 0 && only?.kind === 'literal' && /^--(help|version)$/.test(only.text);
}
