import { expect, test } from 'vitest';
import { catalogueTransferHttp } from '#contracts/store/catalogue-transfer.ts';
import { apiForThisFile } from '../../../kernel/testing/api-of-a-test.ts';
import { ask } from '../../../kernel/testing/ask.ts';
import { call, customRole, newApiKey, person, signIn } from '../../../kernel/testing/call.ts';
import { testDesktopCredential } from '../../../kernel/testing/test-api.ts';

const api = apiForThisFile();
const file = JSON.stringify({ format: 'castellan-catalogue', version: 1, products: [] });

const send = (token: string) =>
  ask(api().port, catalogueTransferHttp.import.path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: file,
  });

// Guarantee: whole commands are exported only for actors who may change products, and only a person who has confirmed again imports.
test('who exports and who imports', async () => {
  const { port } = api();
  const reader = await person(port, { role: await customRole(port, ['store.read']) });
  const writer = await person(port, { role: await customRole(port, ['store.read', 'store.write']) });
  const { key } = await newApiKey(port, testDesktopCredential, {
    name: 'script',
    permissions: ['store.write'],
    expiresInDays: 30,
  });
  const status = async (token: string) =>
    (await call(port, catalogueTransferHttp.export, { as: token })).status;
  expect([await status(reader.token), await status(writer.token), await status(key)]).toEqual([
    403, 200, 200,
  ]);
  expect((await send(reader.token)).json.code).toBe('FORBIDDEN');
  expect((await send(key)).json.code).toBe('PERSON_REQUIRED');
  expect((await send(await signIn(port, writer.name, writer.password))).json.code).toBe('STEP_UP_REQUIRED');
  expect((await send(writer.token)).json).toMatchObject({ created: 0, faultsTotal: 0 });
});
