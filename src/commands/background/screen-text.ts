/*
 * What a command may do to a terminal that a person looks at: draw. Whatever else a terminal obeys is left out: the clipboard (OSC 52),
 * titles, links, notifications, pictures, programming of keys; questions, since their answers come back as if the person had typed
 * them; and reports of mouse and focus, for the same reason.
 */

/** Introducers of one character that stand for two; and the sequences of ESC. Long strings end at BEL, ST or where a line does. */
const SEQUENCE =
  /(?:\x1b\[|\x9b)([0-?]*)([ -/]*)([@-~])|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c|(?=[\x1b\n]))|\x1b([ -/]*)([0-~])/g;
const UNFINISHED =
  /(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c\n]*\x1b?|[ -/]*)?|\x9b[0-?]*[ -/]*|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c\n]*\x1b?)$/;
/** Of the rest only these act: backspace, tab, line feed, carriage return. */
const OTHER_CONTROLS = /[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x8f\x91-\x97\x99\x9a\x9c]/g;
const SPECIAL = /[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]/;
const LONGEST_SEQUENCE = 4096;

/** Cursor, erasing, inserting, scrolling, tabs, colours, margins; with nothing but numbers. */
const DRAWS = new Set('ABCDEFGHIJKLMPSTXZ`adefgmrsu@'.split(''));
/** Modes that only say how is drawn: insert, origin, wrap, cursor, alternate screen, bracketed paste, synchronised output. */
const MODES = new Set(['4', '20']);
const PRIVATE_MODES = new Set(['1', '5', '6', '7', '12', '25', '47', '1047', '1048', '1049', '2004', '2026']);
/** Save and restore the cursor, index, new line, reverse index, tab stop, keypad, full reset. */
const ESCAPES = new Set('78DEHMc=>'.split(''));

/** Lets the terminal of a person draw what a command prints, and do nothing else. Pieces may end anywhere. */
export class ScreenText {
  #carry = '';

  push(text: string): string {
    const whole = this.#carry + text;
    // The search for an end that is none looks at every ESC to the end of the text.
    const from = Math.max(0, whole.length - LONGEST_SEQUENCE);
    const found = whole.slice(from).search(UNFINISHED);
    const start = found < 0 ? -1 : from + found;
    const isHeld = start >= 0 && whole.length - start <= LONGEST_SEQUENCE;
    this.#carry = isHeld ? whole.slice(start) : '';
    return drawn(isHeld ? whole.slice(0, start) : whole);
  }

  /** What never became a sequence is nothing to draw. */
  flush(): string {
    this.#carry = '';
    return '';
  }
}

function drawn(text: string): string {
  if (!SPECIAL.test(text)) return text;
  let out = '';
  let from = 0;
  SEQUENCE.lastIndex = 0;
  for (let found = SEQUENCE.exec(text); found !== null; found = SEQUENCE.exec(text)) {
    out += plain(text.slice(from, found.index)) + allowed(found);
    from = found.index + found[0].length;
  }
  return out + plain(text.slice(from));
}

/** An ESC that begins nothing is left out as well. */
function plain(text: string): string {
  return text
    .replace(OTHER_CONTROLS, '')
    .replaceAll('\x1b', '')
    .replace(/[\x90\x98\x9b\x9d-\x9f]/g, '');
}

function allowed([, parameters, between, final, escapeBetween, letter]: RegExpExecArray): string {
  if (final !== undefined) return control(parameters ?? '', between ?? '', final);
  if (letter === undefined) return '';
  // Which characters are meant: lines and corners of boxes, or letters.
  if (/^[()]$/.test(escapeBetween ?? '') && /^[0AB]$/.test(letter)) return `\x1b${escapeBetween}${letter}`;
  return escapeBetween === '' && ESCAPES.has(letter) ? `\x1b${letter}` : '';
}

function control(parameters: string, between: string, final: string): string {
  if ((final === 'h' || final === 'l') && between === '') return mode(parameters, final);
  if (final === 'q' && between === ' ' && /^\d?$/.test(parameters)) return `\x1b[${parameters} q`;
  if (final === 'p' && between === '!' && parameters === '') return '\x1b[!p';
  return between === '' && DRAWS.has(final) && /^[\d;:]*$/.test(parameters)
    ? `\x1b[${parameters}${final}`
    : '';
}

function mode(parameters: string, final: string): string {
  const isPrivate = parameters.startsWith('?');
  const known = isPrivate ? PRIVATE_MODES : MODES;
  const kept = parameters
    .slice(isPrivate ? 1 : 0)
    .split(';')
    .filter((each) => known.has(each));
  return kept.length === 0 ? '' : `\x1b[${isPrivate ? '?' : ''}${kept.join(';')}${final}`;
}
