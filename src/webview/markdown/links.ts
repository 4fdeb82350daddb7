/** Where a link of model text may lead. Everything else is shown as plain text. */
export type LinkTarget =
  | { readonly kind: 'web'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string; readonly line?: number };

const FILE_LINE = /^(?<path>[^\n?#]+?)(?:(?::|#L)(?<line>\d{1,7})(?:[:,-]\S*)?)?$/;

/** Web and mail addresses are opened by the editor after it asked; a relative path is a file of this folder. */
export function linkTarget(href: string): LinkTarget | undefined {
  if (/^https?:\/\/[^\s/]/i.test(href) || /^mailto:[^\s]+@/i.test(href)) return { kind: 'web', url: href };
  const decoded = decode(href);
  const match = FILE_LINE.exec(decoded);
  const path = match?.groups?.['path'] ?? '';
  const line = match?.groups?.['line'];
  const absolute = path.startsWith('/') || path.startsWith('\\') || path.startsWith('~');
  // A colon left in the path is a scheme (javascript:, command:, data:) or a drive.
  if (path === '' || absolute || path.includes(':')) return undefined;
  return {
    kind: 'file',
    path: path.replace(/^\.\//, ''),
    ...(line === undefined ? {} : { line: Math.max(1, Number(line)) }),
  };
}

function decode(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}
