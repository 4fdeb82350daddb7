import { expect, test } from 'vitest';
import { resultOfParts } from '#editor/extensions/lm-result';

const content = (...parts: readonly unknown[]) => resultOfParts(parts).content;

test('text parts come in order; nothing at all is said to be nothing', () => {
  expect([content({ value: 'a' }, { value: 'b' }), content(), resultOfParts(undefined).content]).toEqual([
    'a\nb',
    '(no output)',
    '(no output)',
  ]);
});

test('a prompt-tsx part gives the text of its leaves; one of another shape its JSON', () => {
  const tree = {
    node: {
      type: 1,
      children: [
        { type: 2, text: 'one' },
        { type: 1, children: [{ type: 2, text: 'two', lineBreakBefore: true }] },
      ],
    },
  };
  expect([content({ value: tree }), content({ value: { other: 1 } })]).toEqual([
    'one\ntwo',
    '{\n  "other": 1\n}',
  ]);
});

test('pictures that models see are kept, others are named', () => {
  const png = { data: new Uint8Array([1, 2, 3]), mimeType: 'image/png' };
  const svg = { data: new Uint8Array([1, 2, 3]), mimeType: 'image/svg+xml' };
  const huge = { data: new Uint8Array(4 * 1024 * 1024), mimeType: 'image/png' };
  expect(resultOfParts([png])).toEqual({
    version: 1,
    status: 'success',
    content: '(a picture)',
    images: [{ mediaType: 'image/png', data: 'AQID' }],
  });
  expect(resultOfParts([svg, huge])).toEqual({
    version: 1,
    status: 'success',
    content: '(3 bytes of image/svg+xml were left out)\n(4194304 bytes of image/png were left out)',
  });
  expect(resultOfParts(Array(20).fill(png)).images).toHaveLength(8);
});

test('parts of no kind, trees without end and floods of text are bounded', () => {
  const endless: Record<string, unknown> = {};
  endless['children'] = [endless];
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  expect([
    content(null, 7, {}),
    content({ value: { node: endless } }).length < 100,
    content({ value: circular }),
    content({ value: 'x'.repeat(5_000_000) }).length < 4_000_100,
  ]).toEqual([
    Array(3).fill('(a part that can’t be read was left out)').join('\n'),
    true,
    '(a part that can’t be read was left out)',
    true,
  ]);
});
