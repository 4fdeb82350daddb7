import type * as vscode from 'vscode';
import { t } from '#base/l10n';
import { assertNever } from '#base/result';
import type { ServedBy } from '#editor/language/served';
import type { OwnServer } from './own-server';

/** Milliseconds within which a server that says nothing of a file may still be reading the project. */
const YOUNG = 30_000;
const ORDER = ['server', 'starting', 'failed', 'nobody'];

/** The best that one of these servers can do for the document; undefined without any. Reasons are words for whoever asked. */
export function servedBy(
  servers: readonly OwnServer[],
  document: vscode.TextDocument,
  isTrusted: boolean,
): ServedBy | undefined {
  const all = servers.map((server) => (isTrusted ? one(server, document) : untrusted(server)));
  return all.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))[0];
}

/** Whether it has been running for so short a time that it may not know its project yet. */
export function isYoung({ since }: Pick<OwnServer, 'since'>): boolean {
  return since === undefined || performance.now() - since < YOUNG;
}

function untrusted({ server }: OwnServer): ServedBy {
  const why = t('the language server “{0}” is not started: this folder is not trusted', server.entry.name);
  return { kind: 'failed', why };
}

function one(own: OwnServer, document: vscode.TextDocument): ServedBy {
  const { state, entry } = own.server;
  switch (state.kind) {
    case 'running':
      return { kind: own.reports.has(document) || !isYoung(own) ? 'server' : 'starting' };
    case 'starting':
    case 'waiting':
      return { kind: 'starting' };
    case 'failed':
      return { kind: 'failed', why: t('the language server “{0}” does not run: {1}', entry.name, state.why) };
    case 'idle':
    case 'stopped':
      return { kind: 'nobody' };
    default:
      return assertNever(state);
  }
}
