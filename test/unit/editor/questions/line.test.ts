import { expect, test } from 'vitest';
import { QuestionLine } from '#editor/questions/line';

function asked(from: string, log: string[] = []) {
  return {
    from,
    sentence: `${from} asks`,
    open: async () => void log.push(`open ${from}`),
    refuse: () => void log.push(`refuse ${from}`),
  };
}

test('questions wait in the order in which they came, and none opens by itself', () => {
  const line = new QuestionLine();
  const log: string[] = [];
  line.add(asked('one', log));
  line.add(asked('two', log));
  expect([line.waiting().map(({ from }) => from), log]).toEqual([['one', 'two'], []]);
});

test('one that is open keeps the others from opening, and they open afterwards', async () => {
  const line = new QuestionLine();
  const log: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  line.add({ ...asked('one'), open: () => promise });
  line.add(asked('two', log));
  const [one, two] = line.waiting().map(({ id }) => id);
  const first = line.open(one ?? 0);
  const meanwhile = await line.open(two ?? 0);
  resolve();
  expect([meanwhile, await first, await line.open(two ?? 0), log]).toEqual([
    'busy',
    'done',
    'done',
    ['open two'],
  ]);
});

test('a question that was withdrawn neither opens nor is refused', async () => {
  const line = new QuestionLine();
  const log: string[] = [];
  const waiting = line.add(asked('one', log));
  const id = line.waiting()[0]?.id ?? 0;
  waiting.dispose();
  expect([await line.open(id), line.refuse(id), log]).toEqual(['gone', 'gone', []]);
});

test('a server that asks without a pause gets no room beyond five, and leaves others theirs', () => {
  const line = new QuestionLine();
  for (let n = 0; n < 5; n++) line.add(asked('flood'));
  expect([line.hasRoomFor('flood'), line.hasRoomFor('other')]).toEqual([false, true]);
});

test('a box that fails frees the line', async () => {
  const line = new QuestionLine();
  line.add({ ...asked('one'), open: () => Promise.reject(new Error('no box')) });
  line.add(asked('two'));
  const [one, two] = line.waiting().map(({ id }) => id);
  await expect(line.open(one ?? 0)).rejects.toThrow('no box');
  expect(await line.open(two ?? 0)).toBe('done');
});

test('what the person’s own click brought about opens by itself, and only while they wait for it', () => {
  const line = new QuestionLine();
  const log: string[] = [];
  const attended = line.attend('one');
  line.add(asked('one', log));
  line.add(asked('other', log));
  attended.dispose();
  line.add(asked('one', log));
  expect([log, line.waiting().map((question) => question.attended)]).toEqual([
    ['open one'],
    [true, false, false],
  ]);
});

test('what is attended to doesn’t push aside a box that is open', async () => {
  const line = new QuestionLine();
  const log: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  line.add({ ...asked('first'), open: () => promise });
  const first = line.open(line.waiting()[0]?.id ?? 0);
  line.attend('one');
  line.add(asked('one', log));
  resolve();
  await first;
  expect(log).toEqual([]);
});
