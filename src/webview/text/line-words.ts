import { counted, t } from './words';

/** "3 lines added, 1 removed": what the two numbers beside a file say, in words. */
export function lineWords(added: number, removed: number): string {
  if (added === 0 && removed > 0) return counted(removed, '{0} line removed', '{0} lines removed');
  const words = counted(added, '{0} line added', '{0} lines added');
  return removed === 0 ? words : t('{0}, {1} removed', words, removed);
}
