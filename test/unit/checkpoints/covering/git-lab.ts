import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gitReader } from '#commands/git-objects';
import type { GitReader } from '#host/git';
import type { Hands, RunOptions } from '#test/unit/checkpoints/hands';
import { type Lab, lab, type Step } from '#test/unit/checkpoints/lab';

const variables = { PATH: process.env['PATH'], HOME: '/nonexistent' };
const GIT = '/usr/bin/git';
export const reader = gitReader({ program: () => GIT, variables });
const identity = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

export function gitIn(folder: string, ...args: readonly string[]): string {
  const env = { ...variables, ...identity, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync(GIT, args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A repository in which all these files are committed, long ago. */
export function repository(
  files: Readonly<Record<string, string | Uint8Array>>,
  { git = reader, format = 'sha1' }: { readonly git?: GitReader; readonly format?: 'sha1' | 'sha256' } = {},
): Lab {
  const made = lab(files, { git });
  gitIn(made.folder.path, 'init', '-q', '-b', 'main', `--object-format=${format}`);
  commit(made.folder.path, Object.keys(files));
  return made;
}

export function commit(folder: string, names: readonly string[]): void {
  for (const name of names) utimesSync(join(folder, name), 1000, 1000);
  const later = Date.now() + 20;
  while (Date.now() < later);
  gitIn(folder, 'add', '-A');
  gitIn(folder, 'commit', '-qm', 'all');
}

export const run =
  (work: () => unknown, more?: RunOptions): Step =>
  (hands: Hands) =>
    hands.run('make', work, more);

/** Texts of all blobs. */
export function keptIn({ storage }: Lab): string[] {
  try {
    const names = readdirSync(storage.at('blobs'));
    return names.map((name) => readFileSync(storage.at(`blobs/${name}`), 'latin1')).sort();
  } catch {
    return [];
  }
}
