const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(\.|$)/i;

/**
 * Why a path would mean something else on Windows, as the rest of a sentence; undefined when it doesn't.
 * Elsewhere such names are only refused for files that don't exist yet: a repository may really hold `aux.c`.
 */
export function windowsOddity(input: string, onWindows = false): string | undefined {
  if (/^[\\/]{2}[?.][\\/]/.test(input)) return 'is a Windows device path';
  if (/^\\\\|^\/\/[^/]/.test(input)) return 'is a network path';
  if (/^[a-z]:([^\\/]|$)/i.test(input)) return 'is relative to the current folder of a Windows drive';
  if (/^~([\\/]|$)/.test(input)) return 'begins with ~, which is not expanded';
  const parts = input.replace(/^[a-z]:(?=[\\/])/i, '').split(/[\\/]/);
  for (const part of parts) {
    if (DEVICE.test(part)) return 'is named like a Windows device';
    if (part.includes(':')) return 'contains a colon, which names an alternate data stream on Windows';
    if (onWindows && /[^.][. ]$/.test(part))
      return 'has a part that ends in a dot or a space, which Windows drops';
  }
  return undefined;
}
