import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SerialQueue } from '#base/queue';

/** One line of a transcript; `key` tells it from others. */
export interface TranscriptLine {
  readonly key: string;
  text(): string;
}

/**
 * A conversation as a file of JSON lines, for programs of the person's that want to read it. It is written when one of them is about
 * to run, only its owner can read it, and it goes when the session is closed: the database has all of it.
 */
export class TranscriptFile {
  readonly path: string;
  readonly #queue = new SerialQueue();
  #written: readonly string[] | undefined;

  constructor(storage: string, sessionId: string) {
    this.path = join(storage, 'transcripts', `${sessionId}.jsonl`);
  }

  /** Brings the file up to date: what is new goes to its end; after a rewind it is written anew. */
  write(lines: readonly TranscriptLine[]): Promise<void> {
    return this.#queue.run(async () => {
      const before = this.#written;
      const grows = before?.every((key, index) => lines[index]?.key === key) ?? false;
      const text = lines
        .slice(grows ? before?.length : 0)
        .map((line) => `${line.text()}\n`)
        .join('');
      this.#written = undefined;
      if (grows) await appendFile(this.path, text, { mode: 0o600 });
      else await this.#begin(text);
      this.#written = lines.map(({ key }) => key);
    });
  }

  /** Whoever wrote there before is gone; nothing of it is kept, its mode least of all. */
  async #begin(text: string): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    await rm(this.path, { force: true });
    await writeFile(this.path, text, { mode: 0o600, flag: 'wx' });
  }

  remove(): Promise<void> {
    return this.#queue.run(async () => {
      this.#written = undefined;
      await rm(this.path, { force: true });
    });
  }
}
