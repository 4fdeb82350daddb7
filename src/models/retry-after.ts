/**
 * Milliseconds the provider asks to wait, or undefined. Reads `retry-after-ms`, `retry-after` (seconds or a date, taken relative
 * to the answer's own `date`, so that a wrong clock here doesn't matter) and Google's `retryDelay` in the body.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string | undefined>> | undefined,
  body = '',
): number | undefined {
  const exact = positive(headers?.['retry-after-ms']);
  if (exact !== undefined) return exact;
  const header = headers?.['retry-after']?.trim();
  const seconds = positive(header);
  if (seconds !== undefined) return seconds * 1000;
  if (header) {
    const wait = Date.parse(header) - Date.parse(headers?.['date'] ?? '');
    if (Number.isFinite(wait)) return Math.max(0, wait);
  }
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return delay === undefined ? undefined : Math.ceil(Number(delay) * 1000);
}

function positive(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
