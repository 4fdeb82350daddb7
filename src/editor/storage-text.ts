import { counted, t } from '#base/l10n';
import type { Question } from './question';

/** A session as the list of storage shows it. */
export interface ShownSession {
  readonly title: string;
  readonly folder: string;
  readonly at: number;
  readonly bytes: number;
  readonly busy?: string;
}

/** What the list's head is made of. `caches` undefined: still being counted. */
export interface ShownSizes {
  readonly checkpoints: number;
  readonly outputs: number;
  readonly database: number;
  readonly caches: number | undefined;
  readonly setAside: { readonly files: number; readonly bytes: number };
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** As file managers say it: "0 B", "12.3 MB"; 1 KB are 1024 bytes. */
export function sizeWords(bytes: number): string {
  let [value, unit] = [Math.max(0, bytes), 0];
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${UNITS[unit]}`;
}

/** Long outputs lie in the database, so they count once. */
function totalBytes({ checkpoints, database, caches = 0, setAside }: ShownSizes): number {
  return checkpoints + database + caches + setAside.bytes;
}

export function storageTitle(sizes: ShownSizes): string {
  return t('Belay keeps {0} on this machine', sizeWords(totalBytes(sizes)));
}

/** What the total is made of. */
export function breakdown({ checkpoints, outputs, database, caches }: ShownSizes): string {
  return [
    t('for undo {0}', sizeWords(checkpoints)),
    t('database {0} (long outputs {1})', sizeWords(database), sizeWords(outputs)),
    caches === undefined ? t('command caches …') : t('command caches {0}', sizeWords(caches)),
  ].join(' · ');
}

export function sessionWords({ bytes, folder, at, busy }: ShownSession, now: number): string {
  const place = folder.split(/[\\/]/).findLast((part) => part !== '') ?? folder;
  return [sizeWords(bytes), place, agoWords(at, now), ...(busy === undefined ? [] : [t('in use')])].join(
    ' · ',
  );
}

function agoWords(at: number, now: number): string {
  const days = Math.floor((now - at) / (24 * 60 * 60 * 1000));
  if (days <= 0) return t('today');
  return days === 1 ? t('yesterday') : t('{0} days ago', days);
}

export function clearQuestion({ title }: ShownSession, checkpointBytes: number): Question {
  return {
    message: t('Clear the checkpoints of “{0}”?', title),
    detail: t(
      'Its turns can’t be undone any more, and their diffs can’t be shown: {0} of earlier contents are deleted for good. The conversation and your files stay.',
      sizeWords(checkpointBytes),
    ),
    button: t('Clear Checkpoints'),
  };
}

export function deleteQuestion({ title, bytes, folder }: ShownSession): Question {
  return {
    message: t('Delete the session “{0}”?', title),
    detail: t(
      'Its conversation, checkpoints and long outputs are deleted for good: {0} of {1}. Your files, other sessions and forks stay.',
      sizeWords(bytes),
      folder,
    ),
    button: t('Delete Session'),
  };
}

export function cachesQuestion(bytes: number | undefined): Question {
  return {
    message: t('Clear the caches of commands?'),
    detail: t(
      'What package managers and build tools have downloaded and built inside Belay’s sandbox is deleted{0}. They fetch it again, which needs the network and time.',
      bytes === undefined ? '' : `: ${sizeWords(bytes)}`,
    ),
    button: t('Clear Caches'),
  };
}

export function setAsideQuestion({ files, bytes }: ShownSizes['setAside']): Question {
  return {
    message: t('Delete the damaged databases that were set aside?'),
    detail: t(
      '{0}, {1}. The sessions in them, which perhaps could still be saved, are lost for good. Present sessions stay.',
      counted(files, '{0} file', '{0} files'),
      sizeWords(bytes),
    ),
    button: t('Delete'),
  };
}

/** What pruning came to, in one line. */
export function prunedWords(report: {
  readonly status: 'done' | 'stopped';
  readonly why?: string;
  readonly turns: number;
  readonly blobs: number;
  readonly bytes: number;
}): string {
  if (report.status === 'stopped') return t('Not pruned: {0}', report.why ?? '');
  if (report.turns === 0 && report.blobs === 0) return t('Nothing is old or large enough to be removed');
  return t(
    '{0} freed; {1} can’t be undone any more',
    sizeWords(report.bytes),
    counted(report.turns, '{0} old turn', '{0} old turns'),
  );
}
