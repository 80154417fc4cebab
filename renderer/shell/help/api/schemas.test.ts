import { expect, test } from 'vitest';
import type { Schema, Schemas } from './open-api.ts';
import { exampleOf, fieldsOf, limitsOf, resolve, typeOf } from './schemas.ts';

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const schemas: Schemas = {
  Node: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      parent: ref('Node'),
      children: { type: 'array', items: ref('Node') },
    },
    required: ['name', 'parent', 'children'],
  },
  Ping: ref('Pong'),
  Pong: ref('Ping'),
  Alias: ref('Node'),
  Base: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  Both: { allOf: [ref('Base'), ref('Both'), { properties: { note: { type: 'string' } } }] },
};

// Guarantee: schemas that contain themselves, or refer to each other in a cycle, end; none makes the page hang.
test('circles', () => {
  expect(resolve(ref('Alias'), schemas)).toBe(schemas.Node);
  expect(resolve(ref('Ping'), schemas)).toEqual({});
  expect(resolve(ref('Nothing'), schemas)).toEqual({});
  expect(exampleOf(ref('Node'), schemas)).toEqual({ name: 'text', parent: null, children: [null] });
  expect(exampleOf(ref('Ping'), schemas)).toEqual({});
  expect(fieldsOf(schemas.Both ?? {}, schemas).map(({ name }) => name)).toEqual(['id', 'note']);
  expect(exampleOf(ref('Both'), schemas)).toEqual({ id: 1 });
  expect(typeOf(ref('Ping'))).toBe('Ping');
});

// Guarantee: an example of a huge schema stays small enough to read.
test('a huge schema', () => {
  const wide = (depth: number): Schema =>
    depth === 0
      ? { type: 'string' }
      : {
          type: 'object',
          properties: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, wide(depth - 1)])),
          required: Array.from({ length: 30 }, (_, at) => `f${at}`),
        };
  const example = JSON.stringify(exampleOf(wide(3), {}));
  expect(example.length).toBeLessThan(10_000);
  const list = Array.from({ length: 50 }).reduce<Schema>((items) => ({ type: 'array', items }), {});
  expect(typeOf(list)).toBe('list of list of list of list of list of any');
});

test.each<[Schema, string]>([
  [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
  [{ type: 'array', items: ref('Node') }, 'list of Node'],
  [{ enum: ['a', 'b'] }, '"a" | "b"'],
  [{ const: 'x' }, '"x"'],
  [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, 'string or integer'],
  [{ anyOf: ['a', 'b', 'c', 'd'].map((value) => ({ const: value })) }, 'one of 4'],
  [{}, 'any'],
])('type of %j', (schema, type) => expect(typeOf(schema)).toBe(type));

test.each<[Schema, string[]]>([
  [{ type: 'string', minLength: 1, maxLength: 64 }, ['1 to 64 characters']],
  [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, ['at least 0']],
  [{ type: 'array', maxItems: 3 }, ['at most 3 entries']],
  [{ type: 'string', pattern: '^a$', default: 'a' }, ['fits ^a$', '"a" if left out']],
])('limits of %j', (schema, limits) => expect(limitsOf(schema)).toEqual(limits));

test('an example has what is required and no more', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      at: { type: 'string', format: 'date-time' },
      kind: { enum: ['kick', 'ban'] },
      count: { type: 'integer', minimum: 5 },
      list: { type: 'array', items: { type: 'boolean' } },
      none: { type: 'array', items: { type: 'string' }, minItems: 0 },
      left: { type: 'string' },
    },
    required: ['at', 'kind', 'count', 'list', 'none'],
  };
  expect(exampleOf(schema, {})).toEqual({
    at: '2026-01-31T12:00:00.000Z',
    kind: 'kick',
    count: 5,
    list: [true],
    none: [],
  });
});
