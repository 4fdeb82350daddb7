import { revealInvisible, truncate } from '#base/text';

/** A server's name as the last part of a document's path, whatever it is: tabs show it. */
export function fileName(name: string): string {
  return (
    truncate(revealInvisible(name), 80)
      .replaceAll(/[/\\\s]+/g, ' ')
      .trim() || 'server'
  );
}
