import { truncate } from '#base/text';

/**
 * Text as a notification shall show it. The editor renders `[words](address)` in a message as a link, and a `command:` address runs a
 * command: nothing that a model, a file's name or a prompt says may become one.
 */
export function plainText(text: string): string {
  return text.replaceAll('](', ']\\u{28}');
}

/** A prompt as one line of a list, at most 80 characters. */
export function oneLine(prompt: string): string {
  return truncate(prompt.replaceAll(/\s+/g, ' '), 80);
}
