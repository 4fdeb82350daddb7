import { sha256 } from '#base/hash';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { revealInvisible } from '#base/text';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { absolutePath, resolveWorkspacePath, type Workspace } from '#tools/paths';
import type { Candidate } from './candidates';

/** Bytes of all rules files together, and so the most of one. */
export const MOST_BYTES = 32 * 1024;

/** A rules file as it is now. */
export interface RulesFile extends Candidate {
  /** Line ends are LF. What could be hidden from the person's eyes is in escapes. */
  readonly text: string;
  /** How many characters were hidden. */
  readonly hidden: number;
  readonly sha256: string;
  readonly bytes: number;
  /** It goes on beyond what is taken. */
  readonly more: boolean;
}

/** A file that lies there and isn't taken; `why` in words for people. */
export interface Unusable {
  readonly path: string;
  readonly why: string;
}

/** What reading them needs of the world. */
export interface Reading {
  readonly workspace: Workspace;
  readonly files: Pick<Files, 'stat' | 'realPath' | 'list' | 'read'>;
  /** Whether a rule of the person's denies reading it. */
  denies(path: AbsolutePath): boolean;
}

/** Reads one rules file; undefined where none is, or where it is kept from the agent. A link counts where it stays in the workspace. */
export async function readRulesFile(
  candidate: Candidate,
  { workspace, files, denies }: Reading,
): Promise<RulesFile | Unusable | undefined> {
  const { path } = candidate;
  try {
    if (!(await files.stat(absolutePath(workspace, path)))) return undefined;
    const place = await resolveWorkspacePath(path, workspace, files);
    if (!place.ok) return { path, why: place.error };
    const { absolute } = place.value;
    if ((await files.stat(absolute))?.kind === 'folder') return undefined;
    if (workspace.hidden.by(absolute) || denies(absolute)) return undefined;
    const read = await files.read(absolute, { maxBytes: MOST_BYTES });
    if (!read.ok) return read.error.kind === 'missing' ? undefined : { path, why: read.error.message };
    const { bytes, more } = read.value;
    const decoded = decode(bytes, more);
    if (decoded === undefined) return { path, why: t('it is not UTF-8 text') };
    if (decoded.trim() === '') return undefined;
    const plain = decoded.replaceAll('\r\n', '\n');
    const hidden = plain.match(HIDDEN)?.length ?? 0;
    const text = plain.replace(HIDDEN, revealInvisible);
    return { ...candidate, text, hidden, sha256: sha256(bytes), bytes: bytes.byteLength, more };
  } catch (error) {
    return { path, why: messageOf(error) };
  }
}

/**
 * Controls, zero-width and bidirectional marks, variation selectors but that of emoji, tags: with them a file tells a model what its
 * reader can't see. The joiner of emoji and wide spaces are as they are in honest text.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0e\ufeff\u{e0000}-\u{e0fff}]/gu;

/** Undefined when it is no UTF-8. A character that the limit cut is left out. */
function decode(bytes: Uint8Array, more: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: more });
  } catch {
    return undefined;
  }
}
