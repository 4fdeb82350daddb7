import type { AbsolutePath } from '#protocol/ids';

/** What is set for the text of a path. */
export interface TextSettings {
  /** As `files.encoding` names it: `utf8`, `gbk`. Absent when the file's own bytes decide, or only a longer look can tell. */
  readonly encoding?: string;
  /** Of new files; absent: as the text comes. */
  readonly lineEnd?: '\n' | '\r\n';
}

/**
 * The encodings of files as the person's editor sees them. `decode` and `encode` know no byte order mark and may lose something
 * (U+FFFD, `?`), so whoever writes what they gave proves it first. Undefined: no such encoding is known.
 */
export interface Encodings {
  /** From memory, for every file that is read: what an open editor has it in, else what the settings say. Folders too. */
  setFor(path: AbsolutePath): TextSettings;
  /** The same with a look at the content of the file, which has no byte order mark; without content for a new file. */
  choose(path: AbsolutePath, bytes: Uint8Array): Promise<string>;
  decode(bytes: Uint8Array, encoding: string): Promise<string | undefined>;
  encode(text: string, encoding: string): Promise<Uint8Array | undefined>;
}
