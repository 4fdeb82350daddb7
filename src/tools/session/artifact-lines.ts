import type { Artifacts } from '#tools/tool';

/** One line of an artifact, without its end. */
export interface ArtifactLine {
  /** 1-based. */
  readonly number: number;
  /** Byte at which it begins. */
  readonly offset: number;
  readonly text: string;
}

/** Bytes that are looked at together. */
const PART = 256 * 1024;

/** The lines of an artifact, one after the other, without the whole of it in memory at once; undefined when there is none. */
export async function artifactLines(
  id: string,
  { read }: Pick<Artifacts, 'read'>,
): Promise<{ readonly bytes: number; lines(): AsyncGenerator<ArtifactLine> } | undefined> {
  const first = await read(id, 0, PART);
  if (first === undefined) return undefined;
  return {
    bytes: first.bytes,
    async *lines() {
      let number = 0;
      let offset = 0;
      // Parts of a line that goes on: joined once, for a line may be all of it.
      let open: string[] = [];
      for (let page: typeof first | undefined = first; page !== undefined; ) {
        const [head = '', ...rest] = page.text.split('\n');
        open.push(head);
        for (const next of rest) {
          const text = open.join('');
          yield { number: ++number, offset, text: text.replace(/\r$/, '') };
          offset += Buffer.byteLength(text) + 1;
          open = [next];
        }
        page = page.next === undefined ? undefined : await read(id, page.next, PART);
      }
      const last = open.join('');
      if (last !== '') yield { number: ++number, offset, text: last.replace(/\r$/, '') };
    },
  };
}
