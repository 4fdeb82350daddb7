import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '#base/result';
import { runProgram } from '#commands/program';
import type { FileSpec, HandWork } from '#protocol/scenario';

/** A file as the scenario's output shows it; folders only where nothing is in them. */
export type FileReport =
  | { readonly text: string; readonly mode: string }
  | { readonly base64: string; readonly mode: string }
  | { readonly symlink: string }
  | { readonly dir: true; readonly mode: string }
  | { readonly fifo: true; readonly mode: string }
  | { readonly error: string; readonly mode: string };

/** What a scenario asks for can't be done: its own mistake. */
export class BadScenario extends Error {
  override readonly name = 'BadScenario';
}

/**
 * Puts files there as a person or another program would: plain writes, in the order given. Links are followed as far as the folder that
 * holds all of the scenario: what comes from elsewhere can't have a file of this machine overwritten.
 */
export async function putFiles(folder: string, files: HandWork): Promise<void> {
  const bounds = await realpath(path.dirname(folder));
  for (const [name, spec] of Object.entries(files)) {
    try {
      const file = path.join(folder, name);
      // Only content is written through a link in the last place; anything else takes that place.
      const followed = isContent(spec) ? file : path.dirname(file);
      if (!(await leadsInside(bounds, followed))) throw new Error('a link leads out of the scenario');
      await put(file, spec);
    } catch (error) {
      throw new BadScenario(`"${name}" can't be written: ${messageOf(error)}`);
    }
  }
}

/** Where the nearest thing that is there really is, or where a link to nothing would make one. */
async function leadsInside(bounds: string, file: string): Promise<boolean> {
  for (let at = file; ; at = path.dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) return real === bounds || real.startsWith(bounds + path.sep);
    // A link that leads to nothing: a write would make what it names.
    if (await lstat(at).catch(() => undefined)) return false;
  }
}

async function put(file: string, spec: FileSpec | null): Promise<void> {
  if (spec === null) return rm(file, { recursive: true, force: true });
  await mkdir(path.dirname(file), { recursive: true });
  await makeWay(file, spec);
  if (typeof spec === 'string') return writeFile(file, spec);
  if ('text' in spec) await writeFile(file, spec.text);
  else if ('base64' in spec) await writeFile(file, Buffer.from(spec.base64, 'base64'));
  else if ('dir' in spec) await mkdir(file, { recursive: true });
  else if ('symlink' in spec) await symlink(spec.symlink, file);
  else await makeFifo(file);
  if ('mode' in spec && spec.mode !== undefined) await chmod(file, Number.parseInt(spec.mode, 8));
}

/** What is of another kind than what comes is taken away first; a file is written in place, a folder stays with what is in it. */
async function makeWay(file: string, spec: FileSpec): Promise<void> {
  const stat = await lstat(file).catch(() => undefined);
  const stays = isContent(spec)
    ? stat?.isFile() || stat?.isSymbolicLink()
    : 'dir' in spec && stat?.isDirectory();
  if (stat && !stays) await rm(file, { recursive: true, force: true });
}

type Content = string | Extract<FileSpec, { readonly text: string } | { readonly base64: string }>;

function isContent(spec: FileSpec | null): spec is Content {
  return typeof spec === 'string' || (spec !== null && ('text' in spec || 'base64' in spec));
}

async function makeFifo(file: string): Promise<void> {
  const made = await runProgram({ file: 'mkfifo', args: ['--', file], cwd: path.dirname(file) });
  if (made.exitCode !== 0) throw new Error(`mkfifo ${file}: ${made.stderr}`);
}

const SLASH = Buffer.from('/');

/** Everything in a folder, by `/`-separated relative path, sorted. */
export async function reportFiles(folder: string): Promise<Readonly<Record<string, FileReport>>> {
  const found: [string, FileReport][] = [];
  await collect(Buffer.from(folder), '', found);
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function collect(folder: Buffer, prefix: string, into: [string, FileReport][]): Promise<void> {
  for (const name of await readdir(folder, { encoding: 'buffer' })) {
    const file = Buffer.concat([folder, SLASH, name]);
    const relative = prefix + shown(name);
    const stat = await lstat(file);
    const before = into.length;
    if (stat.isDirectory()) await collect(file, `${relative}/`, into);
    if (!stat.isDirectory() || into.length === before) into.push([relative, await reportOne(file, stat)]);
  }
}

/** A name that is no UTF-8 is told byte by byte: `caf%E9.txt`. */
function shown(name: Buffer): string {
  const text = name.toString('utf8');
  if (Buffer.from(text).equals(name)) return text;
  return name
    .toString('latin1')
    .replace(/[^ -~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

async function reportOne(file: Buffer, stat: Awaited<ReturnType<typeof lstat>>): Promise<FileReport> {
  const mode = (Number(stat.mode) & 0o7777).toString(8).padStart(3, '0');
  if (stat.isSymbolicLink()) return { symlink: await readlink(file) };
  if (stat.isDirectory()) return { dir: true, mode };
  if (stat.isFIFO()) return { fifo: true, mode };
  if (!stat.isFile()) return { error: 'not a regular file', mode };
  try {
    const bytes = await readFile(file);
    const text = asText(bytes);
    return text === undefined ? { base64: bytes.toString('base64'), mode } : { text, mode };
  } catch (error) {
    return { error: messageOf(error), mode };
  }
}

/** A byte order mark stays in the text; a NUL makes it binary. */
function asText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
