import * as vscode from 'vscode';
import type { Answer, FilePlace } from '#host/language/answer';
import { type Asking, ask } from './ask';
import { toPosition } from './convert';

/** What servers say of the thing at a place, in Markdown. */
export async function askHover(
  at: FilePlace,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answer<readonly string[]>> {
  const position = toPosition(at.position);
  const found = await ask<readonly vscode.Hover[]>(
    at,
    {
      what: 'hover',
      needsProject: true,
      put: ({ uri }) => vscode.commands.executeCommand('vscode.executeHoverProvider', uri, position),
      nothing: [],
      isEmpty: (hovers) => hovers.flatMap(textsOf).length === 0,
    },
    signal,
    asking,
  );
  return found.kind === 'known' ? { kind: 'known', value: found.value.flatMap(textsOf) } : found;
}

function textsOf({ contents }: vscode.Hover): readonly string[] {
  return contents.map(textOf).filter((text) => text.trim() !== '');
}

function textOf(content: vscode.MarkdownString | vscode.MarkedString): string {
  if (typeof content === 'string') return content;
  return 'language' in content ? `\`\`\`${content.language}\n${content.value}\n\`\`\`` : content.value;
}
