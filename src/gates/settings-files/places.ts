import { posix, win32 } from 'node:path';
import type { Environment } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import type { SettingsFile } from './settings-file';

/** Where a settings file would be. */
export interface SettingsPlace extends Pick<SettingsFile, 'name' | 'path' | 'origin' | 'dialect'> {
  /** Where `/` at the start of a path leads. */
  readonly folder: AbsolutePath;
}

/** Which files of a project one question is about; they are accepted together. */
export type FileSet = 'belay' | 'claude';

/** All places that are looked at now, strong to weak. A folder that isn't trusted has none. */
export function settingsPlaces(
  { platform, home }: Pick<Environment, 'platform' | 'home'>,
  root: AbsolutePath,
  wanted: { readonly trusted: boolean; readonly claude: boolean },
): readonly SettingsPlace[] {
  const { join } = platform === 'win32' ? win32 : posix;
  const project = (dialect: FileSet, name: string): SettingsPlace => {
    const path = join(root, name) as AbsolutePath;
    return { name, path, origin: 'project', dialect, folder: root };
  };
  const policy = { name: policyPath(platform), path: policyPath(platform), origin: 'policy' as const };
  const ofUser = join(home, '.claude', 'settings.json') as AbsolutePath;
  const user: SettingsPlace = {
    name: '~/.claude/settings.json',
    path: ofUser,
    origin: 'user',
    dialect: 'claude',
    folder: join(home, '.claude') as AbsolutePath,
  };
  const places: SettingsPlace[] = [{ ...policy, dialect: 'belay', folder: root }];
  if (wanted.claude) places.push(user);
  if (!wanted.trusted) return places;
  places.push(project('belay', '.belay/settings.local.json'), project('belay', '.belay/settings.json'));
  if (wanted.claude)
    places.push(project('claude', '.claude/settings.local.json'), project('claude', '.claude/settings.json'));
  // Where the home folder itself is open, its file is the user's and not the project's.
  return places.filter(({ origin, path }) => origin !== 'project' || !wanted.claude || path !== ofUser);
}

/** Where only an administrator can write. Spelt out: variables like %ProgramFiles% are the user's to set. */
export function policyPath(platform: NodeJS.Platform): AbsolutePath {
  if (platform === 'win32') return 'C:\\Program Files\\Belay\\policy.json' as AbsolutePath;
  if (platform === 'darwin') return '/Library/Application Support/Belay/policy.json' as AbsolutePath;
  return '/etc/belay/policy.json' as AbsolutePath;
}
