import { expect, test } from 'vitest';
import {
  breakdown,
  cachesQuestion,
  clearQuestion,
  deleteQuestion,
  prunedWords,
  sessionWords,
  setAsideQuestion,
  sizeWords,
  storageTitle,
} from '#editor/storage-text';

const DAY = 24 * 60 * 60 * 1000;
const SESSION = { title: 'Fix it', folder: '/work/app', at: 0, bytes: 2_500_000 };
const SIZES = {
  ...{ checkpoints: 10 * 1024 * 1024, outputs: 1024, database: 2 * 1024 * 1024, caches: 1024 ** 3 },
  setAside: { files: 2, bytes: 1024 },
};

test('sizes are said as file managers say them', () => {
  expect(
    [0, -1, 999, 1000, 1536, 102_400, 10 * 1024 * 1024, 1023 * 1024, 1.5 * 1024 ** 3, 5e15].map(sizeWords),
  ).toEqual(['0 B', '0 B', '999 B', '1 KB', '1.5 KB', '100 KB', '10 MB', '1 MB', '1.5 GB', '4,547 TB']);
});

test('the head says how much in all and what it is made of, also while caches are being counted', () => {
  expect([storageTitle(SIZES), breakdown(SIZES), breakdown({ ...SIZES, caches: undefined })]).toEqual([
    'Belay keeps 1 GB on this machine',
    'for undo 10 MB · database 2 MB (long outputs 1 KB) · command caches 1 GB',
    'for undo 10 MB · database 2 MB (long outputs 1 KB) · command caches …',
  ]);
});

test('a session’s row has its size, its folder, when it was used, and whether it is in use', () => {
  expect([
    sessionWords(SESSION, 3 * DAY),
    sessionWords({ ...SESSION, folder: 'C:\\work\\app\\' }, DAY),
    sessionWords({ ...SESSION, folder: '/', busy: 'x' }, -DAY),
  ]).toEqual(['2.4 MB · app · 3 days ago', '2.4 MB · app · yesterday', '2.4 MB · / · today · in use']);
});

test('every question names what is lost and what stays', () => {
  const questions = [
    clearQuestion(SESSION, 2048),
    deleteQuestion(SESSION),
    cachesQuestion(2048),
    setAsideQuestion(SIZES.setAside),
  ];
  expect(questions.map(({ message, detail, button }) => [message, detail, button])).toEqual([
    [
      'Clear the checkpoints of “Fix it”?',
      'Its turns can’t be undone any more, and their diffs can’t be shown: 2 KB of earlier contents are deleted for good. The conversation and your files stay.',
      'Clear Checkpoints',
    ],
    [
      'Delete the session “Fix it”?',
      'Its conversation, checkpoints and long outputs are deleted for good: 2.4 MB of /work/app. Your files, other sessions and forks stay.',
      'Delete Session',
    ],
    [
      'Clear the caches of commands?',
      'What package managers and build tools have downloaded and built inside Belay’s sandbox is deleted: 2 KB. They fetch it again, which needs the network and time.',
      'Clear Caches',
    ],
    [
      'Delete the damaged databases that were set aside?',
      '2 files, 1 KB. The sessions in them, which perhaps could still be saved, are lost for good. Present sessions stay.',
      'Delete',
    ],
  ]);
});

test('what pruning came to is one line', () => {
  const report = { status: 'done', turns: 0, blobs: 0, bytes: 0 } as const;
  expect([
    prunedWords(report),
    prunedWords({ ...report, turns: 3, blobs: 9, bytes: 4096 }),
    prunedWords({ ...report, status: 'stopped', why: 'A turn is running.' }),
  ]).toEqual([
    'Nothing is old or large enough to be removed',
    '4 KB freed; 3 old turns can’t be undone any more',
    'Not pruned: A turn is running.',
  ]);
});
