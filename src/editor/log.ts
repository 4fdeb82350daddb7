import type * as vscode from 'vscode';

/** Belay's output channel. What the editor's side writes may carry words of a model, a provider or a file too. */
export interface EditorLog extends vscode.LogOutputChannel {
  /** From now on what is written goes through this: there is nothing to take out before there is a core. */
  redactWith(redact: (text: string) => string): void;
  /** For words that are shown as well as written. */
  redacted(text: string): string;
}

const WRITES: ReadonlySet<string | symbol> = new Set([
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'append',
  'appendLine',
  'replace',
]);

/** A channel that no secret gets into once it knows them. */
export function redactedChannel(channel: vscode.LogOutputChannel): EditorLog {
  let redact = (text: string) => text;
  const redactWith = (way: typeof redact) => {
    redact = way;
  };
  return new Proxy(channel, {
    get(target, name) {
      if (name === 'redactWith') return redactWith;
      if (name === 'redacted') return (text: string) => redact(text);
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (!WRITES.has(name)) return member.bind(target);
      return (first: unknown, ...more: readonly unknown[]) =>
        member.call(target, ...[first, ...more].map((part) => redact(wordsOf(part))));
    },
  }) as EditorLog;
}

function wordsOf(part: unknown): string {
  return part instanceof Error ? (part.stack ?? part.message) : String(part);
}
