import type { JsonSchemaType } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { misfitsOf } from '#addons/mcp/tools/schema-check';

const words = (value: unknown, schema: unknown) =>
  misfitsOf(value, schema).map(({ path, rule }) => `${path.join('.')}: ${rule}`);

test('what doesn’t fit is told with its field and its rule', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-z]+$' },
      count: { type: 'integer', minimum: 1, exclusiveMaximum: 5, multipleOf: 2 },
      kind: { enum: ['a', 'b'] },
      tags: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
      at: { $ref: '#/$defs/point' },
    },
    required: ['name', 'kind'],
    additionalProperties: false,
    $defs: { point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
  };
  expect([
    words({ name: 'abc', kind: 'a', count: 2, tags: ['x'], at: { x: 1 } }, schema),
    words({}, schema),
    words({ name: 'ABCD', kind: 'c', count: 7, tags: ['x', 'x', 1], at: {}, more: 1 }, schema),
    words([], schema),
  ]).toEqual([
    [],
    ['name: it is required', 'kind: it is required'],
    [
      'name: it may have at most 3 characters',
      'name: it must match the pattern "^[a-z]+$"',
      'kind: it must be one of "a", "b"',
      'count: it must be less than 5',
      'count: it must be a multiple of 2',
      'tags: no value may stand in it twice',
      'tags.2: it must be string, not number',
      'at.x: it is required',
      'more: there is no such field',
    ],
    [': it must be object, not array'],
  ]);
});

test('of several forms the nearest is told of', () => {
  const schema = {
    oneOf: [
      { properties: { kind: { const: 'file' }, path: { type: 'string' } }, required: ['kind', 'path'] },
      { properties: { kind: { const: 'url' }, url: { type: 'string' } }, required: ['kind', 'url'] },
    ],
  };
  expect([
    words({ kind: 'url', url: 'x' }, schema),
    words({ kind: 'url' }, schema),
    words({ a: 1 }, { oneOf: [{}, {}] }),
  ]).toEqual([
    [],
    ['url: it is required (the nearest of 2 forms)'],
    [': it fits 2 forms of "oneOf", where it may fit only one'],
  ]);
});

test('names from the language’s own objects are fields like others', () => {
  const schema = JSON.parse(
    '{"properties":{"__proto__":{"type":"string"}},"required":["constructor","toString"],"additionalProperties":false}',
  ) as unknown;
  expect([
    words({}, schema),
    words(JSON.parse('{"__proto__":1,"constructor":1,"toString":1}'), schema),
  ]).toEqual([
    ['constructor: it is required', 'toString: it is required'],
    [
      '__proto__: it must be string, not number',
      'constructor: there is no such field',
      'toString: there is no such field',
    ],
  ]);
});

test('patterns that may never end are left to the server', () => {
  const evil = 'a'.repeat(50_000);
  for (const pattern of [
    '^(a+)+$',
    '^(a|a)*$',
    '(a*)*b',
    '^(?=(a+))\\1$',
    '^a*a*a*a*a*b$',
    '^([a-z]+\\d?){5,}$',
    '(',
    'a'.repeat(1000),
  ])
    expect(
      words(
        { a: `${evil}!`, b: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' },
        { properties: { a: { pattern }, b: { pattern } } },
      ),
    ).toEqual([]);
  expect(words('ab1', { pattern: '^[a-z]+$' })).toEqual([': it must match the pattern "^[a-z]+$"']);
});

test('a check of any schema and any value ends in bounded work', () => {
  const refs = (key: string) => ({
    [key]: [{ $ref: '#/$defs/d0' }],
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        n === 39
          ? { type: 'string' }
          : { [key]: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    ),
  });
  const round = {
    anyOf: [
      { properties: { a: { $ref: '#' } }, required: ['no'] },
      { properties: { a: { $ref: '#' } }, required: ['no'] },
    ],
  };
  const deep = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`) as unknown;
  const tooMuch = [': they can’t be checked: the schema makes too much work of them'];
  expect([
    words(1, refs('allOf')),
    words(1, refs('oneOf')),
    words(1, { $ref: '#' }),
    words({ a: 1 }, { allOf: [{ $ref: '#' }] }),
    words(deep, round),
    words('x'.repeat(500), { allOf: Array.from({ length: 5000 }, () => ({ pattern: 'x*x*y' })) }),
  ]).toEqual([tooMuch, tooMuch, tooMuch, tooMuch, tooMuch, tooMuch]);
});

test('a megabyte of arguments under an ordinary schema is checked whole', () => {
  const schema = {
    type: 'object',
    properties: {
      rows: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: { type: 'integer' }, name: { type: 'string', pattern: '^[\\w ]+$' } },
          required: ['id'],
        },
      },
    },
  };
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `the row with number ${id}` }));
  expect([words({ rows }, schema), words({ rows: [...rows, {}] }, schema)]).toEqual([
    [],
    ['rows.20000.id: it is required'],
  ]);
});

test('says yes and no as the validator of the official SDK does', () => {
  const ajv = new AjvJsonSchemaValidator();
  /** Undefined where the code that it makes of a schema throws. */
  const ofSdk = (schema: unknown, each: unknown): boolean | undefined => {
    try {
      return ajv.getValidator(schema as JsonSchemaType)(each).valid;
    } catch {
      return undefined;
    }
  };
  const scalar = fc.oneof(
    fc.constantFrom('', 'a', 'ab', 'abc'),
    fc.integer({ min: -2, max: 3 }),
    fc.constantFrom(0.5, true, false, null),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
    ),
  }));
  const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');
  const small = fc.integer({ min: 0, max: 3 });
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc.record({ type: types }),
      fc.record(
        {
          type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
          enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
          const: scalar,
          properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { maxKeys: 2 }),
          required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
          additionalProperties: tie('schema'),
          patternProperties: fc.record({ '^[ab]$': tie('schema') }),
          propertyNames: tie('schema'),
          minProperties: small,
          maxProperties: small,
          dependentRequired: fc.record({ a: fc.constantFrom(['b'], []) }),
          items: tie('schema'),
          prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          contains: tie('schema'),
          minItems: small,
          maxItems: small,
          uniqueItems: fc.boolean(),
          minLength: small,
          maxLength: small,
          pattern: fc.constantFrom('^a', 'b$', '^$', '[bc]+'),
          minimum: small,
          exclusiveMaximum: small,
          multipleOf: fc.constantFrom(1, 2, 0.5),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          not: tie('schema'),
          if: tie('schema'),
          // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
          then: tie('schema'),
          else: tie('schema'),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  const plain = (each: unknown) => JSON.parse(JSON.stringify(each)) as unknown;
  void fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 5 }), (written, values) => {
      const whole = { allOf: [plain(written)] };
      for (const each of values.map(plain)) {
        const valid = ofSdk(whole, each);
        if (valid !== undefined) expect([each, misfitsOf(each, whole).length === 0]).toEqual([each, valid]);
      }
    }),
    { numRuns: 250 },
  );
});
