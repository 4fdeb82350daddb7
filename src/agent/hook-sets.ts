import { t } from '#base/l10n';
import type { HookSet } from '#gates/hooks/hook';
import { readHooks } from '#gates/hooks/read-hooks';
import { hooksForbidden } from '#gates/settings-files/forbids';
import type { SettingsOrigin } from '#gates/settings-files/settings-file';
import type { Core } from './core';

/**
 * The hooks that count now, strong to weak: policy, user, project. In a folder that isn't trusted nothing runs, whoever configured it;
 * a file's hooks count only where the file does; a policy may leave only its own.
 */
export function hookSets({ host, settingsFiles }: Pick<Core, 'host' | 'settingsFiles'>): readonly HookSet[] {
  if (!host.trust.isTrusted()) return [];
  const files = settingsFiles.current();
  const setsOf = (origin: SettingsOrigin) =>
    files.flatMap((file) => (file.counts && file.origin === origin ? [cached(file.hooks, file.name)] : []));
  const policy = setsOf('policy');
  // A guard, so it holds whoever may have written that file.
  if (hooksForbidden(files)) return policy;
  const own = cached(host.settings.current().hooks, t('user settings'));
  return [...policy, own, ...setsOf('user'), ...setsOf('project')];
}

/** Settings are asked for on every call and stay the same object for long. */
function cached(hooks: unknown, source: string): HookSet {
  if (typeof hooks !== 'object' || hooks === null) return readHooks(hooks, source);
  const known = read.get(hooks);
  if (known?.source === source) return known.set;
  const set = readHooks(hooks, source);
  read.set(hooks, { source, set });
  return set;
}
const read = new WeakMap<object, { readonly source: string; readonly set: HookSet }>();
