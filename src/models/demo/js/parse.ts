import { type Expression, type Statement, Unsupported } from './ast';
import { Cursor } from './cursor';
import { ExpressionParser } from './parse-expression';
import { parseClass } from './parse-members';
import { stringOf } from './strings';

/** Parses a module. Throws `Unsupported` for whatever the calculator doesn't know, TypeScript's types among it. */
export function parseModule(text: string): readonly Statement[] {
  const cursor = new Cursor(text);
  const body: Statement[] = [];
  while (!cursor.ended) body.push(...statements(cursor));
  return body;
}

/** A block in braces. */
function block(cursor: Cursor): readonly Statement[] {
  const body: Statement[] = [];
  cursor.expect('{');
  while (!cursor.take('}')) {
    if (cursor.ended) throw new Unsupported('a block without an end');
    body.push(...statements(cursor));
  }
  return body;
}

/** One statement, or none where there is only a semicolon. */
function statements(cursor: Cursor): readonly Statement[] {
  if (cursor.take(';')) return [];
  const found = statement(cursor);
  cursor.take(';');
  return [found];
}

function parserOf(cursor: Cursor): ExpressionParser {
  return new ExpressionParser(cursor, block);
}

function statement(cursor: Cursor): Statement {
  if (cursor.is('{')) return { type: 'block', body: block(cursor) };
  const { token } = cursor;
  const parse = token.kind === 'name' ? STATEMENTS[token.text] : undefined;
  // `type = 1` and `async () => …` begin with words that are no statements there.
  if (!parse || /^(?:=|\.|\+=)$/.test(cursor.peek(1).text))
    return { type: 'expression', value: parserOf(cursor).expression() };
  cursor.next();
  return parse(cursor);
}

const STATEMENTS: Readonly<Record<string, (cursor: Cursor) => Statement>> = {
  const: declaration,
  let: declaration,
  var: declaration,
  function: (cursor) => named(parserOf(cursor).functionNode(false)),
  class: (cursor) => named(parseClass(cursor, parserOf(cursor))),
  async: asyncStatement,
  if: condition,
  for: loop,
  while: (cursor) => ({
    type: 'while',
    test: inParentheses(cursor),
    body: statement(cursor),
    bodyFirst: false,
  }),
  do: doLoop,
  return: (cursor) => ({
    type: 'return',
    value: endsHere(cursor) ? undefined : parserOf(cursor).expression(),
  }),
  break: () => ({ type: 'break' }),
  continue: () => ({ type: 'continue' }),
  throw: (cursor) => ({ type: 'throw', value: parserOf(cursor).expression() }),
  try: attempt,
  switch: choice,
  import: importation,
  export: exportation,
};

function endsHere(cursor: Cursor): boolean {
  return cursor.ended || cursor.onNewLine || cursor.is(';') || cursor.is('}');
}

function named(value: Expression & { readonly name: string }): Statement {
  return { type: 'declare', entries: [{ target: { type: 'name', name: value.name }, value }] };
}

function asyncStatement(cursor: Cursor): Statement {
  if (cursor.take('function')) return named(parserOf(cursor).functionNode(true));
  cursor.at--;
  return { type: 'expression', value: parserOf(cursor).expression() };
}

function declaration(cursor: Cursor): Statement {
  const parser = parserOf(cursor);
  const entries: { target: Expression; value: Expression | undefined }[] = [];
  do {
    // A pattern is written like an expression; with its value it reads like an assignment.
    const whole = parser.expression();
    entries.push(
      whole.type === 'assign' && whole.sign === '='
        ? { target: whole.target, value: whole.value }
        : { target: whole, value: undefined },
    );
  } while (cursor.take(','));
  return { type: 'declare', entries };
}

function inParentheses(cursor: Cursor): Expression {
  cursor.expect('(');
  const value = parserOf(cursor).expression();
  cursor.expect(')');
  return value;
}

/** A branch: one statement, nothing where there is only a semicolon. */
function branch(cursor: Cursor): Statement {
  return { type: 'block', body: cursor.is('{') ? block(cursor) : statements(cursor) };
}

function condition(cursor: Cursor): Statement {
  const test = inParentheses(cursor);
  const yes = branch(cursor);
  return { type: 'if', test, yes, no: cursor.take('else') ? branch(cursor) : undefined };
}

function doLoop(cursor: Cursor): Statement {
  const body = branch(cursor);
  cursor.expect('while');
  return { type: 'while', test: inParentheses(cursor), body, bodyFirst: true };
}

function loop(cursor: Cursor): Statement {
  cursor.expect('(');
  const over = eachLoop(cursor);
  if (over) return over;
  const parser = parserOf(cursor);
  const first = cursor.is(';') ? undefined : statement(cursor);
  cursor.expect(';');
  const test = cursor.is(';') ? undefined : parser.expression();
  cursor.expect(';');
  const step = cursor.is(')') ? undefined : parser.expression();
  cursor.expect(')');
  return { type: 'for', first, test, step, body: branch(cursor) };
}

/** `for (const x of xs)`, if it is one; else nothing is taken. */
function eachLoop(cursor: Cursor): Statement | undefined {
  const begin = cursor.at;
  if (/^(?:const|let|var)$/.test(cursor.token.text)) cursor.next();
  const simple = cursor.token.kind === 'name' || cursor.is('[') || cursor.is('{');
  const pattern = cursor.token.kind === 'name';
  const target: Expression | undefined = !simple
    ? undefined
    : pattern
      ? { type: 'name', name: cursor.name() }
      : parserOf(cursor).expression();
  const over = cursor.token.text;
  if (!target || (over !== 'of' && over !== 'in')) {
    cursor.at = begin;
    return undefined;
  }
  cursor.next();
  const items = parserOf(cursor).expression();
  cursor.expect(')');
  return { type: 'for-each', over, target, items, body: branch(cursor) };
}

function attempt(cursor: Cursor): Statement {
  const body = branch(cursor);
  let parameter: Expression | undefined;
  let handler: Statement | undefined;
  if (cursor.take('catch')) {
    if (cursor.is('(')) parameter = inParentheses(cursor);
    handler = branch(cursor);
  }
  return { type: 'try', body, parameter, handler, last: cursor.take('finally') ? branch(cursor) : undefined };
}

function choice(cursor: Cursor): Statement {
  const value = inParentheses(cursor);
  const cases: { test: Expression | undefined; body: Statement[] }[] = [];
  cursor.expect('{');
  while (!cursor.take('}')) {
    const isDefault = cursor.take('default');
    if (!isDefault) cursor.expect('case');
    const test = isDefault ? undefined : parserOf(cursor).expression();
    cursor.expect(':');
    const body: Statement[] = [];
    while (!cursor.is('case') && !cursor.is('default') && !cursor.is('}')) body.push(...statements(cursor));
    cases.push({ test, body });
  }
  return { type: 'switch', value, cases };
}

function importation(cursor: Cursor): Statement {
  const names: { imported: string; local: string }[] = [];
  if (cursor.token.kind === 'string') return { type: 'import', from: stringOf(cursor.next().text), names };
  do {
    if (cursor.take('{'))
      names.push(
        ...cursor.list('}', () => renamed(cursor)).map(([imported, local]) => ({ imported, local })),
      );
    else if (cursor.take('*')) {
      cursor.expect('as');
      names.push({ imported: '*', local: cursor.name() });
    } else names.push({ imported: 'default', local: cursor.name() });
  } while (cursor.take(','));
  cursor.expect('from');
  const from = stringOf(cursor.next().text);
  if (cursor.is('with')) throw new Unsupported('import attributes');
  return { type: 'import', from, names };
}

function renamed(cursor: Cursor): readonly [string, string] {
  const name = cursor.name();
  return [name, cursor.take('as') ? cursor.name() : name];
}

function exportation(cursor: Cursor): Statement {
  if (cursor.take('{')) {
    const names = cursor.list('}', () => renamed(cursor)).map(([local, exported]) => ({ local, exported }));
    if (cursor.is('from')) throw new Unsupported('re-exports');
    return { type: 'export', declaration: undefined, names };
  }
  if (cursor.take('*')) throw new Unsupported('re-exports');
  if (!cursor.take('default')) {
    const declaration = statement(cursor);
    if (declaration.type !== 'declare') throw new Unsupported('this export');
    const names = declaration.entries.flatMap(({ target }) =>
      target.type === 'name' ? [{ local: target.name, exported: target.name }] : [],
    );
    return { type: 'export', declaration, names };
  }
  // Not a name that a program could use.
  const local = '*default*';
  const value = parserOf(cursor).expression();
  return {
    type: 'export',
    declaration: { type: 'declare', entries: [{ target: { type: 'name', name: local }, value }] },
    names: [{ local, exported: 'default' }],
  };
}
