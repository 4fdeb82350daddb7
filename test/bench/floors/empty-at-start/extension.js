// The least that an extension with a command can be.
const vscode = require('vscode');

/** @param {import('vscode').ExtensionContext} context */
exports.activate = (context) => {
  context.subscriptions.push(vscode.commands.registerCommand('emptyAtStart.activate', () => undefined));
};
