import { expect, test } from 'vitest';
import { testAccount } from '#harness/test-account.ts';
import { accountName } from './account-name.ts';

// Guarantee: however many ask for the name of an account at once, as when all processes are listed, it is looked up once; later it is
// looked up again, since the number may belong to another account by then.
test('names of accounts', async () => {
  const asked = accountName(0);
  expect(accountName(0)).toBe(asked);
  expect(await asked).toBe('root');
  expect(await accountName(4_000_000)).toBe(null);
});

test.skipIf(process.getuid?.() !== 0)('an account that is gone', async () => {
  const account = await testAccount();
  expect(await accountName(account.uid)).toBe(account.name);
  await account[Symbol.asyncDispose]();
  expect(await accountName(account.uid)).not.toBe(account.name);
});
