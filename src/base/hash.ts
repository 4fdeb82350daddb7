import { hash } from 'node:crypto';

/** Lower-case hex SHA-256 of bytes or UTF-8 text. */
export function sha256(data: Uint8Array | string): string {
  return hash('sha256', data);
}

/** JSON with sorted keys: two equal values have one text, so they can be hashed and compared. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}
