/** How many of the first `limit` bytes are whole characters. */
export function wholeCharacters(bytes: Buffer, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  let cut = limit;
  while (cut > 0 && isInside(bytes[cut])) cut--;
  return cut;
}

/** The first character that begins there or behind. */
export function nextCharacter(bytes: Buffer, at: number): number {
  let next = at;
  while (next < bytes.length && isInside(bytes[next])) next++;
  return next;
}

function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
