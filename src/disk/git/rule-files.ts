import ignore, { type Ignore } from 'ignore';
import { readNow } from '#disk/read-now';
import { type Conversions, conversionsOf } from './conversions';

/** More bytes are no list that a person keeps. */
const LARGEST = 256 * 1024;
const MOST_PATTERNS = 5000;
/** With each one more, the time that a hostile path takes grows by its length. */
const MOST_GLOBSTARS = 3;

/** Rule files of a repository as they are while it is looked at once: each is read once. */
export class RuleFiles {
  readonly #worktree: string;
  readonly #outer: { readonly attributes: readonly Conversions[]; readonly ignores: readonly Ignore[] };
  readonly #ignores = new Map<string, Ignore | undefined>();
  readonly #conversions = new Map<string, Conversions | undefined>();

  /** The files outside the worktree hold for all of it; those of ignores from weak to strong. */
  constructor(
    worktree: string,
    outer: { readonly attributeFiles: readonly string[]; readonly ignoreFiles: readonly string[] },
  ) {
    this.#worktree = worktree;
    this.#outer = {
      attributes: outer.attributeFiles.flatMap((file) => conversionsIn(file) ?? []),
      ignores: outer.ignoreFiles.flatMap((file) => ignoresIn(file) ?? []),
    };
  }

  /** Whether git may change the file's bytes on their way. */
  converts(path: string): boolean {
    if (this.#outer.attributes.some((rules) => rules.may(path))) return true;
    return foldersAbove(path).some((folder) => {
      const rules = known(this.#conversions, folder, () => conversionsIn(this.#at(folder, '.gitattributes')));
      return rules?.may(below(folder, path)) ?? false;
    });
  }

  /** Whether git leaves it alone; an unreadable list of what it ignores ignores nothing. */
  isIgnored(path: string): boolean {
    const parts = path.split('/');
    return parts.some((_, index) => {
      const isLast = index === parts.length - 1;
      return this.#isNamed(parts.slice(0, index + 1).join('/') + (isLast ? '' : '/'));
    });
  }

  /** By the list nearest to it that says anything of it. */
  #isNamed(path: string): boolean {
    const folders = foldersAbove(path.replace(/\/$/, ''));
    const inner = folders
      .map((folder) => ({
        folder,
        rules: known(this.#ignores, folder, () => ignoresIn(this.#at(folder, '.gitignore'))),
      }))
      .reverse();
    const outer = this.#outer.ignores.map((rules) => ({ folder: '', rules })).reverse();
    for (const { folder, rules } of [...inner, ...outer]) {
      const verdict = rules && tested(rules, below(folder, path));
      if (verdict?.ignored) return true;
      if (verdict?.unignored) return false;
    }
    return false;
  }

  #at(folder: string, name: string): string {
    return folder === '' ? `${this.#worktree}/${name}` : `${this.#worktree}/${folder}/${name}`;
  }
}

function known<T>(map: Map<string, T | undefined>, key: string, read: () => T | undefined): T | undefined {
  if (!map.has(key)) map.set(key, read());
  return map.get(key);
}

/** From the root down. */
function foldersAbove(path: string): string[] {
  const folders = [''];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}

function below(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}

function tested(rules: Ignore, path: string) {
  try {
    return rules.test(path);
  } catch {
    return undefined;
  }
}

/** What can't be read as meant may convert everything. */
function conversionsIn(file: string): Conversions | undefined {
  const text = textOf(file);
  if (text === undefined) return undefined;
  const isOdd = text === null || text.split('\n').length > MOST_PATTERNS || hasSlowLine(text);
  return isOdd ? { may: () => true } : conversionsOf(text);
}

function ignoresIn(file: string): Ignore | undefined {
  const text = textOf(file);
  if (text === undefined || text === null) return undefined;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length === 0 || lines.length > MOST_PATTERNS || hasSlowLine(text)) return undefined;
  try {
    return ignore().add(lines);
  } catch {
    return undefined;
  }
}

function hasSlowLine(text: string): boolean {
  return text.split('\n').some((line) => line.split(/\*\*+/).length - 1 > MOST_GLOBSTARS);
}

/** Undefined: there is none; null: it can't be read as meant. */
function textOf(file: string): string | null | undefined {
  const read = readNow(file, LARGEST);
  if (typeof read === 'string') return read === 'missing' ? undefined : null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(read.bytes);
  } catch {
    return null;
  }
}
