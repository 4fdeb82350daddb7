// A model that asks for README.md and then says how many characters it was given: enough for one round trip through vscode.lm.
// A second one sees, and says which images it was given.
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
      ],
      async provideLanguageModelChatResponse(_model, messages, _options, progress) {
        const parts = messages.flatMap((message) => message.content);
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
