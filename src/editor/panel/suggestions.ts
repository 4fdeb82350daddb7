import path from 'node:path';
import { t } from '#base/l10n';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';

const MOST = 3;
/** Larger manifests are not looked into for a hint. */
const LARGEST_MANIFEST = 200_000;

/** What one could ask in this folder, by what lies at its top. Each is something that the offline demo model understands too. */
export async function suggestionsFor(
  files: Files,
  folder: AbsolutePath,
  trusted: boolean,
): Promise<readonly string[]> {
  const entries = await files.list(folder).catch(() => []);
  const names = entries.filter(({ kind }) => kind === 'file').map(({ name }) => name);
  const readme = names.find((name) => /^readme(\.\w+)?$/i.test(name));
  const tested = trusted && names.includes('package.json') && (await hasTests(files, folder));
  const first = names.filter((name) => name !== readme && !name.startsWith('.')).sort()[0];
  return [
    ...(tested ? [t('Fix the failing test')] : []),
    ...(readme ? [t('Read {0}', readme)] : []),
    ...(first && !readme ? [t('Read {0}', first)] : []),
    t('Search TODO'),
  ].slice(0, MOST);
}

async function hasTests(files: Files, folder: AbsolutePath): Promise<boolean> {
  const manifest = path.join(folder, 'package.json') as AbsolutePath;
  const read = await files.read(manifest, { maxBytes: LARGEST_MANIFEST });
  return read.ok && /"test"\s*:/.test(new TextDecoder().decode(read.value.bytes));
}
