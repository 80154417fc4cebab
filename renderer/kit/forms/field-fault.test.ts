import { expect, test } from 'vitest';
import * as z from 'zod';
import { wordTaken } from '#contracts/kernel/problem-document.ts';
import { refusalWords } from './fault-words.ts';
import { fieldFault, sentValue } from './field-fault.ts';
import { fieldShape } from './field-shape.ts';

const shapeOf = (schema: z.ZodType) =>
  fieldShape(z.toJSONSchema(z.strictObject({ field: schema }), { io: 'input' }), 'field');

// Guarantee: a form is drawn from the schema alone, for every kind of field that the API can declare.
test('the shape of each kind of field', () => {
  expect(shapeOf(z.string().min(2).max(5).default('ab'))).toMatchObject({
    kind: 'text',
    minLength: 2,
    maxLength: 5,
    isNullable: false,
  });
  expect(shapeOf(z.int().default(1))).toMatchObject({
    kind: 'number',
    isWhole: true,
    min: Number.NEGATIVE_INFINITY,
    max: Number.POSITIVE_INFINITY,
  });
  expect(shapeOf(z.number().min(0).max(1))).toMatchObject({ kind: 'number', isWhole: false, min: 0, max: 1 });
  expect(shapeOf(z.boolean())).toMatchObject({ kind: 'flag' });
  expect(shapeOf(z.enum(['a', 'b']).nullable())).toEqual({
    kind: 'choice',
    options: ['a', 'b'],
    isNullable: true,
  });
  expect(shapeOf(z.array(z.string().max(3)).max(2))).toMatchObject({ kind: 'texts', maxItems: 2 });
});

// Guarantee: a field that this panel does not support is shown and cannot be edited; a mangled schema breaks nothing.
test.each([
  ['an object', shapeOf(z.object({ a: z.string() }))],
  ['two kinds', shapeOf(z.union([z.string(), z.number()]))],
  ['numbers to choose from', shapeOf(z.literal([1, 2]))],
  ['no schema', fieldShape(undefined, 'field')],
  ['an inherited name', fieldShape({ properties: {} }, 'constructor')],
  ['a mangled one', fieldShape({ properties: { field: { type: 7 } } }, 'field')],
])('%s is unknown', (_name, shape) => {
  expect(shape.kind).toBe('unknown');
  expect(fieldFault(shape, 'anything')).toBeNull();
});

// Guarantee: a pattern in another dialect is left to the API.
test('a pattern that is none here', () => {
  const shape = fieldShape({ properties: { field: { type: 'string', pattern: '(?<x' } } }, 'field');
  expect(fieldFault(shape, 'anything')).toBeNull();
});

const name = z.string().min(2).max(4);
const channel = z
  .string()
  .regex(/^\d{3,5}$/)
  .nullable();
// Guarantee: a value that the schema forbids is reported before it is sent.
test.each([
  [name, '', { kind: 'missing' }],
  [name, 'a', { kind: 'tooShort', limit: 2 }],
  [name, 'abcde', { kind: 'tooLong', limit: 4 }],
  [name, 'abc', null],
  [channel, '', null],
  [channel, '12', { kind: 'form' }],
  [channel, '1234', null],
  [z.url(), 'nothing', { kind: 'address' }],
  [z.int().min(1).max(9), '', { kind: 'missing' }],
  [z.int().min(1).max(9), '-', { kind: 'number' }],
  [z.int().min(1).max(9), 1.5, { kind: 'whole' }],
  [z.int().min(1).max(9), 0, { kind: 'tooSmall', limit: 1 }],
  [z.int().min(1).max(9), 10, { kind: 'tooLarge', limit: 9 }],
  [z.int().nullable(), '', null],
  [z.enum(['a']), null, { kind: 'missing' }],
  [z.array(z.string().max(2)).min(1).max(2), [], { kind: 'tooFew', limit: 1 }],
  [z.array(z.string().max(2)).max(2), ['a', 'b', 'c'], { kind: 'tooMany', limit: 2 }],
  [
    z.array(z.string().max(2)).max(2),
    ['abc'],
    { kind: 'item', item: 'abc', fault: { kind: 'tooLong', limit: 2 } },
  ],
])('a fault before sending (%#)', (schema, typed, fault) => {
  const shape = shapeOf(schema);
  expect(fieldFault(shape, sentValue(shape, typed))).toEqual(fault);
});

// Guarantee: a refusal that this panel knows is shown in the reader's language, any other one in the API's words.
test('what the API has refused', () => {
  const message = 'must share no word with shopWords';
  const taken = { message, code: wordTaken, values: ['LOJA', 'shop loja'] };
  expect(refusalWords(taken, 'pt-BR')).toBe(
    '“LOJA” já é usada por outro comando (shop loja). Escolha outra palavra.',
  );
  expect(refusalWords(taken, 'en')).toBe(
    '“LOJA” is already used by another command (shop loja). Choose another word.',
  );
  expect(refusalWords({ message }, 'pt-BR')).toBe(`Não aceito: ${message}`);
  expect(refusalWords({ message, code: 'LATER', values: ['a', 'b'] }, 'en')).toBe(`Not accepted: ${message}`);
});
