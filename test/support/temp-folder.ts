import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AbsolutePath } from '#protocol/ids';

/** A real folder that is removed when the test ends. */
export interface TempFolder {
  readonly path: AbsolutePath;
  /** Writes files, making their folders; a value that ends the path with `/` makes an empty folder. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  bytes(path: string): Buffer;
  text(path: string): string;
  chmod(path: string, mode: number): void;
  at(path: string): AbsolutePath;
}

/** Call it inside a test; `files` are written first. */
export function tempFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'belay-test-'))) as AbsolutePath;
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const at = (name: string) => join(path, name) as AbsolutePath;
  const folder: TempFolder = {
    path,
    at,
    write(contents) {
      for (const [name, content] of Object.entries(contents)) {
        mkdirSync(name.endsWith('/') ? at(name) : dirname(at(name)), { recursive: true });
        if (!name.endsWith('/')) writeFileSync(at(name), content);
      }
    },
    bytes: (name) => readFileSync(at(name)),
    text: (name) => readFileSync(at(name), 'utf8'),
    chmod: (name, mode) => chmodSync(at(name), mode),
  };
  folder.write(files);
  return folder;
}
