// Two views that show a line each: the least that a webview view can be.
const vscode = require('vscode');

/** @param {import('vscode').ExtensionContext} context */
exports.activate = (context) => {
  for (const name of ['first', 'second']) {
    const view = `emptyView.${name}`;
    const resolveWebviewView = (/** @type {import('vscode').WebviewView} */ { webview }) => {
      webview.html = `<!doctype html><p data-testid="${view}">Nothing</p>`;
    };
    context.subscriptions.push(
      vscode.commands.registerCommand(`${view}.open`, () => vscode.commands.executeCommand(`${view}.focus`)),
      vscode.window.registerWebviewViewProvider(view, { resolveWebviewView }),
    );
  }
};
