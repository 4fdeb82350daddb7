import { lineWords } from '#webview/text/line-words';

/** Lines added and removed: sign and colour together. */
export function Counts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span class="counts">
      <span class="sr-only">{lineWords(added, removed)}</span>
      <span aria-hidden="true">
        {(added > 0 || removed === 0) && <span class="added">+{added}</span>}
        {added > 0 && removed > 0 && ' '}
        {removed > 0 && <span class="removed">−{removed}</span>}
      </span>
    </span>
  );
}
