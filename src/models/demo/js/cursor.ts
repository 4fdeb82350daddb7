import { Unsupported } from './ast';
import { scan, type Token } from './scan';

const END: Token = { kind: 'sign', text: '', start: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/** Walks over the tokens of a source. */
export class Cursor {
  readonly tokens: readonly Token[];
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
    this.tokens = scan(text);
  }

  get token(): Token {
    return this.peek(0);
  }

  get ended(): boolean {
    return this.at >= this.tokens.length;
  }

  peek(ahead: number): Token {
    return this.tokens[this.at + ahead] ?? END;
  }

  /** True when the next token reads so and is no string. */
  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && token.kind !== 'string' && token.kind !== 'template';
  }

  next(): Token {
    const { token } = this;
    this.at++;
    return token;
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) throw new Unsupported(`${this.token.text} where ${text} is expected`);
  }

  name(): string {
    const token = this.next();
    if (token.kind !== 'name') throw new Unsupported(`${token.text} where a name is expected`);
    return token.text;
  }

  /** A line break stands before the next token. */
  get onNewLine(): boolean {
    const before = this.tokens[this.at - 1];
    return before === undefined || this.#text.slice(before.end, this.token.start).includes('\n');
  }

  /** Items up to a closing bracket, commas between them. */
  list<T>(close: string, item: () => T): T[] {
    const items: T[] = [];
    while (!this.take(close)) {
      items.push(item());
      if (!this.is(close)) this.expect(',');
    }
    return items;
  }
}
