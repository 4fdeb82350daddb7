import { hash } from 'node:crypto';
import {
  closeSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

/**
 * The least that replaces a passage and can take it back after a power cut: read, match, hash, keep the old content durably, write the
 * new one beside the file durably, rename.
 */
export function editDurably(
  file: string,
  blobs: string,
  passage: { readonly old: string; readonly new: string },
): void {
  const before = readFileSync(file);
  const text = before.toString('utf8');
  const at = text.indexOf(passage.old);
  if (at < 0 || text.indexOf(passage.old, at + 1) >= 0) throw new Error('the passage must occur once');
  const after = text.slice(0, at) + passage.new + text.slice(at + passage.old.length);
  writeDurably(path.join(blobs, sha256(before)), before);
  writeDurably(`${file}.tmp`, Buffer.from(after));
  renameSync(`${file}.tmp`, file);
}

/** The least that keeps what files held: read, hash, a copy under that name, waited for until it is on the disk. */
export function keepDurably(files: readonly string[], blobs: string): void {
  for (const file of files) {
    const bytes = readFileSync(file);
    writeDurably(path.join(blobs, sha256(bytes)), bytes);
  }
}

export interface Changed {
  readonly file: string;
  /** Hashes of what it held, kept under that name, and of what it holds now. */
  readonly before: string;
  readonly after: string;
}

/** Gives each file one more line; what it held is kept. */
export function changeByHand(files: readonly string[], blobs: string): readonly Changed[] {
  keepDurably(files, blobs);
  return files.map((file) => {
    const before = readFileSync(file);
    const after = Buffer.concat([before, Buffer.from('// one more\n')]);
    writeFileSync(file, after);
    return { file, before: sha256(before), after: sha256(after) };
  });
}

/** The least that takes files back: make sure that each is as it was left, read what it held, write that durably, rename. */
export function restoreDurably(files: readonly Changed[], blobs: string): void {
  for (const { file, after } of files) {
    if (sha256(readFileSync(file)) !== after) throw new Error(`${file} has changed`);
  }
  for (const { file, before } of files) {
    writeDurably(`${file}.tmp`, readFileSync(path.join(blobs, before)));
    renameSync(`${file}.tmp`, file);
  }
}

function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}

/** The system keeps no more times than these bytes' own: fdatasync is enough. */
function writeDurably(file: string, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, bytes);
  fdatasyncSync(descriptor);
  closeSync(descriptor);
}
