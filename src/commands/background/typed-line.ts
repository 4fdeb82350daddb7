import { understand } from '#commands/grammar';
import type { ShellKind } from '#commands/shell-words';

/** Keys that are no text, Tab among them: only lines without them are known to a shell as they were typed. */
const KEYS = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/;
/** Ctrl+C, Ctrl+D and Ctrl+U, which do nothing to a line where nothing stands. */
const ON_EMPTY = /^[\x03\x04\x15]+/;
/** Ctrl+C and Ctrl+U: what stood on the line is gone, most likely. */
const DROPS = /[\x03\x15][^\n\r\x03\x15]*$/;
const LONGEST = 65_536;

/** What a shell of a terminal finds in a line beside its words: earlier lines, other meanings of keys. */
const RECALLS = /!|^\s*\^|\b(?:fc|bind|bindkey)\b/m;
/** A comment that would be more than words to a shell that knows none while someone types. */
const COMMENT = /(?:^|[\s;&|()])#.*[;&|`$()<>]/m;

/** Why nobody can say what a shell would make of what is typed. */
export type TypingDoubt = 'keys' | 'history' | 'comment';

/** What has been typed into a shell and not been carried out yet, so that a command that comes in pieces is judged whole. */
export class TypedLine {
  #begun = '';
  #unclear = false;
  /** More stood on it than is kept: it can't be followed any more. */
  #isLost = false;

  /** What the shell would have before it once this text is typed too. */
  with(text: string): string {
    return this.#begun + plain(text);
  }

  /** Undefined where it is known what the shell would make of it. */
  doubt(text: string): TypingDoubt | undefined {
    if (this.#isLost || this.#unclear || hasKeys(text)) return isOnlyKeys(text) ? undefined : 'keys';
    const line = this.with(text);
    if (RECALLS.test(line)) return 'history';
    return COMMENT.test(line) ? 'comment' : undefined;
  }

  /** It was typed, by whomever. */
  take(text: string, shell: ShellKind): void {
    const isEmpty = this.#begun === '' && !this.#unclear;
    const typed = isEmpty ? text.replace(ON_EMPTY, '') : text;
    // A program may have other keys for these, or none: after them nobody can be sure that the line is empty.
    if (hasKeys(typed)) this.#unclear = true;
    const last = DROPS.exec(typed);
    const line = last ? plain(last[0]) : this.#begun + plain(typed);
    const isCarriedOut =
      line.endsWith('\n') && (line.trim() === '' || understand(line.trim(), shell).understood);
    if (line.length > LONGEST) this.#isLost = true;
    this.#begun = isCarriedOut ? '' : line.length > LONGEST ? lastLine(line) : line;
    if (isCarriedOut) this.#unclear = false;
  }
}

function hasKeys(text: string): boolean {
  return KEYS.test(text.replaceAll('\r', '\n'));
}

/** Enter is what a terminal sends for the end of a line. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1).slice(-LONGEST);
}

/** Ctrl+C alone interrupts and runs nothing. */
function isOnlyKeys(text: string): boolean {
  return /^[\x03\x04\x1a\x1c]+$/.test(text);
}
