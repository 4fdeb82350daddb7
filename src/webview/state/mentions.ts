import type { Mention } from '#protocol/message';

/** By which one attachment is told from the others of a message. */
export function mentionKey(mention: Mention): string {
  return mention.kind === 'file' ? `file:${mention.path}` : `resource:${mention.uri}`;
}

/** Each once. */
export function withMention(mentions: readonly Mention[], added: Mention): readonly Mention[] {
  const key = mentionKey(added);
  return mentions.some((mention) => mentionKey(mention) === key) ? mentions : [...mentions, added];
}
