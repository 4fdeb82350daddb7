import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { sha256 } from '#base/hash';
import type { Content } from '#checkpoints/blobs';
import { targetOf } from '#disk/links';
import { entryOf, look, type ScanEntry } from '#disk/scan-entry';
import type { FileState } from '#protocol/checkpoint';
import type { Sha256 } from '#protocol/ids';
import { isSameEntry } from './sources';

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The content of a regular file, if it is still as that look saw it, before and after it was read. */
export function readSeen(path: string, seen: ScanEntry): Content | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, FLAGS);
    if (!isStill(descriptor, seen)) return undefined;
    const bytes = readWhole(descriptor, seen.bytes);
    if (!bytes || !isStill(descriptor, seen)) return undefined;
    return { bytes, sha256: sha256(bytes) as Sha256 };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** What is written in a symbolic link that is still the one which that look saw; undefined of one that can't be made again from a text. */
export function readSeenLink(
  path: string,
  seen: ScanEntry,
): Extract<FileState, { readonly kind: 'link' }> | 'another' | undefined {
  const target = targetOf(path);
  const now = look(path);
  if (now?.kind !== 'symlink' || !isSameEntry(now, seen)) return 'another';
  return target === undefined ? undefined : { kind: 'link', target };
}

function isStill(descriptor: number, seen: ScanEntry): boolean {
  const now = entryOf(fstatSync(descriptor));
  return now.kind === 'file' && isSameEntry(now, seen);
}

/** Undefined when there are fewer bytes than the stat said. */
function readWhole(descriptor: number, size: number): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size; ) {
    const count = readSync(descriptor, bytes, at, size - at, null);
    if (count === 0) return undefined;
    at += count;
  }
  return bytes;
}
