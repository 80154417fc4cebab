import { expect, test } from 'vitest';
import { valueFault } from '#contracts/kernel/value-faults.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { fieldErrorOf } from './field-errors.ts';

const refused = (code: 'NAME_TAKEN' | 'SERVER_ADDRESS_TAKEN' | 'INVALID_REQUEST', errors?: object[]) =>
  new ApiProblem({ type: 'x', title: code, status: 409, code, ...(errors && { errors }) } as never, null);

// Guarantee: what the API says of a field stands at that field, in the reader's language, and at no other.
test('at their field', () => {
  const taken = refused('SERVER_ADDRESS_TAKEN', [
    { path: 'body.host', ...valueFault('address-taken', 'Fjord') },
  ]);
  expect(fieldErrorOf(taken, 'host', 'en')).toBe('The server “Fjord” already has this address.');
  expect(fieldErrorOf(taken, 'host', 'pt-BR')).toBe('O servidor “Fjord” já tem este endereço.');
  expect(fieldErrorOf(taken, 'port', 'en')).toBeNull();
  const large = refused('INVALID_REQUEST', [{ path: 'body.port', ...valueFault('too-large', 65_535) }]);
  expect(fieldErrorOf(large, 'port', 'pt-BR')).toBe('O maior valor é 65535.');
  expect(fieldErrorOf(refused('NAME_TAKEN'), 'name', 'en')).toMatch(/^This name is in use/);
  expect(fieldErrorOf(refused('NAME_TAKEN'), 'host', 'en')).toBeNull();
  const code = refused('NAME_TAKEN', [{ path: 'body.code', ...valueFault('taken') }]);
  expect(fieldErrorOf(code, 'code', 'pt-BR')).toBe('Isto já está em uso. Escolha outro.');
  expect(fieldErrorOf(code, 'name', 'en')).toBeNull();
  expect(fieldErrorOf(new Error('else'), 'name', 'en')).toBeNull();
});
