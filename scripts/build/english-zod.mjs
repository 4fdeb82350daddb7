import path from 'node:path';

/**
 * Leaves zod's error texts in English alone: `import { z }` would bring fifty languages, more than half of zod's size and loading
 * time. What people read is translated by base/l10n; zod's texts are for the model and the log.
 * @type {import('esbuild').Plugin}
 */
export const englishZod = {
  name: 'english-zod',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path: file }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: path.dirname(file),
    }));
  },
};
