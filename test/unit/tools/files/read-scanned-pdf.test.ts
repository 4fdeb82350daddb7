import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type PdfPicture, pdfOf, scannedPdf } from '#test/support/pdf';
import { toolBench } from '#test/support/tool-context';
import { readFile } from '#tools/files/read-file';
import { imageHeader } from '#tools/formats/image-header';
import { readPdf } from '#tools/formats/pdf';

const FLATE = '/Filter /FlateDecode /BitsPerComponent';

function rgb(width: number, height: number, pixel: readonly number[]): PdfPicture {
  const data = deflateSync(Buffer.alloc(width * height * 3, Buffer.from(pixel)));
  return { width, height, form: `/ColorSpace /DeviceRGB ${FLATE} 8`, data };
}

// 40 × 40 pixels: in each of the 25 blocks nothing differs from the middle grey.
const NO_CODES = '00'.repeat(15);
const GREY_JPEG = Buffer.from(
  [
    'ffd8',
    `ffdb004300${'01'.repeat(64)}`,
    'ffc0000b080028002801011100',
    `ffc400140001${NO_CODES}00`,
    `ffc400141001${NO_CODES}00`,
    `ffda0008010100003f00${'00'.repeat(7)}`,
    'ffd9',
  ].join(''),
  'hex',
);

/** What is drawn is 0: the left half of each row. */
function mask(width: number, height: number): PdfPicture {
  const row = Buffer.alloc(width / 8, 0xff).fill(0, 0, width / 16);
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return { width, height, form: `/ImageMask true ${FLATE} 1`, data };
}

async function read(pdf: Buffer, pages: string | undefined) {
  const result = await toolBench({ 'scan.pdf': pdf }).call(readFile, { path: 'scan.pdf', pages });
  return { note: result.content.split('\n\n').at(-1) ?? '', images: result.images ?? [] };
}

/** Size of a PNG, and the first and last pixel of its middle row. */
function seen({ data }: { readonly data: string }) {
  const png = Buffer.from(data, 'base64');
  const header = imageHeader(png);
  if (!header?.whole) throw new Error('not a whole picture');
  const channels = png[25] === 0 ? 1 : 3;
  const at = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const length = header.width * channels + 1;
  const row = rows.subarray(Math.floor(header.height / 2) * length + 1).subarray(0, length - 1);
  for (let index = channels; index < row.length; index++)
    row[index] = (row[index] ?? 0) + (row[index - channels] ?? 0);
  return {
    size: [header.width, header.height],
    first: [...row.subarray(0, channels)],
    last: [...row.subarray(-channels)],
  };
}

test('shows the images of a scanned page that is asked for, and says that they are no rendering', async () => {
  const { note, images } = await read(scannedPdf([[rgb(60, 80, [250, 10, 20])], [mask(64, 40)]]), '1-2');
  expect(images.map(seen)).toEqual([
    { size: [60, 80], first: [250, 10, 20], last: [250, 10, 20] },
    { size: [64, 40], first: [0], last: [255] },
  ]);
  expect(note).toMatch(
    /pages 1–2 of 2; these pages hold no text: they may be scanned or drawn; with the images that these pages hold, which is no rendering of them; page 1: 60 × 80 pixels; page 2: 64 × 40 pixels\)$/,
  );
});

test('decodes a JPEG', async () => {
  const jpeg = {
    width: 40,
    height: 40,
    form: '/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode',
  };
  const { images } = await read(scannedPdf([[{ ...jpeg, data: GREY_JPEG }]]), '1');
  expect(images.map(seen)).toEqual([{ size: [40, 40], first: [128, 128, 128], last: [128, 128, 128] }]);
});

test('makes a large scan smaller', async () => {
  const { note, images } = await read(scannedPdf([[rgb(2480, 3508, [9, 8, 7])]]), '1');
  expect(images.map(seen)).toEqual([{ size: [826, 1169], first: [9, 8, 7], last: [9, 8, 7] }]);
  expect(note).toContain('page 1: 826 × 1169 pixels from 2480 × 3508)');
});

test('shows no image unless pages are named, and none of a page with text', async () => {
  const scan = await read(scannedPdf([[rgb(60, 80, [1, 2, 3])]]), undefined);
  expect([scan.images, scan.note]).toEqual([
    [],
    expect.stringMatching(/; name such pages to see the images that they may hold\)$/),
  ]);
  expect((await read(pdfOf([['text']]), '1')).images).toEqual([]);
});

test('says where a page holds nothing that can be shown', async () => {
  const broken = { ...rgb(60, 80, [1, 2, 3]), data: Buffer.from('no deflate') };
  const jpeg2000 = { ...broken, form: '/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /JPXDecode' };
  for (const pages of [[[]], [[jpeg2000]], [[rgb(8, 8, [0, 0, 0])]]]) {
    const { note, images } = await read(scannedPdf(pages), '1');
    expect([images.length, note]).toEqual([
      0,
      expect.stringMatching(/; there is no image that can be shown\)$/),
    ]);
  }
});

test('shows at most eight, the largest of a page first', async () => {
  const many = Array.from({ length: 30 }, (_, index) => rgb(40 + index, 50, [index, 0, 0]));
  const { note, images } = await read(scannedPdf([many, [rgb(99, 99, [0, 0, 0])]]), '1-2');
  expect(images.map((image) => seen(image).size[0])).toEqual([69, 68, 67, 66, 65, 64, 63, 62]);
  expect(note).toContain('; 22 more images left out');
});

test('an image of more pixels than a scan has is not decoded', async () => {
  const bomb = { ...rgb(1, 1, [0, 0, 0]), width: 60_000, height: 60_000 };
  const { images } = await read(scannedPdf([[bomb, rgb(60, 80, [1, 2, 3])]]), '1');
  expect(images.map((image) => seen(image).size)).toEqual([[60, 80]]);
});

test('more large images on a page than memory bears are given up, and the text that was read stays', async () => {
  const one = rgb(6000, 6000, [1, 1, 1]);
  const bytes = scannedPdf([Array.from({ length: 40 }, () => one)]);
  const limits = { patienceMs: 50_000, growth: 512 * 1024 ** 2 };
  const images = { most: 8, bytes: 9_000_000, bytesEach: 3_000_000 };
  const { pages, texts, pictures, end } = await readPdf(
    { bytes, first: 1, last: 1, enough: 1000, images },
    new AbortController().signal,
    limits,
  );
  expect({ pages, texts, pictures, end }).toEqual({
    pages: 1,
    texts: [{ number: 1, text: '' }],
    pictures: [],
    end: 'too-large',
  });
});
