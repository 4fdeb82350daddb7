/** A whole escape sequence: CSI, OSC, DCS and friends up to their end (or the line's), then two-character ones. */
const SEQUENCE =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c|(?=\n))|\x1b[ -/]*[0-OQ-WYZ`-~]/g;
/** The start of one whose end may come with the next chunk. */
const UNFINISHED =
  /(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c\n]*\x1b?|[ -/]*)?|\x9b[0-?]*[ -/]*|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c\n]*\x1b?)$/;
/** Sequences longer than this are no sequences. */
const LONGEST_SEQUENCE = 65_536;
const SPECIAL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
/** What is left of control characters is shown by its picture, so that nothing is lost and nothing acts. */
const CONTROL = /([\x00-\x07\x0b\x0c\x0e-\x1f\x7f])\1*/g;

/** Takes the escape sequences out of one stream, also where a chunk ends inside one. */
export class SequenceFilter {
  #carry = '';

  push(text: string): string {
    const whole = this.#carry + text;
    this.#carry = '';
    if (!SPECIAL.test(whole)) return whole;
    const plain = whole.replace(SEQUENCE, '');
    const start = plain.search(UNFINISHED);
    if (start < 0 || plain.length - start > LONGEST_SEQUENCE) return plain;
    this.#carry = plain.slice(start);
    return plain.slice(0, start);
  }

  /** What never became a sequence. */
  flush(): string {
    const rest = this.#carry;
    this.#carry = '';
    return rest;
  }
}

/**
 * What a terminal would show of text whose sequences are gone: a carriage return begins its line anew (so a progress
 * bar leaves its last state), a backspace takes a character back. Holds the last line until it ends.
 */
export class LineSettler {
  #line = '';

  /** The last line as far as it has come: a prompt never ends. */
  get unfinished(): string {
    return settle(this.#line);
  }

  push(text: string): string {
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      this.#line = keepLast(this.#line + text);
      return this.#line.length > LONGEST_SEQUENCE ? this.flush() : '';
    }
    const whole = this.#line + text.slice(0, end + 1);
    this.#line = keepLast(text.slice(end + 1));
    return settle(whole);
  }

  flush(): string {
    const rest = settle(this.#line);
    this.#line = '';
    return rest;
  }
}

/** A line that only rewrites itself must not grow for ever. */
function keepLast(line: string): string {
  if (line.length < 4096) return line;
  const start = line.lastIndexOf('\r', line.length - 2);
  return start < 0 ? line : line.slice(start + 1);
}

function settle(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .split('\n')
    .map((line) => (SPECIAL.test(line) ? settleLine(line) : line))
    .join('\n');
}

function settleLine(line: string): string {
  const last = line.split('\r').findLast((part) => part !== '') ?? '';
  return takeBack(last).replace(CONTROL, picture);
}

function takeBack(line: string): string {
  if (!line.includes('\b')) return line;
  const kept: string[] = [];
  for (const char of line) {
    if (char === '\b') kept.pop();
    else kept.push(char);
  }
  return kept.join('');
}

/** Of a run of one character: a disk image is millions of the same. */
function picture(run: string): string {
  const code = run.charCodeAt(0);
  return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code).repeat(run.length);
}
