// A model that asks for README.md and then says how many characters it was given: enough for one round trip through vscode.lm.
// A second one sees, and says which images it was given. A third makes the calls that the prompt tells it, one after the other.
const vscode = require('vscode');

/** @param {import('vscode').ExtensionContext} context */
exports.activate = (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('belay-test', {
      provideLanguageModelChatInformation: () => [
        {
          id: 'reader',
          name: 'Reader',
          family: 'reader',
          version: '1',
          maxInputTokens: 100000,
          maxOutputTokens: 1000,
          capabilities: { toolCalling: true },
        },
        {
          id: 'viewer',
          name: 'Viewer',
          family: 'viewer',
          version: '1',
          maxInputTokens: 100000,
          maxOutputTokens: 1000,
          capabilities: { toolCalling: true, imageInput: true },
        },
        {
          id: 'caller',
          name: 'Caller',
          family: 'caller',
          version: '1',
          maxInputTokens: 100000,
          maxOutputTokens: 1000,
          capabilities: { toolCalling: true },
        },
      ],
      async provideLanguageModelChatResponse(model, messages, _options, progress) {
        const parts = messages.flatMap((message) => message.content);
        if (model.id === 'caller') return progress.report(nextOf(parts));
        const result = parts.find((part) => part instanceof vscode.LanguageModelToolResultPart);
        if (!result) {
          progress.report(new vscode.LanguageModelTextPart('I read it first. '));
          progress.report(new vscode.LanguageModelToolCallPart('call-1', 'read_file', { path: 'README.md' }));
          return;
        }
        const resultParts = /** @type {{ value?: string }[]} */ (result.content);
        const text = resultParts.map((part) => part.value ?? '').join('');
        const images = result.content.filter((part) => part instanceof vscode.LanguageModelDataPart);
        const seen = images.map(({ mimeType, data }) => `${mimeType} of ${data.byteLength} bytes`).join(', ');
        if (seen) progress.report(new vscode.LanguageModelTextPart(`${seen}: `));
        progress.report(new vscode.LanguageModelTextPart(`README.md came as ${text.length} characters.`));
      },
      provideTokenCount: async (_model, text) => String(text).length,
    }),
  );
};

/** The call of the prompt's next line `call NAME JSON`, or that all are made.
 * @param {readonly unknown[]} parts */
function nextOf(parts) {
  const isText = (/** @type {unknown} */ part) => part instanceof vscode.LanguageModelTextPart;
  const text = parts
    .map((part) => (isText(part) ? /** @type {{ value: string }} */ (part).value : ''))
    .join('\n');
  const made = parts.filter((part) => part instanceof vscode.LanguageModelToolResultPart).length;
  const line = [...text.matchAll(/^call (\S+) (\{.*\})$/gm)][made];
  if (!line) return new vscode.LanguageModelTextPart('all made');
  return new vscode.LanguageModelToolCallPart(`call-${made}`, line[1] ?? '', JSON.parse(line[2] ?? '{}'));
}
