import { diffArrays } from 'diff';
import { commonEnds, commonLines } from '#base/text';

export interface LineStats {
  readonly added: number;
  readonly removed: number;
}

const NONE: LineStats = { added: 0, removed: 0 };

/** Edits beyond which the exact count isn't worth its time: the whole differing middle counts instead. */
const MAX_EDITS = 1000;
/** Bytes of a file beyond which only the differing middle is counted. */
const MAX_BYTES = 4 * 1024 * 1024;
/** A NUL in the first bytes makes a file binary, as git and ripgrep judge. */
const SNIFFED = 8000;

/** Lines added and removed between two contents; absent sides are undefined, binary contents have no lines. */
export function lineStats(before: Uint8Array | undefined, after: Uint8Array | undefined): LineStats {
  if (isBinary(before) || isBinary(after)) return NONE;
  const [old, now] = differingLines(textOf(before), textOf(after));
  const rough = { added: now.length, removed: old.length };
  const isLarge = (before?.byteLength ?? 0) > MAX_BYTES || (after?.byteLength ?? 0) > MAX_BYTES;
  if (old.length === 0 || now.length === 0 || isLarge) return rough;
  const parts = diffArrays(old, now, { maxEditLength: MAX_EDITS });
  if (!parts) return rough;
  let added = 0;
  let removed = 0;
  for (const part of parts) {
    if (part.added) added += part.value.length;
    else if (part.removed) removed += part.value.length;
  }
  return { added, removed };
}

function isBinary(bytes: Uint8Array | undefined): boolean {
  return bytes?.subarray(0, SNIFFED).includes(0) ?? false;
}

/** Each byte becomes one character: lines compare exactly, whatever the encoding. */
function textOf(bytes: Uint8Array | undefined): string {
  if (!bytes || bytes.byteLength === 0) return '';
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** The lines of both without those that they share at their ends; only these few are ever split. */
function differingLines(before: string, after: string): [string[], string[]] {
  const common = commonLines(before, after);
  const old = linesOf(before.slice(common.head, before.length - common.tail));
  const now = linesOf(after.slice(common.head, after.length - common.tail));
  const { head, tail } = commonEnds(old, now);
  return [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
}

/** A last line without its end is a line, and another one than the same with it. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop();
  const ended = lines.map((line) => `${line}\n`);
  return last === '' || last === undefined ? ended : [...ended, last];
}
