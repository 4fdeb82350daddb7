import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';

/** Whoever answers there learns nothing but that a well-known schema is in use. */
const WELL_KNOWN = /^https:\/\/(json\.schemastore\.org|www\.schemastore\.org|json-schema\.org)\/[\w./-]*$/;

/**
 * What is unusual about a text that names a schema on the network which the text before didn't name: editors fetch it by themselves, so its
 * address carries out whatever was written into it.
 */
export function schemaConcerns(before: string | undefined, after: string): readonly string[] {
  const known = new Set(addresses(before ?? ''));
  const added = addresses(after).find((address) => !known.has(address) && !WELL_KNOWN.test(address));
  if (added === undefined) return [];
  return [t('the editor will fetch {0} by itself', truncate(revealInvisible(added), 200))];
}

/** `"$schema": "https://…"`, and the comment that YAML has for it. Letters may be written as JSON's escapes. */
function addresses(text: string): readonly string[] {
  if (!/schema|\\u00/i.test(text)) return [];
  const plain = text
    .replaceAll(/\\u00([0-7][0-9a-f])/gi, (_whole, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll('\\/', '/');
  return [...plain.matchAll(/\$schema["']?\s*[:=]\s*["']?([a-z][a-z0-9+.-]*:\/\/[^\s"'<>]*)/gi)].flatMap(
    ([, address]) => (address === undefined || address.toLowerCase().startsWith('file:') ? [] : [address]),
  );
}
