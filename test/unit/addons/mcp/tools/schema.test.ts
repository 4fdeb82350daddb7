import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { legalName } from '#addons/mcp/tools/names';
import { modelSchema } from '#addons/mcp/tools/schema';
import { inputSchemaOf } from '#addons/mcp/tools/schema-input';
import type { Api } from '#test/support/model-server/script';
import { type ModelServer, startModelServer } from '#test/support/model-server/server';
import { toolFaults, toolsOf } from '#test/support/tool-schema-rules';
import { eventsOf, modelAt, requestOf, user } from '#test/unit/models/history';

const GOOD = {
  type: 'object',
  properties: { path: { type: 'string', description: 'Which file.' } },
  required: ['path'],
};
const POINT = {
  type: 'object',
  properties: { x: { type: 'number' }, y: { type: 'number' } },
  required: ['x', 'y'],
};

/** One odd schema each, and arguments that the server would take; undefined where no model can be told of the tool. */
const ODD: Readonly<
  Record<string, { readonly schema: unknown; readonly given?: unknown; readonly sent?: unknown }>
> = {
  good: { schema: GOOD, given: { path: 'a' } },
  'refs and defs': {
    schema: {
      type: 'object',
      properties: { at: { $ref: '#/$defs/point' }, to: { $ref: '#/definitions/a~1b%25' } },
      $defs: { point: POINT },
      definitions: { 'a/b%': { type: 'integer' } },
    },
    given: { at: { x: 1, y: 2 }, to: 3 },
  },
  'recursive ref': {
    schema: {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
        },
      },
    },
    given: { name: 'a', children: [{ name: 'b', children: [{ name: 'c', children: [{ name: 'd' }] }] }] },
  },
  'ref to itself': {
    schema: { type: 'object', properties: { a: { $ref: '#' } } },
    given: { a: { a: { a: { a: {} } } } },
  },
  'external ref': {
    schema: { type: 'object', properties: { a: { $ref: 'https://example.com/schema.json#/a' } } },
  },
  'missing ref': { schema: { type: 'object', properties: { a: { $ref: '#/$defs/constructor' } } } },
  'top-level anyOf': {
    schema: {
      anyOf: [
        POINT,
        { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        { type: 'string' },
      ],
    },
    given: { arguments: { name: 'a' } },
    sent: { name: 'a' },
  },
  'top-level oneOf with fields': {
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    given: { a: 'x' },
  },
  'top-level allOf': {
    schema: { allOf: [POINT, { properties: { z: { type: 'number' } }, required: ['z'] }] },
    given: { x: 1, y: 2, z: 3 },
  },
  'no type': { schema: { properties: { a: {} } }, given: { a: { any: ['thing', 1, null] } } },
  nothing: { schema: undefined, given: {} },
  true: { schema: true, given: { a: 1 } },
  false: { schema: false },
  'type arrays': {
    schema: {
      type: ['object', 'null'],
      properties: { a: { type: ['string', 'null', 'array'], items: { type: 'integer' } } },
    },
    given: { a: [1] },
  },
  'a text at the top': { schema: { type: 'string' } },
  'an unknown type': { schema: { type: 'object', properties: { a: { type: 'strnig' } } } },
  const: {
    schema: { type: 'object', properties: { kind: { const: 'a' }, n: { const: 1 }, none: { const: null } } },
    given: { kind: 'a', n: 1, none: null },
  },
  enums: {
    schema: {
      type: 'object',
      properties: {
        mixed: { enum: ['a', 1, null, ''] },
        empty: { type: 'string', enum: ['', 'a'] },
        ints: { type: 'integer', enum: [1, 2] },
        lists: { enum: [[1], [2]] },
        none: { enum: [] },
      },
    },
    given: { mixed: 1, empty: '', ints: 2, lists: [1] },
  },
  'a huge enum': {
    schema: {
      type: 'object',
      properties: { a: { enum: Array.from({ length: 5000 }, (_, n) => `value ${n}`) } },
    },
    given: { a: 'value 4999' },
  },
  formats: {
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'x',
      title: 'T',
      type: 'object',
      properties: {
        at: {
          type: 'string',
          format: 'date-time',
          pattern: '^2',
          default: '2026',
          examples: ['x'],
          deprecated: true,
        },
        n: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.1 },
      },
    },
    given: { at: '2026', n: 0.3 },
  },
  'more fields': {
    schema: {
      type: 'object',
      additionalProperties: { type: ['string', 'number'] },
      patternProperties: { '^x-': {} },
      propertyNames: { pattern: '^[a-z]' },
    },
    given: { a: 1 },
  },
  'lists of all kinds': {
    schema: {
      type: 'object',
      properties: {
        bare: { type: 'array' },
        tuple: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
        old: { type: 'array', items: [{ type: 'string' }, { type: 'string' }] },
        any: { type: 'array', items: true },
        never: { type: 'array', items: false },
      },
    },
    given: { bare: [1], tuple: ['a', 1], old: ['a', 'b'], any: [null], never: [] },
  },
  nullable: {
    schema: { type: 'object', properties: { a: { type: 'string', nullable: true } } },
    given: { a: null },
  },
  'names that providers refuse': {
    schema: {
      type: 'object',
      properties: {
        $filter: { type: 'string' },
        'a b': { type: 'object', properties: { ü: { type: 'number' } }, required: ['ü'] },
        ['x'.repeat(80)]: {},
        '': {},
      },
      required: ['$filter'],
    },
  },
  'names of the language': {
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"string"}},"required":["constructor"]}',
    ),
  },
  'demanded and not described': { schema: { type: 'object', required: ['a'] }, given: { a: [1] } },
  'a field that nothing fits': {
    schema: { type: 'object', properties: { a: false, b: { type: 'string' } }, required: ['b'] },
    given: { b: 'x' },
  },
  'badly typed keywords': {
    schema: {
      type: 'object',
      description: 7,
      properties: {
        a: { type: 'number', minimum: '1', maximum: null },
        b: { type: 'string', maxLength: -1, enum: 'x' },
      },
      required: 'a',
    },
    given: { a: 1, b: 'x' },
  },
  deep: { schema: { type: 'object', properties: { a: nested(45) } }, given: { a: {} } },
  conditions: {
    schema: {
      type: 'object',
      properties: { a: { type: 'string' } },
      if: { required: ['a'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { properties: { b: { type: 'number' } } },
      not: { required: ['c'] },
    },
    given: { a: 'x', b: 1 },
  },
};

function nested(levels: number): unknown {
  return levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } };
}

const definitions = Object.entries(ODD).flatMap(([title, { schema }]) => {
  const input = inputSchemaOf(schema);
  return input.ok ? [{ title, name: legalName({ server: 's', tool: title }), input: input.value }] : [];
});

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses', 'google'];

describe.each(APIS)('%s, through its real provider package', (api) => {
  test('MC-07 takes every tool that a model can be told of; the others cost themselves alone', async () => {
    server.reset([{ text: 'ok' }]);
    const tools = definitions.map(({ name, title }) => {
      const model = modelSchema(ODD[title]?.schema);
      if (!model.ok) throw new Error(model.error);
      return { name, description: title, inputSchema: model.value.schema };
    });
    await eventsOf(modelAt(api, server.url).stream(requestOf([user('go')], { tools })));
    const [request] = server.requests;
    if (!request) throw new Error('nothing was sent');
    expect(toolsOf(api, request.body).length).toBe(Object.keys(ODD).length - 5);
    expect(toolFaults(request)).toEqual([]);
  });
});

test('MC-07 a tool that can’t be told to a model says why', () => {
  const why = Object.entries(ODD).flatMap(([title, { schema }]) => {
    const model = modelSchema(schema);
    return model.ok ? [] : [[title, model.error]];
  });
  expect(why).toEqual([
    [
      'external ref',
      'its input schema can’t be used: it refers to a schema elsewhere (https://example.com/schema.json#/a), which is not fetched',
    ],
    ['missing ref', 'its input schema can’t be used: it refers to #/$defs/constructor, which isn’t in it'],
    ['false', 'its input schema can’t be used: nothing fits it'],
    ['a text at the top', 'its input schema can’t be used: its arguments are no object'],
    ['an unknown type', 'its input schema can’t be used: it speaks of a type "strnig", which there is not'],
  ]);
});

test.each(Object.entries(ODD).filter(([, { given }]) => given !== undefined))(
  'MC-07 arguments for the schema with %s reach the server as it wants them',
  (_title, { schema, given, sent }) => {
    const input = inputSchemaOf(schema);
    expect(input.ok && input.value.safeParse(given)).toEqual({ success: true, data: sent ?? given });
  },
);

test('MC-07 fields that providers refuse have other names for the model and their own for the server', () => {
  const model = modelSchema(ODD['names that providers refuse']?.schema);
  if (!model.ok) throw new Error(model.error);
  const names = Object.keys(model.value.schema['properties'] as object);
  const [filter = '', blank = '', long = '', none = ''] = names;
  expect(names.map((name) => name.replace(/[0-9a-f]{10}$/, '…'))).toEqual([
    '_filter_…',
    'a_b_…',
    `${'x'.repeat(48)}_…`,
    'f__…',
  ]);
  const inner =
    Object.keys(
      (model.value.schema['properties'] as Record<string, { properties: object }>)[blank]?.properties ?? {},
    )[0] ?? '';
  expect(
    model.value.unwrap({ [filter]: 'f', [blank]: { [inner]: 1 }, [long]: [{ [inner]: 2 }], [none]: 0 }),
  ).toEqual({
    $filter: 'f',
    'a b': { ü: 1 },
    ['x'.repeat(80)]: [{ ü: 2 }],
    '': 0,
  });
});

test('what a model is shown says in words what the safe keywords can’t', () => {
  const shown = (schema: unknown) => {
    const model = modelSchema({ type: 'object', properties: { a: schema } });
    return model.ok && (model.value.schema['properties'] as Record<string, unknown>)['a'];
  };
  expect([
    shown({ type: 'string', format: 'uri', description: 'Where.', pattern: '^h' }),
    shown({ enum: [1, 2, 'x y'] }),
    shown({ type: ['integer', 'null'], exclusiveMinimum: 0, description: 'How many.' }),
    shown({ type: 'array', uniqueItems: true, items: { const: 'a' } }),
    shown({ type: 'string', description: `Hi\u{e0041}\u202e 👩‍💻` }),
  ]).toEqual([
    { type: 'string', description: 'Where. Format: uri. Pattern: ^h.' },
    { anyOf: [{ type: 'number' }, { type: 'string' }], description: 'One of 1, 2, "x y".' },
    {
      anyOf: [
        { type: 'integer', description: 'More than: 0.' },
        { type: 'null', description: 'More than: 0.' },
      ],
      description: 'How many. More than: 0.',
    },
    { type: 'array', items: { type: 'string', enum: ['a'] }, description: 'No value twice.' },
    { type: 'string', description: 'Hi\\u{e0041}\\u{202e} 👩‍💻' },
  ]);
});

test('schemas that multiply when they are written out end in bounded time and size', () => {
  const bomb = (key: 'allOf' | 'anyOf' | 'properties') => {
    const twice = (ref: string) =>
      key === 'properties' ? { a: { $ref: ref }, b: { $ref: ref } } : [{ $ref: ref }, { $ref: ref }];
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        n === 39 ? { type: 'string' } : { [key]: twice(`#/$defs/d${n + 1}`) },
      ]),
    );
    return { type: 'object', properties: { x: { $ref: '#/$defs/d0' } }, $defs };
  };
  expect(
    [
      modelSchema(bomb('allOf')),
      modelSchema({
        type: 'object',
        properties: { a: { allOf: [{ $ref: '#/properties/a' }, { $ref: '#/properties/a' }] } },
      }),
    ].map(({ ok }) => ok),
  ).toEqual([false, true]);
  for (const key of ['anyOf', 'properties'] as const) {
    const model = modelSchema(bomb(key));
    expect(!model.ok || JSON.stringify(model.value.schema).length < 64 * 1024).toBe(true);
  }
});

test('a schema of a megabyte, one without end and one of 200 levels are refused or cut, never thrown', () => {
  const fields = (count: number, length: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`f${n}`, { type: 'string', description: 'x'.repeat(length) }]),
    );
  const outcome = (schema: unknown) => {
    const model = modelSchema(schema);
    return model.ok ? 'shown' : model.error.replace(/\d{5,}/, '…');
  };
  expect([
    outcome({ type: 'object', properties: fields(20_000, 40) }),
    outcome({ type: 'object', properties: fields(1000, 1000) }),
    outcome({ type: 'object', properties: { a: nested(200) } }),
    outcome(JSON.parse(`${'{"properties":{"a":'.repeat(20_000)}{}${'}}'.repeat(20_000)}`)),
    outcome(JSON.parse(`${'{"allOf":['.repeat(20_000)}{}${']}'.repeat(20_000)}`)),
  ]).toEqual([
    'its input schema can’t be used: it is too intricate',
    'its input schema takes … characters for a model; 65536 is the most',
    'shown',
    'shown',
    expect.stringContaining('its input schema can’t be used: '),
  ]);
});

test('whatever a server’s schema is, what comes of it is what providers take', () => {
  const leaf = fc.oneof(
    fc.boolean(),
    fc.constant({}),
    fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null') }),
    fc.record({ enum: fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 3 }) }),
    fc.constantFrom({ $ref: '#' }, { $ref: '#/properties/a' }, { $ref: '#/$defs/x' }),
  );
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom('object', 'array', 'string'),
            fc.array(fc.constantFrom('object', 'array', 'string', 'null'), { maxLength: 3 }),
          ),
          properties: fc.dictionary(
            fc.oneof(
              fc.constantFrom('a', 'b', '$c', '__proto__', 'constructor'),
              fc.string({ maxLength: 5 }),
            ),
            tie('schema'),
            { maxKeys: 3 },
          ),
          required: fc.array(fc.constantFrom('a', 'b', '$c', 'z'), { maxLength: 3 }),
          items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
          prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
          anyOf: fc.array(tie('schema'), { maxLength: 3 }),
          oneOf: fc.array(tie('schema'), { maxLength: 3 }),
          allOf: fc.array(tie('schema'), { maxLength: 3 }),
          additionalProperties: tie('schema'),
          const: fc.jsonValue({ maxDepth: 1 }),
          minLength: fc.oneof(fc.integer(), fc.string()),
          minimum: fc.oneof(fc.double(), fc.string()),
          description: fc.oneof(fc.string(), fc.integer()),
          nullable: fc.boolean(),
          $defs: fc.record({ x: tie('schema') }),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  void fc.assert(
    fc.property(schema, (written) => {
      const model = modelSchema(written);
      if (!model.ok) return;
      const tools = [{ name: 't', input_schema: JSON.parse(JSON.stringify(model.value.schema)) }];
      expect(toolFaults({ api: 'anthropic', body: { tools } })).toEqual([]);
    }),
    { numRuns: 1500 },
  );
});
