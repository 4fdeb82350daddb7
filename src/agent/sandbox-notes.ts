import { relative } from 'node:path';
import { inEnglish } from '#base/l10n';
import type { RunOutcome } from '#commands/command-runner';
import { explainFailure } from '#sandbox/explain-failure';
import { hiddenCause, hiddenNote } from '#sandbox/hidden-cause';
import { replacedNote } from '#sandbox/replaced-files';

/** How a command was held, as far as that may be why it failed. */
export interface Held {
  readonly workspaceRoot: string;
  readonly network: boolean;
  /** No command may write to the workspace, by the setting. */
  readonly workspaceReadOnly: boolean;
  /** Absolute paths that it must not see. */
  readonly masked: readonly string[];
  /** Absolute paths of held files that another program put new ones in the place of meanwhile. */
  readonly replaced: readonly string[];
  /** What the model must not be told of. */
  isHidden(path: string): boolean;
  /** Hosts that it asked for in vain; undefined where it had no way to any. */
  readonly refused: readonly string[] | undefined;
}

/** What the sandbox had to do with how a command ended. `why`: it may be the reason, so a person may let it out once. */
export function sandboxNotes(
  outcome: RunOutcome,
  { workspaceRoot, masked, replaced, isHidden, refused, ...held }: Held,
): { readonly why: string | undefined; readonly notes: readonly string[] } {
  const named = replaced.filter((path) => !isHidden(path)).map((path) => relative(workspaceRoot, path));
  const notes = [
    ...(replaced.length === 0 ? [] : [replacedNote(named, replaced.length)]),
    ...refusedNotes(refused ?? []),
  ];
  if (!failedInside(outcome)) return { why: undefined, notes };
  const unseen = hiddenCause(outcome.output, masked);
  // What is hidden is no reason to leave the sandbox: outside it would be seen.
  if (unseen !== undefined)
    return { why: undefined, notes: [...notes, hiddenNote(relative(workspaceRoot, unseen))] };
  const why = explainFailure({ output: outcome.output, ...held, ...(refused ? { hosts: { refused } } : {}) });
  return { why, notes: why === undefined ? notes : [...notes, failureNote(why)] };
}

function failedInside({ exitCode, sandbox, timedOut, cancelled }: RunOutcome): boolean {
  return sandbox !== 'none' && exitCode !== undefined && exitCode !== 0 && !timedOut && !cancelled;
}

/** Also where the command made do without: what it printed may not tell. */
function refusedNotes(refused: readonly string[]): readonly string[] {
  if (refused.length === 0) return [];
  const hosts = refused.join(', ');
  return [
    `refused by the sandbox's proxy: ${hosts}; the user may add a host to belay.sandbox.allowedHosts, or call again with "network": true, which asks the user`,
  ];
}

/** The model can't ask for it: a person finds the offer on the card when the same command is asked about again. */
function failureNote(why: string): string {
  return `the sandbox may be the reason (${inEnglish(why)}); if the task needs it, say so and call the same command again: the user may then run it once without the sandbox`;
}
