import { expect, test } from 'vitest';
import { accountName } from './account-name.ts';

// Guarantee: however many ask for the name of an account at once, as when all processes are listed, it is looked up once.
test('names of accounts', async () => {
  const asked = accountName(0);
  expect(accountName(0)).toBe(asked);
  expect(await asked).toBe('root');
  expect(await accountName(4_000_000)).toBe(null);
});
