import { t } from '#base/l10n';
import type { Conflict } from '#protocol/checkpoint';
import type { Sha256 } from '#protocol/ids';
import { CONTENT_LIMIT } from './look';
import { absolutePath } from './paths';
import type { FileStep } from './preflight';
import type { World } from './world';

/** The way back needs what stands there now, be it Belay's own or a person's that is overwritten at their word. The blobs are written, and still to be waited for. */
export async function keepPresent(
  world: World,
  files: readonly FileStep[],
): Promise<{ readonly kept: readonly Sha256[] } | Conflict> {
  const kept: Sha256[] = [];
  for (const { path, from } of files) {
    if (from.kind !== 'file') continue;
    const held = world.held?.get(from.sha256);
    if (held) {
      await world.blobs.write(held);
      kept.push(held.sha256);
      continue;
    }
    const read = await world.files.read(absolutePath(world.folder, path), { maxBytes: CONTENT_LIMIT });
    if (!read.ok) return { path, why: read.error.message };
    if (read.value.sha256 !== from.sha256)
      return { path, why: t('it changed while the undo was being prepared: try again') };
    await world.blobs.write(read.value);
    kept.push(read.value.sha256);
  }
  return { kept };
}
