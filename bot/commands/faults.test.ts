import { expect, test } from 'vitest';
import { problems } from '#contracts/kernel/problems.ts';
import { problemsPtBr } from '#contracts/kernel/problems-pt-br.ts';
import { ApiProblem } from '../api-client.ts';
import { faultText } from './faults.ts';

// Guarantee: a person reads a refusal in their own language, also one of which the API alone knows the details.
test('a refusal without words of the bot', () => {
  const code = 'NO_SUCH_COMMAND';
  const { title, status } = problems[code];
  const detail = 'Palworld has no such command.';
  const refused = new ApiProblem(status, { type: 'about:blank', title, status, code, detail });
  expect(faultText(refused, 'en')).toBe(detail);
  expect(faultText(refused, 'pt')).toBe(problemsPtBr[code].meaning);
});
