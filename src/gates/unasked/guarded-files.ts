import { join } from 'node:path';
import type { Standing } from '#gates/circumstances';
import type { Rule } from '#gates/rules/rule';
import { ruleHits } from '#gates/rules/rule-hits';
import type { CallFacts, PathSubject } from '#gates/rules/subject';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';

/** A folder with more in it isn't looked through. */
const MOST_ENTRIES = 10_000;
/** What lies in them is neither the project's nor the person's own. */
const SKIPPED = new Set(['.git', 'node_modules']);
const FACTS: CallFacts = { tool: 'read_file', risk: 'execute', capabilities: ['filesystem.read'] };

/**
 * Whether a command that reads all that lies in a folder would read a secret, or a file that a rule denies or asks about.
 * Symlinks in it are left alone, as most commands do; for one that `follows` them each may lead to anything, like what is too
 * much to look through.
 */
export async function hasGuardedFiles(
  named: AbsolutePath,
  files: Pick<Files, 'stat' | 'list' | 'realPath'>,
  { standing, follows }: { readonly standing: Standing; readonly follows: boolean },
): Promise<boolean> {
  // What is named on the line is followed by every program.
  const folder = await files.realPath(named);
  if (folder === undefined || (await files.stat(folder))?.kind !== 'folder') return false;
  const rules = guardingRules(standing);
  // The sandbox masks these: they are read by nobody.
  const isHidden = standing.hidden.once();
  let left = MOST_ENTRIES;
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const { name, kind } of await files.list(at)) {
      if (--left < 0) return true;
      const path = join(at, name) as AbsolutePath;
      if (kind === 'folder') {
        if (follows || rules.length > 0 || !SKIPPED.has(name)) waiting.push(path);
      } else if (follows && kind === 'symlink') return true;
      else if (isGuarded(path, rules, standing) && !isHidden(path)) return true;
    }
  }
  return false;
}

/** The rules that may guard a file. */
export function guardingRules({ sources }: Standing): readonly Rule[] {
  return sources.flatMap(({ deny, ask }) => [...deny, ...ask]).filter(speaksOfPaths);
}

function speaksOfPaths({ target }: Rule): boolean {
  return target.kind !== 'command' && target.kind !== 'host' && target.kind !== 'risk';
}

/** Whether a file is likely a secret, or one of these rules denies or asks about it. */
export function isGuarded(
  path: AbsolutePath,
  rules: readonly Rule[],
  { builtIns, place }: Standing,
): boolean {
  if (builtIns.secret(path) !== undefined) return true;
  const subject: PathSubject = {
    kind: 'path',
    access: 'read',
    certain: true,
    path,
    places: [path],
    folder: false,
    via: 'command',
  };
  return rules.some((rule) => ruleHits(rule, subject, { facts: FACTS, place, strictness: 'guard' }));
}
