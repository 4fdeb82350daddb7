import { expect, test } from 'vitest';
import { CONTENT_LIMIT, DISPLAY_LIMIT, type Display } from '#protocol/tool-result';
import { memoryArtifacts } from '#test/support/tool-context';
import { boundDisplay, firstLines } from '#tools/display';
import { boundResult, normalizeResult } from '#tools/result';

test('a string is a success, a valid result is itself', () => {
  expect(normalizeResult('hi')).toEqual({ version: 1, status: 'success', content: 'hi' });
  const result = { version: 1, status: 'error', code: 'timed_out', retryable: false, content: 'x' };
  expect(normalizeResult(result)).toEqual(result);
});

test.each([
  ['status without content', { version: 1, status: 'error' }],
  ['content that is no string', { version: 1, status: 'denied', content: 7 }],
  ['another version', { version: 2, status: 'error', content: 'x' }],
  ['an unheard-of status', { version: 1, status: 'great', content: 'x' }],
])('an object with %s gets no status out of it', (_name, value) => {
  const content = JSON.stringify(value, null, 2);
  expect(normalizeResult(value)).toEqual({
    version: 1,
    status: 'success',
    content,
    display: { kind: 'json', title: '', body: content },
  });
});

test('only recovery may say unknown, and a failure has a code of ours', () => {
  expect(normalizeResult({ version: 1, status: 'unknown', code: 'interrupted', content: 'x' })).toMatchObject(
    { status: 'error', code: 'tool_failed' },
  );
  expect(normalizeResult({ version: 1, status: 'error', code: 'made-up', content: 'x' })).toMatchObject({
    code: 'tool_failed',
    retryable: false,
  });
  expect(normalizeResult({ version: 1, status: 'success', code: 'tool_failed', content: 'x' })).toEqual({
    version: 1,
    status: 'success',
    content: 'x',
  });
});

test('a display that is none is dropped', () => {
  expect(
    normalizeResult({ version: 1, status: 'success', content: 'x', display: { kind: 'html', body: '<b>' } }),
  ).toEqual({
    version: 1,
    status: 'success',
    content: 'x',
  });
});

test('strange values become bounded JSON text', () => {
  const circle: Record<string, unknown> = { a: 1n };
  circle['self'] = circle;
  const shared = { x: 1 };
  const throwing = {
    get version(): number {
      throw new Error('no');
    },
  };
  expect(
    [undefined, null, 42, circle, [shared, shared], () => 1, throwing].map(
      (value) => normalizeResult(value).content,
    ),
  ).toEqual([
    '(no output)',
    '(no output)',
    '42',
    '{\n  "a": "1n",\n  "self": "(circular)"\n}',
    '[\n  {\n    "x": 1\n  },\n  {\n    "x": 1\n  }\n]',
    '"(function)"',
    "(object that can't be shown)",
  ]);
});

test('moves a long content whole into an artifact and keeps head and tail', async () => {
  const artifacts = memoryArtifacts();
  const content = `head${'字'.repeat(20_000)}tail`;
  const bounded = await boundResult({ version: 1, status: 'success', content }, artifacts);
  expect(bounded.artifact).toEqual({ id: 'artifact-1', bytes: Buffer.byteLength(content) });
  expect(bounded.content).toMatch(
    /^head字[\s\S]*characters left out …[\s\S]*字tail\n\n\(\d+ characters left out; read_artifact \{"id": "artifact-1"\} has all of it\)$/,
  );
  expect(Buffer.byteLength(bounded.content)).toBeLessThanOrEqual(CONTENT_LIMIT);
  expect((await artifacts.read('artifact-1', 0, 1e6))?.text).toBe(content);
});

test('leaves short content, and a tool that pages, as they are', async () => {
  const artifacts = memoryArtifacts();
  const short = { version: 1, status: 'success', content: 'x'.repeat(CONTENT_LIMIT) } as const;
  expect(await boundResult(short, artifacts)).toEqual(short);
  const page = { version: 1, status: 'success', content: 'x'.repeat(CONTENT_LIMIT + 1) } as const;
  expect(await boundResult(page, artifacts, { pages: true })).toEqual(page);
  expect(artifacts.any()).toBe(false);
});

test('keeps the artifact that the tool made itself', async () => {
  const artifacts = memoryArtifacts();
  const artifact = { id: 'own' as never, bytes: 9 };
  const bounded = await boundResult(
    { version: 1, status: 'success', content: '字'.repeat(30_000), artifact },
    artifacts,
  );
  expect([bounded.artifact, artifacts.any()]).toEqual([artifact, false]);
});

test('an object is shown to people too, bounded; what is no object says it all in its content', () => {
  const { content, display } = normalizeResult({ rows: 'x'.repeat(100_000) });
  expect(content.length).toBeGreaterThan(100_000);
  expect(display).toMatchObject({
    kind: 'json',
    title: '',
    body: expect.stringMatching(/^\{\n {2}"rows": "x+/),
  });
  expect(display && 'body' in display && display.body.length).toBeLessThanOrEqual(DISPLAY_LIMIT);
  expect([42, null, undefined, true].map((value) => 'display' in normalizeResult(value))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('of a diff of thousands of short lines so many are kept as a panel can draw', () => {
  const hunks = [{ oldStart: 1, newStart: 1, lines: Array.from({ length: 7000 }, () => '+') }];
  const bounded = boundDisplay({
    kind: 'diff',
    title: 'x',
    path: 'x',
    operation: 'modify',
    added: 7000,
    removed: 0,
    hunks,
  });
  expect(bounded).toMatchObject({ added: 7000, hunks: [{ lines: { length: 500 } }] });
});

test('first lines are whole lines, unless the first is too long itself', () => {
  expect([firstLines('ab\ncd', 5), firstLines('ab\ncd\nef', 5), firstLines('abcdef', 4)]).toEqual([
    'ab\ncd',
    'ab\ncd',
    'abc…',
  ]);
});

test('a display can’t flood a panel', () => {
  const long = 'x'.repeat(100_000);
  const hunk = {
    oldStart: 1,
    newStart: 1,
    lines: Array.from({ length: 1000 }, () => `+${'y'.repeat(2000)}`),
  };
  const displays: Display[] = [
    {
      kind: 'text',
      title: long,
      body: long,
      fields: Array.from({ length: 100 }, () => ({ key: long, value: long })),
    },
    { kind: 'command', title: 'x', command: long, body: long },
    {
      kind: 'diff',
      title: 'x',
      path: 'x',
      operation: 'modify',
      added: 1,
      removed: 1,
      hunks: Array.from({ length: 50 }, () => hunk),
    },
  ];
  for (const display of displays)
    expect(JSON.stringify(boundDisplay(display)).length).toBeLessThan(DISPLAY_LIMIT * 3);
});
