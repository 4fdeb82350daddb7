import { t } from './words';

/** What something took: milliseconds under a second, then seconds, then minutes. */
export function duration(ms: number): string {
  if (ms < 1000) return t('{0} ms', ms < 1 && ms > 0 ? 1 : Math.round(ms));
  if (ms < 9950) return t('{0} s', (ms / 1000).toFixed(1));
  return elapsed(ms);
}

/** What something takes so far, in whole seconds and minutes. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? t('{0} s', seconds) : t('{0} min', Math.floor(seconds / 60));
}

/** A stage of the gates is often under a millisecond: one digit after the point then. */
export function fineDuration(ms: number): string {
  return ms < 1 ? t('{0} ms', ms.toFixed(1)) : duration(ms);
}

/** "just now", "5 min", "3 h", "2 d": how long ago, for lists. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return t('just now');
  if (minutes < 60) return t('{0} min', minutes);
  return minutes < 24 * 60 ? t('{0} h', Math.floor(minutes / 60)) : t('{0} d', Math.floor(minutes / 24 / 60));
}

/** Bytes as people read them. */
export function size(bytes: number): string {
  if (bytes < 1024) return t('{0} B', bytes);
  return bytes < 1024 * 1024
    ? t('{0} KB', Math.round(bytes / 1024))
    : t('{0} MB', (bytes / 1024 / 1024).toFixed(1));
}
