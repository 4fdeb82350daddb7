/** Two names that a disk ignoring case and the form of accents takes for one fold to the same text. */
export function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
