import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import { BlobStore, type Content } from '#checkpoints/blobs';
import { KeepLater } from '#checkpoints/keep-later';
import type { Log } from '#host';
import type { Sha256 } from '#protocol/ids';
import { tempFolder } from '#test/support/temp-folder';

const bytes = Buffer.from('what was written\n');
const CONTENT: Content = { bytes, sha256: sha256(bytes) as Sha256 };
const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Tells when the disk was asked to take a blob, and can refuse. */
class WatchedBlobs extends BlobStore {
  readonly asked: { readonly isThere: boolean }[] = [];
  refuses = false;

  override async sync(hash: Sha256): Promise<void> {
    this.asked.push({ isThere: this.has(hash, bytes.byteLength) });
    if (this.refuses) throw new Error('the disk is gone');
    await super.sync(hash);
  }
}

function setUp() {
  const blobs = new WatchedBlobs(tempFolder().path);
  return { blobs, later: new KeepLater({ blobs, log: silent }) };
}

test('what was written is kept when the event loop turns, and the disk takes it while nobody waits', async () => {
  const { blobs, later } = setUp();
  later.keep(CONTENT);
  expect([blobs.has(CONTENT.sha256, bytes.byteLength), blobs.asked]).toEqual([false, []]);
  await expect.poll(() => blobs.asked).toEqual([{ isThere: true }]);
});

test('a disk that refuses is nobody’s affair until somebody needs the content durable', async () => {
  const { blobs, later } = setUp();
  blobs.refuses = true;
  later.keep(CONTENT);
  await expect.poll(() => blobs.asked.length).toBe(1);
  await expect(blobs.keep(CONTENT)).rejects.toThrow('the disk is gone');
  blobs.refuses = false;
  await blobs.keep(CONTENT);
});
