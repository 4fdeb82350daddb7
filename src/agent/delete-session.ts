import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { SessionId } from '#protocol/ids';
import type { Core } from './core';
import type { Sessions } from './sessions';

type Open = Pick<Sessions, 'isRunning' | 'letGo'>;

/** Why a session can't be touched as a whole now, for people: it runs, or another window has it. */
export function whyBusy({ store, owner }: Core, open: Open, id: SessionId): string | undefined {
  if (open.isRunning(id)) return t('A turn is running in this session. Stop it first.');
  const holder = store.leases.holder(id, owner.host);
  return holder && holder.owner.id !== owner.id ? heldElsewhere() : undefined;
}

/** Takes a session away with all that it has, of whatever folder. Its forks keep theirs, and files stay as they are. */
export async function deleteSession(core: Core, open: Open, id: SessionId): Promise<Result<void, string>> {
  const busy = whyBusy(core, open, id);
  if (busy !== undefined) return fail(busy);
  await open.letGo(id);
  const { store, owner, host } = core;
  // Between the look and now another window may have taken it.
  if (!store.leases.acquire(id, owner, host.clock.now()).ok) return fail(heldElsewhere());
  store.sessions.delete(id);
  core.changed();
  return ok(undefined);
}

function heldElsewhere(): string {
  return t('Another window works in this session. Close it there first.');
}
