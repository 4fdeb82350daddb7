import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { plainEncodings } from '#disk/encodings';
import { diskFiles } from '#disk/files';
import { noIntelligence } from '#headless/no-intelligence';
import type { Environment, Files, Host } from '#host';
import type { TextSettings } from '#host/encodings';
import type { ExtensionTools } from '#host/extension-tools';
import type { Intelligence } from '#host/intelligence';
import type { AnsweredBy, ApprovalAnswer, ApprovalRequest } from '#protocol/approval';
import type { AbsolutePath } from '#protocol/ids';
import { type Settings, settingsSchema } from '#protocol/settings';
import { type MemoryTerminals, memoryTerminals } from './memory-terminals';

/** A working host for tests: real files, everything else in memory and in the test's hands. */
export interface MemoryHost extends Host {
  /** Text that a person has typed and not saved, by absolute path. */
  readonly dirty: Map<string, string>;
  /** Says that a file is being saved from an editor; the bytes are the test's to write. */
  save(path: AbsolutePath): void;
  /** Every approval that was asked, in order. */
  readonly asked: ApprovalRequest[];
  /** Lines of the log, each with its level before it. */
  readonly logged: string[];
  /** Secrets by name. */
  readonly keys: Map<string, string>;
  /** Where background commands are shown. */
  readonly terminals: MemoryTerminals;
  /** Moves both clocks forward, in milliseconds. */
  advance(ms: number): void;
  /** Changes settings. */
  configure(change: Partial<Settings>): void;
}

/** What is in the world of a test. */
export interface MemoryHostOptions {
  readonly files?: Files;
  /** What language servers know; there are none without. */
  readonly intelligence?: Intelligence;
  /** What other extensions offer. */
  readonly extensionTools?: ExtensionTools;
  /** What the editor's settings say of every file. */
  readonly text?: TextSettings;
  readonly settings?: Partial<Settings>;
  /** Used in order; when they run out the prompter denies, as a headless run does. */
  readonly answers?: readonly (ApprovalAnswer['answer'] | ApprovalAnswer)[];
  readonly trusted?: boolean;
  readonly storage?: string;
  readonly variables?: Environment['variables'];
  /** First value of the clock, milliseconds since 1970. */
  readonly now?: number;
}

/** A host whose world is in memory but for real files. */
export function memoryHost(options: MemoryHostOptions = {}): MemoryHost {
  const dirty = new Map<string, string>();
  const watchers = new Set<Set<AbsolutePath>>();
  const keys = new Map<string, string>();
  const logged: string[] = [];
  const asked: ApprovalRequest[] = [];
  const answers = [...(options.answers ?? [])];
  let settings = settingsSchema.parse(options.settings ?? {});
  const trusted = options.trusted ?? true;
  let now = options.now ?? Date.UTC(2026, 0, 1);
  let ids = 0;
  const line = (level: string) => (message: string) => void logged.push(`${level} ${message}`);
  return {
    dirty,
    save(path) {
      for (const watcher of watchers) watcher.add(path);
    },
    keys,
    logged,
    asked,
    terminals: memoryTerminals(),
    ...(options.extensionTools ? { extensionTools: options.extensionTools } : {}),
    files: options.files ?? diskFiles(),
    documents: {
      dirtyText: (path) => dirty.get(path),
      dirtyPaths: () => [...dirty.keys()] as AbsolutePath[],
      watchSaves() {
        const seen = new Set<AbsolutePath>();
        watchers.add(seen);
        return { paths: () => seen, dispose: () => watchers.delete(seen) };
      },
    },
    encodings: plainEncodings(() => options.text ?? {}),
    intelligence: options.intelligence ?? noIntelligence,
    prompter: {
      async ask(request, signal): Promise<{ answer: ApprovalAnswer; by: AnsweredBy }> {
        signal.throwIfAborted();
        asked.push(request);
        const next = answers.shift();
        if (next === undefined) return { answer: { answer: 'deny-once' }, by: 'nobody' };
        return { answer: typeof next === 'string' ? { answer: next } : next, by: 'script' };
      },
    },
    secrets: {
      values: () => [...keys.values()].sort((a, b) => b.length - a.length),
    },
    settings: { current: () => settings },
    trust: { isTrusted: () => trusted },
    clock: { now: () => now, monotonic: () => now },
    random: { id: () => `id${String(++ids).padStart(6, '0')}` },
    environment: {
      platform: process.platform,
      home: homedir() as AbsolutePath,
      variables: options.variables ?? { PATH: process.env['PATH'] },
      storage: (options.storage ?? join(tmpdir(), 'belay-test-storage')) as AbsolutePath,
      ripgrep: rgPath as AbsolutePath,
      shell: '/bin/bash',
    },
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    advance(ms) {
      now += ms;
    },
    configure(change) {
      settings = settingsSchema.parse({ ...settings, ...change });
    },
  };
}
