import { join } from 'node:path';
import { canonicalJson, sha256 } from '#base/hash';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import type { AcceptancesTable, Verdict } from '#store/acceptances';
import type { UnderstoodFile } from './assemble';
import type { FileSet } from './places';

/** A set of a project's settings files as they are now, and what the person said of exactly this content. */
export interface ProjectSettings {
  readonly set: FileSet;
  /** Of all files of the set: an answer holds for exactly this. */
  readonly sha256: Sha256;
  /** Undefined: they were never asked. */
  readonly verdict: Verdict | undefined;
  /** The files that are there or were at the last acceptance. */
  readonly files: readonly ProjectFile[];
}

export interface ProjectFile {
  /** ".belay/settings.json" */
  readonly name: string;
  readonly path: AbsolutePath;
  /** As it was accepted last; undefined when it is new. */
  readonly before: string | undefined;
  /** Undefined when it is gone. */
  readonly after: string | undefined;
}

/** What a set of files holds that needs the person's word, or undefined where nothing does: a deny needs none. */
export function projectSettings(
  set: FileSet,
  files: readonly UnderstoodFile[],
  { folder, acceptances }: { readonly folder: AbsolutePath; readonly acceptances: AcceptancesTable },
): ProjectSettings | undefined {
  const own = files.filter(({ place }) => place.origin === 'project' && place.dialect === set);
  if (!own.some(opens)) return undefined;
  const content = contentOf(own);
  const digest = sha256(content) as Sha256;
  return {
    set,
    sha256: digest,
    verdict: acceptances.verdict({ folder, set, sha256: digest }),
    files: changes(own, acceptances.lastAccepted(folder, set), folder),
  };
}

function changes(
  own: readonly UnderstoodFile[],
  accepted: string | undefined,
  folder: AbsolutePath,
): readonly ProjectFile[] {
  const before = JSON.parse(accepted ?? '{}') as Record<string, string>;
  const gone = Object.keys(before).filter((name) => own.every(({ place }) => place.name !== name));
  return [
    ...own.map(({ place: { name, path }, text }) => ({ name, path, before: before[name], after: text })),
    ...gone.map((name) => {
      const path = join(folder, name) as AbsolutePath;
      return { name, path, before: before[name], after: undefined };
    }),
  ];
}

/** The text that is hashed and kept: every file of the set by its name. */
export function contentOf(files: readonly Pick<UnderstoodFile, 'place' | 'text'>[]): string {
  return canonicalJson(
    Object.fromEntries(files.flatMap(({ place, text }) => (text === undefined ? [] : [[place.name, text]]))),
  );
}

/** Allows or runs something. */
function opens({ rules, hooks, isWhole }: UnderstoodFile): boolean {
  return isWhole && (rules.allow.length > 0 || hooks !== undefined);
}
