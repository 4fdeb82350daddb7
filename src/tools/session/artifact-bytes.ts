import { t } from '#base/l10n';
import type { ArtifactId } from '#protocol/ids';
import type { ArtifactReference, DisplayField } from '#protocol/tool-result';
import type { Artifacts } from '#tools/tool';

/** A part of an artifact, for the model and for people; or why there is none. */
export type Shown =
  | {
      readonly content: string;
      readonly fields: readonly DisplayField[];
      readonly artifact: ArtifactReference;
    }
  | { readonly problem: string };

/** Bytes of a page, and of the longest. */
export const PAGE = 50_000;
const LARGEST_PAGE = 100_000;

/** A page that begins at a byte. */
export async function bytesPage(
  {
    id,
    offset = 0,
    maxBytes = PAGE,
  }: { readonly id: string; readonly offset?: number | undefined; readonly maxBytes?: number | undefined },
  artifacts: Pick<Artifacts, 'read'>,
): Promise<Shown | undefined> {
  const page = await artifacts.read(id, offset, Math.min(maxBytes, LARGEST_PAGE));
  if (page === undefined) return undefined;
  const { text, start, bytes, next } = page;
  if (offset > 0 && offset >= bytes)
    return { problem: `offset ${offset} is past the end, at ${bytes} bytes` };
  const range = `${start}–${next ?? bytes}`;
  const goOn = next === undefined ? 'the end' : `go on with offset ${next}`;
  return {
    content: `${text}\n\n(bytes ${range} of ${bytes}; ${goOn})`,
    fields: [{ key: t('bytes'), value: range }],
    artifact: { id: id as ArtifactId, bytes },
  };
}
