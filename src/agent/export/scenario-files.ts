import type { Core } from '#agent/core';
import { sha256 } from '#base/hash';
import type { CheckpointSummary, FileState } from '#protocol/checkpoint';
import type { CheckpointId, SessionId } from '#protocol/ids';
import type { FileSpec, HandWork } from '#protocol/scenario';
import { decodeUtf8 } from './utf8';

/** Most bytes of one file and of all of them in a scenario. */
const LARGEST = 1024 * 1024;
const MOST = 8 * 1024 * 1024;
/** Stands before the target of a link, where files have their hash. */
const LINK = 'link ';

/** What is known of the files of a session while its turns are told again, one after the other. */
export class ScenarioFiles {
  readonly #core: Core;
  readonly #sessionId: SessionId;
  /** The hash that each path has now in the replay, or what is written in a link; empty: neither. */
  readonly #now = new Map<string, string>();
  readonly #start: Record<string, FileSpec> = {};
  readonly #notes: string[] = [];
  /** Of files that were read and not yet changed: their text as the model saw it. */
  readonly #seen = new Map<string, string>();
  #bytes = 0;

  constructor(core: Core, sessionId: SessionId) {
    this.#core = core;
    this.#sessionId = sessionId;
  }

  /** The workspace before the first turn, as far as it is known. */
  get start(): Readonly<Record<string, FileSpec>> {
    return this.#start;
  }

  /** What is missing, in words. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Where the replay has links now. */
  get links(): readonly string[] {
    return [...this.#now].flatMap(([path, what]) => (what.startsWith(LINK) ? [path] : []));
  }

  /** Before a turn: what it found otherwise than the replay has it was changed by hand meanwhile. */
  async before(checkpoint: CheckpointSummary): Promise<HandWork> {
    const byHand: Record<string, FileSpec | null> = {};
    for (const { path, from, before } of filesOf(checkpoint)) {
      const found = from ?? path;
      const known = this.#sameAsSeen(found, before) ? undefined : this.#now.get(found);
      if (known !== undefined && known !== hashOf(before)) {
        const spec = await this.#spec(checkpoint.id, path, before);
        if (spec !== undefined) byHand[found] = spec;
      } else if (known === undefined) {
        const spec = await this.#spec(checkpoint.id, path, before);
        const where = this.#fitsStart(found) ? this.#start : byHand;
        if (spec) where[found] = spec;
      }
      this.#now.set(found, hashOf(before));
      if (from !== undefined && !this.#now.has(path)) this.#now.set(path, '');
    }
    return byHand;
  }

  /**
   * A turn read a file whole and didn't change it. If nothing was known of it, that is how it was from the beginning; if it was
   * otherwise, somebody changed it by hand before the turn.
   */
  read(path: string, shown: string): HandWork {
    const text = textOf(shown);
    const known = this.#now.get(path);
    // What was read through a link is another path's.
    const isKnown = known !== undefined && (known.startsWith(LINK) || ways(text ?? '').includes(known));
    if (text === undefined || path.startsWith('/') || isKnown) return {};
    const spec = this.#take(path, Buffer.from(text), 0o644);
    if (spec === undefined) return {};
    this.#now.set(path, sha256(text));
    if (known !== undefined || !this.#fitsStart(path)) return { [path]: spec };
    this.#start[path] = spec;
    this.#seen.set(path, text);
    return {};
  }

  /** What was read shows neither the last line end nor its kind: where a turn's own copy agrees but for these, that is taken. */
  #sameAsSeen(path: string, before: FileState): boolean {
    const text = this.#seen.get(path);
    this.#seen.delete(path);
    if (text === undefined || before.kind !== 'file') return false;
    return ways(text).includes(before.sha256);
  }

  /** After a turn, or its redo. */
  after(checkpoint: CheckpointSummary): void {
    for (const { path, from, after } of filesOf(checkpoint)) {
      if (from !== undefined) this.#now.set(from, '');
      this.#now.set(path, hashOf(after));
    }
  }

  /** After a turn's files were taken back. */
  undone(checkpoint: CheckpointSummary): void {
    for (const { path, from, before } of filesOf(checkpoint)) {
      if (from !== undefined) this.#now.set(path, '');
      this.#now.set(from ?? path, hashOf(before));
    }
  }

  /** Files that were only read: as they are now, where that is what was read. */
  async addReads(): Promise<void> {
    const { host, workspace, store } = this.#core;
    for (const { path, sha256: hash } of store.reads.list(this.#sessionId)) {
      const text = this.#seen.get(path);
      const other = this.#now.has(path) && (text === undefined || !ways(text).includes(hash));
      if (other || path.startsWith('/') || !this.#fitsStart(path)) continue;
      const place = `${workspace.root}/${path}` as typeof workspace.root;
      const read = await host.files.read(place, { maxBytes: LARGEST });
      if (!read.ok || read.value.sha256 !== hash)
        this.#notes.push(
          text !== undefined
            ? `${path} is what the model was shown of it: its line ends and mode may differ`
            : `${path} was read; it has changed since, and what it was is not kept`,
        );
      else {
        const mode = (await host.files.stat(place))?.mode ?? 0o644;
        const spec = this.#take(path, read.value.bytes, mode);
        if (spec) this.#start[path] = spec;
      }
    }
  }

  /** Nothing that stood at the start is above or below it: else it came later. */
  #fitsStart(path: string): boolean {
    return Object.keys(this.#start).every((other) => !isBelow(path, other) && !isBelow(other, path));
  }

  async #spec(id: CheckpointId, path: string, before: FileState): Promise<FileSpec | null | undefined> {
    if (before.kind === 'link') return { symlink: before.target };
    if (before.kind !== 'file') return null;
    const bytes = await this.#core.checkpoints.content(id, path, 'before');
    if (bytes) return this.#take(path, bytes, before.mode) ?? undefined;
    this.#notes.push(`${path} as a turn found it is not kept any more`);
    return undefined;
  }

  /** Undefined, and noted, where it is too much. */
  #take(path: string, bytes: Uint8Array, mode: number): FileSpec | undefined {
    if (bytes.byteLength > LARGEST || this.#bytes + bytes.byteLength > MOST) {
      this.#notes.push(`${path} is left out: ${bytes.byteLength} bytes are too many for a scenario`);
      return undefined;
    }
    this.#bytes += bytes.byteLength;
    const text = decodeUtf8(bytes);
    const bits = (mode & 0o777) === 0o644 ? {} : { mode: (mode & 0o777).toString(8).padStart(3, '0') };
    if (text === undefined) return { base64: Buffer.from(bytes).toString('base64'), ...bits };
    const shown = this.#core.redactor.value(text);
    if (shown !== text) this.#notes.push(`secrets were taken out of ${path}`);
    return 'mode' in bits ? { text: shown, ...bits } : shown;
  }
}

/** The hashes that a text may have whose last line end, and whose kind of line ends, nobody saw. */
function ways(text: string): readonly string[] {
  const bare = text.replace(/\n$/, '');
  return [text, bare, text.replaceAll('\n', '\r\n'), bare.replaceAll('\n', '\r\n')].map(sha256);
}

/** The text of a file of which every line was shown with its number; undefined for anything else. */
function textOf(shown: string): string | undefined {
  const lines = shown.split('\n').map((line) => /^ *(\d+)→(.*)$/.exec(line));
  const whole = lines.every((line, index) => line?.[1] === String(index + 1));
  return whole ? `${lines.map((line) => line?.[2] ?? '').join('\n')}\n` : undefined;
}

/** Permission bits of folders are changed by the commands themselves when they run again. */
function filesOf({ files }: CheckpointSummary): CheckpointSummary['files'] {
  return files.filter(({ before }) => before.kind !== 'folder');
}

/** Whether a path lies in a folder by that name. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

function hashOf(state: FileState): string {
  if (state.kind === 'link') return `${LINK}${state.target}`;
  return state.kind === 'file' ? state.sha256 : '';
}
