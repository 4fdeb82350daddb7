import { understand } from '#commands/grammar';
import type { ShellKind } from '#commands/shell-words';

/** Keys that are no text: only lines without them are known to a shell as they were typed. */
const KEYS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
/** Ctrl+C, Ctrl+U and Ctrl+D: what stood on the line is gone. */
const DROPS = /[\x03\x04\x15][^\n\r\x03\x04\x15]*$/;
const LONGEST = 65_536;

/** What has been typed into a shell and not been carried out yet, so that a command that comes in pieces is judged whole. */
export class TypedLine {
  #begun = '';
  #unclear = false;

  /** What the shell would have before it once this text is typed too. */
  with(text: string): string {
    return this.#begun + plain(text);
  }

  /** Why nobody can say what the shell would make of it; undefined where that is known. */
  doubt(text: string): 'keys' | 'history' | undefined {
    if (this.#unclear || KEYS.test(text.replaceAll('\r', '\n'))) return isOnlyKeys(text) ? undefined : 'keys';
    return text.includes('!') ? 'history' : undefined;
  }

  /** It was typed. */
  take(text: string, shell: ShellKind): void {
    const last = DROPS.exec(text);
    const rest = last ? last[0].slice(1) : text;
    const line = (last ? '' : this.#begun) + plain(rest);
    this.#unclear = (last ? false : this.#unclear) || KEYS.test(rest.replaceAll('\r', '\n'));
    const isCarriedOut =
      line.endsWith('\n') && (line.trim() === '' || understand(line.trim(), shell).understood);
    if (isCarriedOut || line.length > LONGEST) this.#begun = '';
    else this.#begun = line;
    if (isCarriedOut) this.#unclear = false;
  }
}

/** Enter is what a terminal sends for the end of a line. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

/** Ctrl+C alone interrupts and runs nothing. */
function isOnlyKeys(text: string): boolean {
  return /^[\x03\x04\x1a\x1c]+$/.test(text);
}
