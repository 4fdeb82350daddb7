import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { Core } from './core';
import { ARTIFACT_SCHEME } from './names';
import { readyCore } from './needs';

/**
 * Long outputs as read-only documents. A tab that the editor brings back after a reload asks anew; what is no longer kept says so.
 */
export class ArtifactDocuments implements vscode.TextDocumentContentProvider {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { session, artifact } = placeOf(uri);
    const { app } = await readyCore(this.#core);
    const content = await app.artifact(session, artifact);
    return content ?? t('This output is no longer kept.');
  }
}

/** Opens one in a tab, for the person who asked for it. Throws when it is no longer kept, in words for people. */
export async function openArtifact(core: Core, sessionId: string, artifactId: string): Promise<void> {
  const { app } = await readyCore(core);
  if ((await app.artifact(sessionId, artifactId)) === undefined)
    throw new Error(t('This output is no longer kept.'));
  await vscode.window.showTextDocument(artifactUri(sessionId, artifactId), { preview: true });
}

/** The tab's name is the path's last part. */
function artifactUri(sessionId: string, artifactId: string): vscode.Uri {
  const path = `/${artifactId.slice(0, 8)}/${t('Output')}.log`;
  return vscode.Uri.from({ scheme: ARTIFACT_SCHEME, path, query: JSON.stringify([sessionId, artifactId]) });
}

function placeOf({ query }: vscode.Uri): { readonly session: string; readonly artifact: string } {
  const [session, artifact]: unknown[] = JSON.parse(query);
  return { session: String(session), artifact: String(artifact) };
}
