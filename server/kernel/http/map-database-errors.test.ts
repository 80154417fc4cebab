import { expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { setupHttp } from '#contracts/operations/setup.ts';
import { Secret } from '#runtime/secret.ts';
import { ask } from '../testing/ask.ts';
import { call } from '../testing/call.ts';
import { startTestApi } from '../testing/test-api.ts';

// Guarantee: while the database is unavailable, a sign-in or a session request is told so, and no error is called internal.
test('the database is not there yet', async () => {
  const databaseUrl = new Secret('postgresql://castellan:none@127.0.0.1:1/castellan');
  await using api = await startTestApi({ databaseUrl });
  for (const answer of [
    await call(api.port, setupHttp.state),
    await call(api.port, accountHttp.me, { as: `cse_${'A'.repeat(43)}` }),
    await call(api.port, accountHttp.me, { as: `cst_abc_${'A'.repeat(43)}` }),
  ])
    expect([answer.status, answer.json.code]).toEqual([503, 'DATABASE_UNAVAILABLE']);
  expect((await ask(api.port, '/api/%zz')).status).toBeLessThan(500);
});
