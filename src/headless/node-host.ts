import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainEncodings } from '#disk/encodings';
import { diskFiles } from '#disk/files';
import type { Environment, Host, Log, Prompter } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import type { Settings } from '#protocol/settings';
import { noIntelligence } from './no-intelligence';

/** What of the world a run without an editor is told. */
export interface NodeHostOptions {
  readonly settings: Settings;
  /** Where database, blobs and caches go. */
  readonly storage: string;
  readonly trusted: boolean;
  readonly prompter: Prompter;
  readonly log: Log;
  /** Secrets by name; held in memory, never written. */
  readonly secrets?: ReadonlyMap<string, string>;
}

/** The ports on plain Node: files on disk, nobody has unsaved text, nothing changes by itself. */
export function nodeHost(options: NodeHostOptions): Host {
  const secrets = [...(options.secrets?.values() ?? [])].sort((a, b) => b.length - a.length);
  return {
    files: diskFiles(),
    documents: { dirtyText: () => undefined, dirtyPaths: () => [] },
    encodings: plainEncodings(),
    intelligence: noIntelligence,
    prompter: options.prompter,
    secrets: { values: () => secrets },
    settings: { current: () => options.settings },
    trust: { isTrusted: () => options.trusted },
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    random: { id: newId },
    environment: environment(options.storage),
    log: options.log,
  };
}

/** Denies everything: a headless run has nobody to ask. The words let the model go on without. */
export const denyingPrompter: Prompter = {
  ask: async (_request, signal) => {
    signal.throwIfAborted();
    const feedback = 'Nobody is here to answer. Go on without it, or say what it is needed for.';
    return { answer: { answer: 'deny-once', feedback }, by: 'nobody' };
  },
};

/** To stderr, since stdout belongs to the result; debug and info only when BELAY_LOG is set. */
export function stderrLog(variables: NodeJS.ProcessEnv = process.env): Log {
  const line = (level: string) => (message: string) =>
    void process.stderr.write(`belay ${level}: ${message}\n`);
  const quiet = () => undefined;
  const chatty = variables['BELAY_LOG'] !== undefined;
  return {
    debug: chatty ? line('debug') : quiet,
    info: chatty ? line('info') : quiet,
    warn: line('warning'),
    error: line('error'),
  };
}

function environment(storage: string): Environment {
  return {
    platform: process.platform,
    home: homedir() as AbsolutePath,
    variables: process.env,
    storage: storage as AbsolutePath,
    ripgrep: ripgrepPath() as AbsolutePath,
    shell: process.env['SHELL'] ?? userInfo().shell ?? '/bin/sh',
  };
}

/** In dist/, which this code's chunk lies in a folder of; or where the package put it when the sources run as they are. */
function ripgrepPath(): string {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const bundled = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'bin', name);
  if (existsSync(bundled)) return bundled;
  const { rgPath } = createRequire(import.meta.url)('@vscode/ripgrep') as { readonly rgPath: string };
  return rgPath;
}

/** Sorts by time; the random part, the end of a UUID, has 62 bits. */
function newId(): string {
  return Date.now().toString(36).padStart(9, '0') + randomUUID().replaceAll('-', '').slice(-16);
}
