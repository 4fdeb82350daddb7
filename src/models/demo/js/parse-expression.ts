import { type Expression, type FunctionNode, type Statement, Unsupported } from './ast';
import { closing } from './brackets';
import { Cursor } from './cursor';
import { parseClass, parseEntry } from './parse-members';
import { numberOf, type Token } from './scan';
import { stringOf, templateParts } from './strings';

type ParseBlock = (cursor: Cursor) => readonly Statement[];

const ASSIGN = /^(?:=|\+=|-=|\*=|\/=|%=|\*\*=|&&=|\|\|=|\?\?=)$/;
const STRENGTH: Readonly<Record<string, number>> = {
  '??': 1,
  '||': 2,
  '&&': 3,
  '|': 4,
  '^': 5,
  '&': 6,
  '==': 7,
  '!=': 7,
  '===': 7,
  '!==': 7,
  '<': 8,
  '>': 8,
  '<=': 8,
  '>=': 8,
  in: 8,
  instanceof: 8,
  '<<': 9,
  '>>': 9,
  '>>>': 9,
  '+': 10,
  '-': 10,
  '*': 11,
  '/': 11,
  '%': 11,
  '**': 12,
};

/** Parses expressions. `block` parses the body of a function; statements are another file's concern. */
export class ExpressionParser {
  readonly #cursor: Cursor;
  readonly #block: ParseBlock;

  constructor(cursor: Cursor, block: ParseBlock) {
    this.#cursor = cursor;
    this.#block = block;
  }

  /** An expression without commas, arrows and assignments included. */
  expression(): Expression {
    const arrow = this.#arrow();
    if (arrow) return arrow;
    const target = this.#conditional();
    const sign = this.#cursor.token;
    if (sign.kind !== 'sign' || !ASSIGN.test(sign.text)) return target;
    this.#cursor.next();
    return { type: 'assign', sign: sign.text, target, value: this.expression() };
  }

  #arrow(): FunctionNode | undefined {
    const cursor = this.#cursor;
    const async =
      cursor.is('async') && !cursor.is('(', 1)
        ? cursor.peek(2).text === '=>'
        : cursor.is('async') && this.#arrowBehind(1);
    const first = async ? 1 : 0;
    const plain = cursor.peek(first).kind === 'name' && cursor.is('=>', first + 1);
    if (!plain && !this.#arrowBehind(first)) return undefined;
    cursor.at += first;
    const params = plain ? [{ type: 'name', name: cursor.name() } as const] : this.params();
    cursor.expect('=>');
    const body = cursor.is('{')
      ? this.#block(cursor)
      : [{ type: 'return', value: this.expression() } as const];
    return { type: 'function', name: '', params, body, arrow: true, async };
  }

  #arrowBehind(ahead: number): boolean {
    const { tokens, at } = this.#cursor;
    if (!this.#cursor.is('(', ahead)) return false;
    const close = closing(tokens, at + ahead);
    return close !== undefined && tokens[close + 1]?.text === '=>';
  }

  params(): readonly Expression[] {
    this.#cursor.expect('(');
    return this.#cursor.list(')', () => this.item());
  }

  /** An element of a list: it may be spread. */
  item(): Expression {
    return this.#cursor.take('...') ? { type: 'spread', value: this.expression() } : this.expression();
  }

  /** An element of an array: it may be left out, as in `[, second]`. */
  #element(): Expression {
    return this.#cursor.is(',') ? { type: 'literal', value: undefined } : this.item();
  }

  #conditional(): Expression {
    const test = this.#binary(0);
    if (!this.#cursor.take('?')) return test;
    const yes = this.expression();
    this.#cursor.expect(':');
    return { type: 'conditional', test, yes, no: this.expression() };
  }

  #binary(weakest: number): Expression {
    let left = this.#unary();
    for (;;) {
      const { token } = this.#cursor;
      const strength = token.kind === 'sign' || token.kind === 'name' ? (STRENGTH[token.text] ?? 0) : 0;
      if (strength <= weakest) return left;
      this.#cursor.next();
      // Powers group from the right.
      const right = this.#binary(token.text === '**' ? strength - 1 : strength);
      left = { type: 'binary', sign: token.text, left, right };
    }
  }

  #unary(): Expression {
    const cursor = this.#cursor;
    const { token } = cursor;
    if (token.kind !== 'string' && /^(?:!|-|\+|~|typeof|void|delete)$/.test(token.text)) {
      cursor.next();
      return { type: 'unary', sign: token.text, value: this.#unary() };
    }
    if (cursor.take('await')) return { type: 'await', value: this.#unary() };
    if (cursor.is('++') || cursor.is('--')) {
      const sign = cursor.next().text;
      return { type: 'update', sign, prefix: true, target: this.#unary() };
    }
    const target = this.#postfix();
    const update = (cursor.is('++') || cursor.is('--')) && !cursor.onNewLine;
    return update ? { type: 'update', sign: cursor.next().text, prefix: false, target } : target;
  }

  #postfix(): Expression {
    const cursor = this.#cursor;
    let value = this.#primary();
    let chained = false;
    for (;;) {
      const optional = cursor.take('?.');
      chained ||= optional;
      if (cursor.take('('))
        value = { type: 'call', callee: value, args: cursor.list(')', () => this.item()), optional };
      else if (cursor.take('[')) {
        value = { type: 'member', object: value, key: this.expression(), optional };
        cursor.expect(']');
      } else if (optional || cursor.take('.')) {
        value = { type: 'member', object: value, key: { type: 'literal', value: cursor.name() }, optional };
      } else return chained ? { type: 'chain', value } : value;
    }
  }

  #primary(): Expression {
    const token = this.#cursor.next();
    switch (token.kind) {
      case 'number':
        if (token.text.endsWith('n')) throw new Unsupported('big integers');
        return { type: 'literal', value: numberOf(token) };
      case 'string':
        return { type: 'literal', value: stringOf(token.text) };
      case 'template':
        return this.#template(token);
      case 'regex':
        return {
          type: 'regex',
          source: token.text.slice(1, token.text.lastIndexOf('/')),
          flags: /[a-z]*$/.exec(token.text)?.[0] ?? '',
        };
      case 'name':
        return this.#named(token.text);
      case 'sign':
        return this.#bracketed(token.text);
    }
  }

  #template({ text }: Token): Expression {
    const { strings, sources } = templateParts(text);
    const values = sources.map((source) =>
      new ExpressionParser(new Cursor(source), this.#block).expression(),
    );
    return { type: 'template', strings, values };
  }

  #named(name: string): Expression {
    switch (name) {
      case 'true':
      case 'false':
        return { type: 'literal', value: name === 'true' };
      case 'null':
        return { type: 'literal', value: null };
      case 'this':
        return { type: 'this' };
      case 'function':
        return this.functionNode(false);
      case 'async':
        if (this.#cursor.take('function')) return this.functionNode(true);
        return { type: 'name', name };
      case 'class':
        return parseClass(this.#cursor, this);
      case 'new':
        return this.#construction();
      case 'super':
      case 'yield':
      case 'import':
        throw new Unsupported(name);
      default:
        return { type: 'name', name };
    }
  }

  #construction(): Expression {
    const cursor = this.#cursor;
    let callee = this.#primary();
    while (cursor.take('.'))
      callee = {
        type: 'member',
        object: callee,
        key: { type: 'literal', value: cursor.name() },
        optional: false,
      };
    return { type: 'new', callee, args: cursor.take('(') ? cursor.list(')', () => this.item()) : [] };
  }

  #bracketed(sign: string): Expression {
    const cursor = this.#cursor;
    if (sign === '[') return { type: 'array', items: cursor.list(']', () => this.#element()) };
    if (sign === '{') return { type: 'object', entries: cursor.list('}', () => parseEntry(cursor, this)) };
    if (sign !== '(') throw new Unsupported(`${sign} where an expression is expected`);
    const value = this.expression();
    cursor.expect(')');
    return value;
  }

  /** Behind `function`. */
  functionNode(async: boolean): FunctionNode {
    if (this.#cursor.is('*')) throw new Unsupported('generators');
    return this.method(this.#cursor.is('(') ? '' : this.#cursor.name(), async);
  }

  method(name: string, async: boolean): FunctionNode {
    return {
      type: 'function',
      name,
      params: this.params(),
      body: this.#block(this.#cursor),
      arrow: false,
      async,
    };
  }
}
