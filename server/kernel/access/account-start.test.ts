import { expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { permissionNames } from '#contracts/identity/permissions.ts';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { call, customRole, newApiKey, person } from '../testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../testing/test-api.ts';

const running = apiForThisFile();
const everything = permissionNames.filter((name) => name !== 'bot.report');
const password = 'a password of the attacker';

/** All permissions, for one day: the key that the attack was seen with. */
const strongestKey = (token: string) =>
  newApiKey(running().port, token, { name: 'all', permissions: everything, expiresInDays: 1 });
const adminsNow = async () =>
  (await call(running().port, adminsHttp.list, { as: testDesktopCredential })).json.rows as Admin[];

// Guarantee: a key with every permission, like the bot's secret, creates no admin, owner, role or key, resets no
// password and no second factor, and changes no permissions; revoking the key ends everything it could do.
test('a key is never the start of an account', async () => {
  const { port } = running();
  const maker = await person(port, { role: 'owner' });
  const victim = await person(port, { role: 'viewer' });
  const role = await customRole(port, ['events.read']);
  const { id, key } = await strongestKey(maker.token);
  const before = await adminsNow();
  const version = before.find((admin) => admin.id === victim.id)?.version ?? 0;

  const attack = (as: string) => [
    call(port, adminsHttp.create, { as, body: { name: 'Mallory', password, role: 'owner' } }),
    call(port, adminsHttp.create, { as, body: { name: 'Mallory', password, role: null } }),
    call(port, adminsHttp.change, { as, params: { id: victim.id }, body: { version, role: 'owner' } }),
    call(port, adminsHttp.remove, { as, params: { id: victim.id } }),
    call(port, adminsHttp.endSessions, { as, params: { id: maker.id } }),
    ...[maker, victim].map((of) =>
      call(port, adminsHttp.resetPassword, {
        as,
        params: { id: of.id },
        body: { password, clearTotp: true },
      }),
    ),
    call(port, rolesHttp.create, { as, body: { name: 'like an owner', permissions: everything } }),
    call(port, rolesHttp.change, {
      as,
      params: { id: role },
      body: { version: 1, name: 'more', permissions: everything },
    }),
    call(port, rolesHttp.remove, { as, params: { id: role } }),
    call(port, apiKeysHttp.create, {
      as,
      body: { name: 'heir', permissions: everything, expiresInDays: 365 },
    }),
    call(port, accountHttp.changePassword, { as, body: { currentPassword: 'x', newPassword: password } }),
    call(port, accountHttp.disableTotp, { as, body: { password: 'x' } }),
    call(port, accountHttp.renewRecoveryCodes, { as, body: { password: 'x' } }),
  ];
  for (const answer of await Promise.all(attack(key)))
    expect([answer.status, answer.json.code], answer.text).toEqual([403, 'PERSON_REQUIRED']);
  for (const answer of await Promise.all(attack(testBotSecret))) expect(answer.status).toBe(403);
  expect(await adminsNow()).toEqual(before);

  expect((await call(port, accountHttp.me, { as: key })).status).toBe(200);
  expect((await call(port, apiKeysHttp.revoke, { as: maker.token, params: { id } })).status).toBe(200);
  for (const answer of await Promise.all(attack(key)))
    expect([answer.status, answer.json.code]).toEqual([401, 'UNAUTHENTICATED']);
  expect(await adminsNow()).toEqual(before);
});

// Guarantee: only an owner touches what belongs to an owner or makes someone an owner, no matter which permissions a role collects.
test('what is an owner’s', async () => {
  const { port } = running();
  const owner = await person(port, { role: 'owner' });
  const { id: ownersKey } = await strongestKey(owner.token);
  const version = (await adminsNow()).find((admin) => admin.id === owner.id)?.version ?? 0;
  for (const role of ['admin', await customRole(port, everything)]) {
    const { token: as } = await person(port, { role });
    const params = { id: owner.id };
    const change = (edit: object) =>
      call(port, adminsHttp.change, { as, params, body: { version, ...edit } });
    const answers = [
      await call(port, adminsHttp.resetPassword, { as, params, body: { password, clearTotp: true } }),
      await call(port, adminsHttp.endSessions, { as, params }),
      await call(port, adminsHttp.remove, { as, params }),
      await change({ name: 'another name' }),
      await change({ disabled: true }),
      await change({ role: 'viewer' }),
      await call(port, adminsHttp.create, { as, body: { name: 'Mallory', password, role: 'owner' } }),
      await call(port, apiKeysHttp.revoke, { as, params: { id: ownersKey } }),
    ];
    for (const { status, json, text } of answers)
      expect([status, json.code], `${role}: ${text}`).toEqual([403, 'FORBIDDEN']);
  }
  expect((await call(port, accountHttp.me, { as: owner.token })).status).toBe(200);
});
