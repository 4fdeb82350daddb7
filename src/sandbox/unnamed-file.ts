import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A descriptor of a new file with that content and no name: nobody can change it, and it goes with the last descriptor.
 * Readable for all, because a launcher may run as another user.
 */
export function unnamedFile(content: Uint8Array): number {
  const path = join(tmpdir(), `belay-${process.pid}-${process.hrtime.bigint()}`);
  const fd = openSync(path, 'wx', 0o444);
  try {
    rmSync(path);
    for (let at = 0; at < content.length; ) at += writeSync(fd, content, at);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** A descriptor of the same file, read from its beginning: who shares a descriptor shares the place up to which it is read. */
export function readAnew(fd: number): number {
  return openSync(`/proc/self/fd/${fd}`, 'r');
}
