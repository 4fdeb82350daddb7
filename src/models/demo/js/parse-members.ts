import { type ClassNode, type Entry, type Expression, type FunctionNode, Unsupported } from './ast';
import type { Cursor } from './cursor';
import { numberOf } from './scan';
import { stringOf } from './strings';

/** What is needed of the parser of expressions. */
interface Parser {
  expression(): Expression;
  method(name: string, async: boolean): FunctionNode;
}

/** An entry of an object, or of a pattern written like one. */
export function parseEntry(cursor: Cursor, parser: Parser): Entry {
  if (cursor.take('...')) return { kind: 'spread', value: parser.expression() };
  const async = cursor.is('async') && !/^[,:(=}]$/.test(cursor.peek(1).text);
  if (async) cursor.next();
  const token = cursor.token;
  if (/^(?:get|set)$/.test(token.text) && !/^[,:(=}]$/.test(cursor.peek(1).text))
    throw new Unsupported('accessors');
  const key = parseKey(cursor, parser);
  if (cursor.is('(')) return { kind: 'property', key, value: parser.method(token.text, async) };
  if (cursor.take(':')) return { kind: 'property', key, value: parser.expression() };
  const name: Expression = { type: 'name', name: token.text };
  return {
    kind: 'property',
    key,
    value: cursor.take('=') ? { type: 'assign', sign: '=', target: name, value: parser.expression() } : name,
  };
}

function parseKey(cursor: Cursor, parser: Parser): Expression {
  if (cursor.take('[')) {
    const key = parser.expression();
    cursor.expect(']');
    return key;
  }
  const token = cursor.next();
  if (token.kind === 'string') return { type: 'literal', value: stringOf(token.text) };
  if (token.kind === 'number') return { type: 'literal', value: numberOf(token) };
  if (token.kind === 'name') return { type: 'literal', value: token.text };
  throw new Unsupported(`the key ${token.text}`);
}

/** Behind `class`. */
export function parseClass(cursor: Cursor, parser: Parser): ClassNode {
  const name = cursor.is('{') ? '' : cursor.name();
  cursor.expect('{');
  const members: ClassNode['members'][number][] = [];
  while (!cursor.take('}')) if (!cursor.take(';')) members.push(parseMember(cursor, parser));
  return { type: 'class', name, members };
}

function parseMember(cursor: Cursor, parser: Parser): ClassNode['members'][number] {
  const modifier = (word: string) =>
    cursor.is(word) && !/^[(=;]$/.test(cursor.peek(1).text) && cursor.take(word);
  const isStatic = modifier('static');
  const async = modifier('async');
  if (modifier('get') || modifier('set')) throw new Unsupported('accessors');
  const name = cursor.name();
  if (cursor.is('(')) return { name, isStatic, value: parser.method(name, async), method: true };
  return { name, isStatic, value: cursor.take('=') ? parser.expression() : undefined, method: false };
}
