import { count } from '#base/text';
import type { ScanChanges } from '#disk/scan-changes';
import type { NotUndoable } from '#protocol/checkpoint';
import type { Left } from './judge';

/** What the end of a command's result says about the looks and about what an undo leaves out. */
export function coverWords(
  { complete, unread }: Pick<ScanChanges, 'complete' | 'unread'>,
  left: readonly Left[],
): string[] {
  return [
    ...(complete ? [] : ['The folder has too many files to see every change that the command made.']),
    ...unreadWords(unread),
    ...leftWords(left),
  ];
}

function unreadWords(unread: readonly string[]): readonly string[] {
  const [first, ...others] = unread;
  if (first === undefined) return [];
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return [`Folders that can't be read now were left out of that: ${JSON.stringify(first || '.')}${more}.`];
}

const REASONS: Readonly<Record<NotUndoable, string>> = {
  meanwhile: 'changed while others were at work too',
  ignored: 'ignored by git',
  build: 'of build output',
  'too-large': 'larger than 5 MB',
  budget: 'beyond what is kept before a command',
  'too-many': 'beyond the first 10,000 changes',
  special: 'of no regular kind or no valid name',
  own: "Belay's own settings",
  lost: 'whose earlier content could not be had',
  moved: 'moved here from a place that is not looked at',
};

/** By reason, so that thousands of files are one sentence. */
function leftWords(left: readonly Left[]): readonly string[] {
  if (left.length === 0) return [];
  const byReason = new Map<NotUndoable, number>();
  for (const { why } of left) byReason.set(why, (byReason.get(why) ?? 0) + 1);
  const parts = [...byReason].map(([why, files]) =>
    why === 'build' ? count(files, 'build folder') : `${count(files, 'file')} ${REASONS[why]}`,
  );
  return [`An undo will not take back: ${parts.join('; ')}.`];
}
