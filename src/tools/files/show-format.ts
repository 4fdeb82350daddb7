import { t } from '#base/l10n';
import type { ToolResult } from '#protocol/tool-result';
import { showPath } from '#tools/paths';
import type { ToolContext } from '#tools/tool';
import type { Binary } from './binary';
import { showImage } from './show-image';
import { showPdf } from './show-pdf';

/** Shows what can be shown of a file that is no text, and names the rest instead of dumping it. */
export async function showFormat(binary: Binary, context: ToolContext): Promise<ToolResult> {
  const { place, part, what } = binary;
  const shown = (await showImage(place, part, context)) ?? (await showPdf(binary, context));
  if (shown) return shown;
  const size = `${part.size.toLocaleString('en')} bytes`;
  return {
    version: 1,
    status: 'success',
    content: `${showPath(place.relative)} is ${what} (${size}), which can't be shown. A command may tell more of it.`,
    display: { kind: 'text', title: place.relative, fields: [{ key: t('size'), value: size }], body: what },
  };
}
