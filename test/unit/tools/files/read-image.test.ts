import { truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RelativePath } from '#protocol/ids';
import { GIF, JPEG, pngOf, WEBP_EXTENDED, WEBP_LOSSLESS, WEBP_LOSSY } from '#test/support/images';
import { toolBench } from '#test/support/tool-context';
import { readFile } from '#tools/files/read-file';
import { imageHeader } from '#tools/formats/image-header';

const KINDS = { JPEG, GIF, WEBP_LOSSY, WEBP_LOSSLESS, WEBP_EXTENDED, PNG: pngOf(640, 320) };

test.each(Object.entries(KINDS))('reads format and size of a picture from its header: %s', (name, bytes) => {
  const mediaType = `image/${name.split('_')[0]?.toLowerCase()}`;
  expect(imageHeader(bytes)).toEqual({ mediaType, width: 640, height: 320, whole: true });
});

test.each(Object.entries(KINDS))('no beginning of a picture throws or counts as whole: %s', (_, bytes) => {
  const cut = Array.from({ length: bytes.length - 1 }, (_entry, length) =>
    imageHeader(bytes.subarray(0, length)),
  );
  expect(cut.filter((header) => header?.whole)).toEqual([]);
});

test('a picture comes back as it is, with its facts, whatever its name', async () => {
  const png = pngOf(640, 480);
  const { call, context } = toolBench({ 'logo.txt': png });
  expect(await call(readFile, { path: 'logo.txt' })).toEqual({
    version: 1,
    status: 'success',
    content: `logo.txt is a PNG image: 640 × 480 pixels, ${png.length.toLocaleString('en')} bytes.`,
    images: [{ mediaType: 'image/png', data: png.toString('base64') }],
    display: {
      kind: 'text',
      title: 'logo.txt',
      fields: [
        { key: 'format', value: 'PNG' },
        { key: 'size', value: `640 × 480 pixels, ${png.length.toLocaleString('en')} bytes` },
      ],
      body: 'The image goes to the model, if it sees images.',
    },
  });
  expect(context.reads.seen('logo.txt' as RelativePath)).toBeUndefined();
});

test('a picture between 1 and 3.75 MB comes back whole; a larger one is described', async () => {
  const [fits, large] = [pngOf(64, 64, { comment: 3_900_000 }), pngOf(64, 64, { comment: 3_950_000 })];
  const { call } = toolBench({ 'fits.png': fits, 'large.png': large });
  expect((await call(readFile, { path: 'fits.png' })).images?.[0]?.data.length).toBe(
    fits.toString('base64').length,
  );
  const result = await call(readFile, { path: 'large.png' });
  expect([result.images, result.content]).toEqual([
    undefined,
    `large.png is a PNG image: 64 × 64 pixels, ${large.length.toLocaleString('en')} bytes. It is not shown: it is over 3.75 MB. To see it, make a smaller copy with a command and read that.`,
  ]);
});

test('a picture of huge sides is described by its header alone, and a damaged one is not sent', async () => {
  const { call, folder } = toolBench({ 'bomb.png': pngOf(60_000, 60_000), 'cut.png': pngOf(64, 64) });
  truncateSync(folder.at('cut.png'), 60);
  writeFileSync(folder.at('head.jpg'), JPEG.subarray(0, 12));
  const contents = await Promise.all(
    ['bomb.png', 'cut.png', 'head.jpg'].map(async (path) => {
      const { content, images } = await call(readFile, { path });
      return [content.replace(/[\d,]+ bytes/, 'N bytes'), images];
    }),
  );
  expect(contents).toEqual([
    [
      'bomb.png is a PNG image: 60000 × 60000 pixels, N bytes. It is not shown: a side is over 8,000 pixels. To see it, make a smaller copy with a command and read that.',
      undefined,
    ],
    [
      'cut.png is a PNG image: 64 × 64 pixels, N bytes. It is not shown: it is damaged or its end is missing.',
      undefined,
    ],
    ['head.jpg is a JPEG image: N bytes. It is not shown: it is damaged or its end is missing.', undefined],
  ]);
});

test('SVG is text', async () => {
  const { call } = toolBench({ 'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n' });
  expect(await call(readFile, { path: 'a.svg' })).toMatchObject({
    content: '     1→<svg xmlns="http://www.w3.org/2000/svg"/>',
  });
});
