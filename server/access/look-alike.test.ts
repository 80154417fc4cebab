import { expect, test } from 'vitest';
import { adminsHttp } from '#contracts/admins.ts';
import { rolesHttp } from '#contracts/roles.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { call } from '../testing/call.ts';
import { testDesktopCredential as as } from '../testing/test-api.ts';

const running = apiForThisFile();
const newAdmin = (name: string) =>
  call(running().port, adminsHttp.create, { as, body: { name, password: 'a long password', role: null } });
const newRole = (name: string) =>
  call(running().port, rolesHttp.create, { as, body: { name, permissions: [] } });

// Guarantee: a name that looks like another admin's or role's is refused, wholly in another script or with single letters of
// one; names that only share a letter stand beside each other, accents tell people apart, and one's own name can be kept.
test('names that look like another’s', async () => {
  const first = await newAdmin('Ope Cox');
  expect(first.status).toBe(200);
  for (const alike of ['Оре Сох', 'оре Cox'])
    expect([(await newAdmin(alike)).json.code, alike]).toEqual(['NAME_TAKEN', alike]);
  expect((await newAdmin('Оpе Соx')).json.code).toBe('INVALID_REQUEST');
  for (const other of ['Opé Cox', 'Ope Coxe', 'Иван']) expect((await newAdmin(other)).status).toBe(200);
  const { json } = await newAdmin('Иван Cox');
  const kept = await call(running().port, adminsHttp.change, {
    as,
    params: { id: String(json.id) },
    body: { version: 1, name: 'ИВАН Cox' },
  });
  expect(kept.status).toBe(200);
  expect((await newRole('Ope')).status).toBe(200);
  expect((await newRole('Оре')).json.code).toBe('NAME_TAKEN');
});
