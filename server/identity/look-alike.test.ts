import { expect, test } from 'vitest';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { apiForThisFile } from '../kernel/testing/api-of-a-test.ts';
import { call, changeAdmin, changeRole } from '../kernel/testing/call.ts';
import { sqlSession } from '../kernel/testing/sql.ts';
import { testDesktopCredential as as } from '../kernel/testing/test-api.ts';

const running = apiForThisFile();
const newAdmin = (name: string) =>
  call(running().port, adminsHttp.create, { as, body: { name, password: 'a long password', role: null } });
const newRole = (name: string) =>
  call(running().port, rolesHttp.create, { as, body: { name, permissions: [] } });

// Guarantee: a name that looks like another admin's or role's is refused, whether it is wholly in another script or has
// single letters of one; names that only share a letter may coexist, accents tell people apart, and an admin can keep
// their own name.
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

// Guarantee: a name that is wholly in capitals of another script is refused if these look like Latin ones.
test.each([
  ['Mike', 'ΜΙΚΕ'],
  ['Zoe', 'Ζοε'],
  ['NINA', 'ΝΙΝΑ'],
  ['Peter', 'ᏢᎬᎢᎬᎡ'],
  ['Lisa Ray', 'ꓡꓲꓢꓮ ꓣꓮꓬ'],
  ['Yam', 'ᎽᎪᎷ'],
  ['Max', 'ϺΑΧ'],
])('%s beside %s', async (latin, alike) => {
  expect((await newAdmin(latin)).status).toBe(200);
  expect((await newAdmin(alike)).json.code).toBe('NAME_TAKEN');
});

// Guarantee: the same holds for letters that look like small Latin ones, whichever case their script has them in.
test.each([
  ['Yew', 'үҽѡ'],
  ['bib', 'ЬꙆЬ'],
  ['Finqw', 'քւռգա'],
  ['hid', 'ᏂᎥᏧ'],
])('%s beside %s', async (latin, alike) => {
  expect((await newAdmin(latin)).status).toBe(200);
  expect((await newAdmin(alike)).json.code).toBe('NAME_TAKEN');
});

// Guarantee: look-alike names from before this check do not prevent removing permissions; taking such a name stays refused.
test('a look-alike from before', async () => {
  const { port, databaseUrl } = running();
  const { json: admin } = await newAdmin('Someone');
  const { json: other } = await newAdmin('Another');
  const { json: role } = await newRole('Helpers');
  await newAdmin('Cope');
  await newRole('Cop');
  await using sql = await sqlSession(databaseUrl);
  await sql.query(`update admins set name = 'Соре', name_key = 'соре' where id = $1`, [admin.id]);
  await sql.query(`update roles set name = 'Сор', name_key = 'сор' where id = $1`, [role.id]);
  const change = (id: unknown, edit: object) => changeAdmin(port, { as, id: String(id), edit });
  expect((await change(admin.id, { disabled: true })).status).toBe(200);
  expect((await change(admin.id, { name: 'СОРЕ', role: null })).status).toBe(200);
  expect((await change(other.id, { name: 'СОРЕ' })).json.code).toBe('NAME_TAKEN');
  const narrowed = await changeRole(port, {
    as,
    id: String(role.id),
    edit: { name: 'Сор', permissions: [] },
  });
  expect(narrowed.status).toBe(200);
});
