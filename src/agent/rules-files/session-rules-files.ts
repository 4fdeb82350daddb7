import { posix } from 'node:path';
import type { RulesFileRow } from '#protocol/rules-file';
import { foldersTo } from './candidates';
import { type FoundRules, findRulesFiles } from './find';
import { MOST_BYTES, type Reading, type RulesFile } from './read';
import { rulesText } from './text';

/** Touched paths that are remembered; the oldest go. */
const MOST_TOUCHED = 2000;

/** What a session looks with. */
export interface RulesFilesWorld extends Reading {
  isTrusted(): boolean;
  /** Relative paths of the files that the session has shown the model before, after a reload. */
  earlier(): readonly string[];
}

/** The rules files that hold in one session: those of the workspace, and those on the way to what it has touched. */
export class SessionRulesFiles {
  readonly #world: () => RulesFilesWorld;
  #touched: Set<string> | undefined;
  /** The folders that the last look went through: another file in one of them brings nothing new. */
  readonly #seen = new Set<string>(['.']);
  #isStale = true;
  #found: Found = NOTHING;
  #text = '';

  constructor(world: () => RulesFilesWorld) {
    this.#world = world;
  }

  /** For the system prompt, as they were at the last look; empty where there are none. */
  get text(): string {
    return this.#text;
  }

  /** Relative paths that a call reads or writes; what holds for them counts from the next look on. */
  touch(paths: readonly string[]): void {
    const touched = this.#paths();
    for (const path of paths) {
      if (touched.has(path)) continue;
      if (touched.size >= MOST_TOUCHED) touched.delete([...touched][0] ?? '');
      touched.add(path);
      if (this.#found.hangsOnPaths || !this.#seen.has(posix.dirname(path))) this.#isStale = true;
    }
  }

  /** A turn begins, or a call may have changed some of them. */
  expire(): void {
    this.#isStale = true;
  }

  /** Looks where something may have changed. The rows when they differ from those of before, else undefined. */
  async refresh(): Promise<readonly RulesFileRow[] | undefined> {
    if (!this.#isStale) return undefined;
    this.#isStale = false;
    const world = this.#world();
    for (const path of this.#paths())
      for (const folder of foldersTo(posix.dirname(path))) this.#seen.add(folder);
    const found = world.isTrusted() ? bounded(await findRulesFiles(this.#paths(), world)) : NOTHING;
    const isSame = found.key === this.#found.key;
    this.#found = found;
    if (isSame) return undefined;
    this.#text = rulesText(found.files);
    return found.rows;
  }

  #paths(): Set<string> {
    this.#touched ??= new Set(this.#world().earlier());
    return this.#touched;
  }
}

interface Found {
  readonly files: readonly RulesFile[];
  readonly rows: readonly RulesFileRow[];
  readonly key: string;
  readonly hangsOnPaths: boolean;
}

const NOTHING: Found = { files: [], rows: [], key: '[]', hangsOnPaths: false };

/** The nearest get their room first. */
function bounded({ files, unusable, hangsOnPaths }: FoundRules): Found {
  const taken: RulesFile[] = [];
  const rows: RulesFileRow[] = [];
  let room = MOST_BYTES;
  for (const file of files.toReversed()) {
    const bytes = Buffer.byteLength(file.text);
    const text = bytes <= room ? file.text : headOf(file.text, room);
    const cut = file.more || text !== file.text;
    room -= Math.min(bytes, room);
    if (text !== '') taken.unshift({ ...file, text, more: cut });
    const { path, sha256, hidden } = file;
    rows.unshift({ path, sha256, state: text === '' ? 'left-out' : cut ? 'cut' : 'whole', hidden });
  }
  for (const { path, why } of unusable) rows.push({ path, sha256: '', state: 'unusable', hidden: 0, why });
  return { files: taken, rows, key: JSON.stringify(rows), hangsOnPaths };
}

/** Whole lines where there are some, whole characters in any case. */
function headOf(text: string, bytes: number): string {
  const head = new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
  const lines = head.lastIndexOf('\n');
  return lines > 0 ? head.slice(0, lines + 1) : head;
}
