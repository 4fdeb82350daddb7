import type { SessionState } from '#agent/session-state';
import type { TurnId } from '#protocol/ids';
import type { Touch } from '#protocol/tool-call';

/** What a call touches may have rules files of its own, and a change may be one of theirs. */
export function noteTouches(
  { rulesFiles }: Pick<SessionState, 'rulesFiles'>,
  touches: readonly Touch[],
): void {
  for (const touch of touches) {
    if (touch.kind === 'read' || touch.kind === 'write') rulesFiles.touch([touch.path]);
    if (touch.kind === 'execute') rulesFiles.touch([touch.cwd]);
    if (touch.kind !== 'read') rulesFiles.expire();
  }
}

/** Looks for rules files where there may be other ones, and records which the next request tells of. */
export async function refreshRulesFiles(
  { rulesFiles, log }: Pick<SessionState, 'rulesFiles' | 'log'>,
  turnId: TurnId,
): Promise<void> {
  const files = await rulesFiles.refresh();
  if (files) await log.record({ type: 'rules.loaded', turnId, files });
}
