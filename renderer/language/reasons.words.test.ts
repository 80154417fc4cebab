import { expect, test } from 'vitest';
import { reasons } from '#contracts/reasons.ts';
import { wordDetail, wordReason } from './reasons.words.ts';

// Guarantee: what the API says by itself is read in the reader's language, with what it names and the sentences within it; what is
// stored is the English text, so that rows of before are worded too.
test.each([
  ['Cancelled by Ada.', 'Cancelado por Ada.'],
  ['Cancelled by an operator.', 'Cancelado por um operador.'],
  [
    'The amount must be a whole number from 1 to 6400.',
    'A quantidade precisa ser um número inteiro de 1 a 6400.',
  ],
  [
    'Line 2: What follows the item must be [components] or {data}, complete.',
    'Linha 2: Depois do item só podem vir [componentes] ou {dados}, completos.',
  ],
  [
    'It stopped selling by itself: Line 1 cannot be given: There is no such item.',
    'Parou de ser vendido sozinho: A linha 1 não pode ser dada: Este item não existe.',
  ],
  ['Connection reset by peer', 'Connection reset by peer'],
])('%s', (said, inPortuguese) => {
  expect(wordReason(said, 'en')).toBe(said);
  expect(wordReason(said, 'pt-BR')).toBe(inPortuguese);
});

// Guarantee: no sentence stays English, and none loses what it names.
test('every sentence is worded', () => {
  for (const sentence of Object.values(reasons)) {
    const count = typeof sentence === 'string' ? 0 : sentence.length;
    const values = Array.from({ length: count }, (_, index) => `«value ${index}»`);
    const said =
      typeof sentence === 'string' ? sentence : (sentence as (...all: string[]) => string)(...values);
    const worded = wordReason(said, 'pt-BR');
    expect(worded).not.toBe(said);
    for (const value of values) expect(worded).toContain(value);
  }
});

// Guarantee: a refusal that names a product first keeps its name; what others say is not taken for the API's.
test('the detail of a problem', () => {
  const said = 'Chest: gold: A member can have 1 in all, and has 0.';
  expect(wordDetail(said, 'en')).toBe(said);
  expect(wordDetail(said, 'pt-BR')).toBe('Chest: gold: Um membro pode ter 1 no total, e tem 0.');
  expect(wordDetail('It has ended already.', 'pt-BR')).toBe('Já terminou.');
  expect(wordDetail('read ECONNRESET: the peer is gone', 'pt-BR')).toBeNull();
});
