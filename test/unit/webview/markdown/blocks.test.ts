import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Blocks, parseBlocks } from '#webview/markdown/blocks';

const TEXT = `# Title

A paragraph with \`code\` and *emphasis* that goes on.

- one
- two

  with a second paragraph
- three

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

| a | b |
| - | - |
| 1 | 2 |

Setext
======

> quote
lazy line

1. first
2. second

last words`;

/** What is drawn, without the objects' identity. */
function plain({ blocks }: Blocks) {
  return blocks.map((block) => ({
    start: block.start,
    tokens: block.tokens.map((token) => [
      token.type,
      token.content,
      token.children?.map((child) => [child.type, child.content]),
    ]),
  }));
}

test('a text that streams in, letter by letter, looks at each moment as if it had been parsed whole', () => {
  let streamed: Blocks | undefined;
  for (let end = 1; end <= TEXT.length; end += 1) {
    streamed = parseBlocks(TEXT.slice(0, end), streamed);
    expect(plain(streamed)).toEqual(plain(parseBlocks(TEXT.slice(0, end))));
  }
});

test('pieces of any size and any text do the same', () => {
  const piece = fc.oneof(
    fc.constantFrom('# ', '- ', '\n', '\n\n', '```', '| ', '> ', '    ', '1. ', '* * *', '==='),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      let text = '';
      let streamed: Blocks | undefined;
      for (const each of pieces) {
        text += each;
        streamed = parseBlocks(text, streamed);
      }
      if (streamed) expect(plain(streamed)).toEqual(plain(parseBlocks(text)));
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('blocks that are finished stay the very same objects', () => {
  const before = parseBlocks('first\n\nsecond\n\nthi');
  const after = parseBlocks('first\n\nsecond\n\nthird and more', before);
  expect(after.blocks[0]).toBe(before.blocks[0]);
  expect(after.blocks[1]).toBe(before.blocks[1]);
  expect(after.blocks).toHaveLength(3);
});

test('the same text is not parsed again', () => {
  const before = parseBlocks('text');
  expect(parseBlocks('text', before)).toBe(before);
});

test('another text begins anew', () => {
  expect(plain(parseBlocks('other', parseBlocks('text')))).toEqual(plain(parseBlocks('other')));
});

test('HTML stays text, and bare names are no links', () => {
  const types = parseBlocks(
    '<b onclick="x">parser.ts and www.example.com</b>',
  ).blocks[0]?.tokens[1]?.children?.map((child) => child.type);
  expect(types).toEqual(['text']);
});
