import { expect, test } from 'vitest';
import * as z from 'zod';
import { languages } from '#contracts/kernel/language.ts';
import { type ValueFault, valueFaultOf, valueFaults } from '#contracts/kernel/value-faults.ts';
import { valueFaultWords, wordValueFault, wordValueFaults } from './value-faults.words.ts';

const faultsOf = (schema: z.ZodType, value: unknown): readonly ({ path: string } & ValueFault)[] => {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map((issue) => ({
    path: ['body', ...issue.path].join('.'),
    ...valueFaultOf(issue),
  }));
};

const form = z.strictObject({
  name: z.string().min(2).max(4),
  port: z.int().min(1).max(9).optional(),
  url: z.url().optional(),
  items: z.array(z.string()).min(1).optional(),
  note: z.string().regex(/^a$/, 'must be one line').optional(),
  mode: z.enum(['a', 'b']).optional(),
});

// Guarantee: every fault that a schema finds has one of our codes and our words, never those of the validation library.
test.each([
  [{}, 'is missing', 'Nome: Este campo é obrigatório.'],
  [{ name: 7 }, 'must be text', 'Nome: Digite um texto.'],
  [{ name: 'a' }, 'must have at least 2 characters', 'Nome: Digite pelo menos 2 caracteres.'],
  [{ name: 'abcde' }, 'must have at most 4 characters', 'Nome: Digite no máximo 4 caracteres.'],
  [{ name: 'ab', port: 10 }, 'must be at most 9', 'Porta: O maior valor é 9.'],
  [{ name: 'ab', port: 1.5 }, 'must be a whole number', 'Porta: Digite um número inteiro.'],
  [
    { name: 'ab', url: 'x' },
    'must be a web address',
    'Endereço: Digite um endereço da web que comece com https:// ou http://.',
  ],
  [{ name: 'ab', items: [] }, 'must have at least 1 entries', 'Itens: Escolha pelo menos 1 item.'],
  [{ name: 'ab', note: 'b' }, 'must be one line', 'Observação: Digite uma só linha.'],
  [{ name: 'ab', mode: 'c' }, 'must be one of a, b', 'Escolha um dos valores possíveis.'],
  [{ name: 'ab', more: 1 }, 'holds a field that is not known here', 'O Castellan não conhece este campo.'],
])('%j', (value, message, inPortuguese) => {
  const faults = faultsOf(form, value);
  expect(faults.map((fault) => fault.message)).toEqual([message]);
  expect(wordValueFaults(faults, 'pt-BR')).toBe(inPortuguese);
});

// Guarantee: every code has words in both languages, with the value that it names.
test.each(Object.keys(valueFaults))('%s', (code) => {
  const [english, portuguese] = languages.map((language) =>
    wordValueFault({ code, values: ['7'] }, language),
  );
  expect(english).toBeTruthy();
  expect(portuguese).not.toBe(english);
  for (const language of languages) {
    const phrase = valueFaultWords[language][code as keyof typeof valueFaults];
    if (typeof phrase !== 'string') expect(phrase('7')).toContain('7');
  }
});

// Guarantee: a code from a newer API, or a name that every object has, is shown as unknown instead of breaking the page.
test('what is not known', () => {
  expect(wordValueFault({ code: 'LATER' }, 'en')).toBeNull();
  expect(wordValueFault({ code: 'constructor' }, 'en')).toBeNull();
  expect(wordValueFaults([{ path: 'body.constructor', code: 'missing' }], 'en')).toBe(
    'This field is required.',
  );
});
