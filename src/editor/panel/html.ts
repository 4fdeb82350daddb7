import * as vscode from 'vscode';
import type { Words } from '#base/l10n';

/** The panel's page: its words are data of its root element; no inline script or style, nothing from the network, resources from dist/ alone. */
export function panelHtml(
  webview: vscode.Webview,
  {
    extensionUri,
    nonce,
    kept,
    words,
    inTab,
  }: { extensionUri: vscode.Uri; nonce: string; kept: string; words: Words | undefined; inTab: boolean },
): string {
  const resource = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', name)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  const translated = words ? ` data-words="${attribute(JSON.stringify(words))}"` : '';
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${resource('webview.css')}">
<title>Belay</title>
</head>
<body>
<div id="root"${inTab ? ' class="in-tab"' : ''} data-kept="${attribute(kept)}"${translated}></div>
<script nonce="${nonce}" src="${resource('webview.js')}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
