import type { FileOperation } from '#protocol/tool-result';
import { t } from '#webview/text/words';

const LETTERS: Readonly<Record<FileOperation, readonly [letter: string, words: () => string]>> = {
  create: ['A', () => t('Added')],
  modify: ['M', () => t('Modified')],
  delete: ['D', () => t('Deleted')],
  rename: ['R', () => t('Renamed')],
};

/** What became of a file, as the editor's own trees show it: a letter to see, a word to hear. */
export function Letter({ operation }: { readonly operation: FileOperation }) {
  const [letter, words] = LETTERS[operation];
  return (
    <span class={`letter is-${operation}`}>
      <span class="sr-only">{words()}</span>
      <span aria-hidden="true">{letter}</span>
    </span>
  );
}
