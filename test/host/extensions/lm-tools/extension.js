// Tools of the editor's list, as another extension brings them: one that works, one that only ends when it is cancelled, one that gives a
// part of each kind, one that throws.
const vscode = require('vscode');

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What happened to calls, for the test that asks. */
const calls = { begun: 0, cancelled: 0, inputs: /** @type {unknown[]} */ ([]) };

/** @param {import('vscode').ExtensionContext} context */
exports.activate = (context) => {
  const text = (/** @type {string} */ value) =>
    new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(value)]);
  context.subscriptions.push(
    vscode.lm.registerTool('getWeather', {
      invoke({ input }) {
        calls.inputs.push(input);
        const { city } = /** @type {{ city: string }} */ (input);
        if (city === 'Atlantis') throw new Error('there is no such city');
        return text(`sunny in ${city}`);
      },
    }),
    vscode.lm.registerTool('test-slow', {
      invoke: (_options, token) =>
        new Promise((resolve) => {
          calls.begun += 1;
          token.onCancellationRequested(() => {
            calls.cancelled += 1;
            resolve(text('cancelled'));
          });
        }),
    }),
    vscode.lm.registerTool('test_parts', {
      invoke: () =>
        new vscode.LanguageModelToolResult([
          new vscode.LanguageModelTextPart('first'),
          new vscode.LanguageModelPromptTsxPart({
            node: { type: 1, ctor: 2, children: [{ type: 2, text: 'second', lineBreakBefore: true }] },
          }),
          new vscode.LanguageModelDataPart(Buffer.from(PIXEL, 'base64'), 'image/png'),
          new vscode.LanguageModelDataPart(Buffer.from('{"third":3}'), 'application/json'),
          new vscode.LanguageModelDataPart(new Uint8Array(5), 'application/zip'),
        ]),
    }),
  );
  return calls;
};
