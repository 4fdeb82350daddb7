import type { FileChange } from '#protocol/checkpoint';
import type { Transcript } from '#protocol/transcript';
import type { PanelState } from '#protocol/wire';

/** A file that the bar lists: its lines over all turns, and the first of these turns, whose beginning is its old side. */
export interface ChangedFile {
  readonly path: string;
  readonly turn: number;
  readonly operation: FileChange['operation'];
  readonly added: number;
  readonly removed: number;
}

/** The files of the turns that wait for review, by path. The extension's list decides which; what a turn says about them is added. */
export function changedFiles(transcript: Transcript, changes: PanelState['changes']): readonly ChangedFile[] {
  const found = new Map<string, ChangedFile>();
  for (const { turn, checkpoint } of transcript.turns) {
    if (!checkpoint || !changes.turns.includes(turn)) continue;
    for (const file of checkpoint.files) {
      const known = found.get(file.path);
      found.set(file.path, {
        path: file.path,
        turn: known?.turn ?? turn,
        operation: known?.operation === 'create' && file.operation === 'modify' ? 'create' : file.operation,
        added: (known?.added ?? 0) + file.added,
        removed: (known?.removed ?? 0) + file.removed,
      });
    }
  }
  const unknown = (path: string): ChangedFile => ({
    path,
    turn: changes.turns[0] ?? 1,
    operation: 'modify',
    added: 0,
    removed: 0,
  });
  return changes.paths.map((path) => found.get(path) ?? unknown(path));
}
