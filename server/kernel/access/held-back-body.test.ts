import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { discordChatHttp } from '#contracts/discord/discord-chat.ts';
import { discordEventsHttp } from '#contracts/discord/discord-events.ts';
import { discordStatusHttp } from '#contracts/discord/discord-status.ts';
import { accountHttp } from '#contracts/identity/account.ts';
import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { desktopAccessHttp } from '#contracts/identity/desktop-access.ts';
import { rolesHttp } from '#contracts/identity/roles.ts';
import type { Endpoint, EndpointBody } from '#contracts/kernel/http.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { Secret } from '#runtime/secret.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { call, changeAdmin, newApiKey, newServer, person } from '../testing/call.ts';
import { sqlSession } from '../testing/sql.ts';
import { testDesktopCredential as as } from '../testing/test-api.ts';

const running = apiForThisFile();
const password = 'a long password';
const anOwner = { name: 'Mallory', password, role: 'owner' };
const aKey = { name: 'k', permissions: ['events.read' as const], expiresInDays: 365 };

interface Held {
  /** Sends the body. @returns status and code of the response */
  finish(): Promise<readonly unknown[]>;
}

/** Sends the head of a request and holds its body back. */
const hold = <const E extends Endpoint>(
  endpoint: E,
  bearer: string,
  body: EndpointBody<E>,
  params: Readonly<Record<string, string>> = {},
): Held => {
  const text = JSON.stringify(body);
  const outgoing = request({
    host: '127.0.0.1',
    port: running().port,
    path: endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? ''),
    method: endpoint.method,
    agent: false,
    headers: {
      Authorization: `Bearer ${bearer}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      [confirmationHeader]: confirmationBy(new Secret(bearer)),
    },
  });
  const answered = new Promise<readonly unknown[]>((resolve, reject) => {
    outgoing.on('response', async (incoming) => {
      resolve([incoming.statusCode, ((await json(incoming)) as { code?: string }).code]);
    });
    outgoing.on('error', reject);
  });
  // If the request is cut off before its result is awaited, the rejection is not unhandled.
  answered.catch(() => undefined);
  outgoing.flushHeaders();
  return {
    finish() {
      outgoing.end(text);
      return answered;
    },
  };
};

/** Resolves when the credential of `table` has been used for a request since `begin` was called. */
const onceLetIn = async <Begun>(table: string, where: string, begin: () => Begun): Promise<Begun> => {
  await using sql = await sqlSession(running().databaseUrl);
  await sql.query(`update ${table} set last_used_at = now() - interval '5 minutes' where ${where}`);
  const begun = begin();
  const isUsed = `select last_used_at > now() - interval '1 minute' as used from ${table} where ${where}`;
  await expect.poll(async () => (await sql.query(isUsed))[0]?.used).toBe(true);
  return begun;
};
const heldBySession = (adminId: string, begin: () => Held) =>
  onceLetIn('sessions', `admin_id = '${adminId}'`, begin);

const adminNames = async () =>
  ((await call(running().port, adminsHttp.list, { as })).json.rows as Admin[]).map(({ name }) => name);

// Guarantee: a session that ends before the body has arrived gives no one anything: no key, no account, no role, no code.
test('a body that comes after the session’s end', async () => {
  const { port } = running();
  const victim = await person(port, { role: 'viewer' });
  const attacks = [
    (thief: string) => hold(apiKeysHttp.create, thief, aKey),
    (thief: string) => hold(adminsHttp.create, thief, anOwner),
    (thief: string) => hold(adminsHttp.resetPassword, thief, { password }, { id: victim.id }),
    (thief: string) => hold(rolesHttp.create, thief, { name: 'all', permissions: ['events.read'] }),
    (thief: string) => hold(accountHttp.renewRecoveryCodes, thief, {}),
    (thief: string) => hold(accountHttp.disableTotp, thief, {}),
  ];
  for (const attack of attacks) {
    const { id, token } = await person(port, { role: 'owner' });
    const held = await heldBySession(id, () => attack(token));
    const reset = await call(port, adminsHttp.resetPassword, { as, params: { id }, body: { password } });
    expect(reset.status).toBe(200);
    expect(await held.finish(), String(attack)).toEqual([401, 'UNAUTHENTICATED']);
  }
  expect(await adminNames()).not.toContain('Mallory');
  expect((await call(port, apiKeysHttp.list, { as })).json.rows).toEqual([]);
});

// Guarantee: permissions that are removed before the body has arrived do not apply to it.
test('a body that comes after a demotion', async () => {
  const { port } = running();
  const { id, token } = await person(port, { role: 'owner' });
  const held = await heldBySession(id, () => hold(adminsHttp.create, token, anOwner));
  await changeAdmin(port, { as, id, edit: { role: 'viewer' } });
  expect(await held.finish()).toEqual([403, 'FORBIDDEN']);
});

// Guarantee: the same holds for what Discord's channels are told, because their readers are not bound by the permissions.
test('a rule for Discord that comes after a demotion, or a session’s end', async () => {
  const { port } = running();
  const channelId = '333333333333333331';
  const rule = { isEnabled: true, channelId, kinds: [], severities: [], serverIds: [], roleId: null };
  const target = { kind: 'server' as const, id: await newServer(port) };
  const message = { isEnabled: true, channelId, target, showsNames: true, joins: [] };
  const ways = { toDiscord: true, toGame: false, fromServers: false };
  const relay = { isEnabled: true, serverId: target.id, channelId, ...ways };
  const words = { version: 0, words: [], treatment: 'mask' as const };
  const attacks = [
    (thief: string) => hold(discordEventsHttp.create, thief, rule),
    (thief: string) => hold(discordStatusHttp.create, thief, message),
    (thief: string) => hold(discordChatHttp.create, thief, relay),
    (thief: string) => hold(discordChatHttp.changeFilter, thief, words),
  ];
  for (const attack of attacks) {
    const { id, token } = await person(port, { role: 'owner' });
    const held = await heldBySession(id, () => attack(token));
    await changeAdmin(port, { as, id, edit: { role: 'viewer' } });
    expect(await held.finish(), String(attack)).toEqual([403, 'FORBIDDEN']);
    const other = await person(port, { role: 'owner' });
    const late = await heldBySession(other.id, () => attack(other.token));
    await call(port, adminsHttp.resetPassword, { as, params: { id: other.id }, body: { password } });
    expect(await late.finish(), String(attack)).toEqual([401, 'UNAUTHENTICATED']);
  }
  expect((await call(port, discordEventsHttp.list, { as })).json.rules).toEqual([]);
  expect((await call(port, discordStatusHttp.list, { as })).json.messages).toEqual([]);
  const { relays, filter } = (await call(port, discordChatHttp.list, { as })).json;
  expect([relays, filter]).toEqual([[], expect.objectContaining({ version: 0 })]);
});

// Guarantee: the same holds for a desktop whose access is revoked.
test('a body that comes after a desktop’s revocation', async () => {
  const { port } = running();
  const attacks = [
    (desktop: string) => hold(desktopAccessHttp.create, desktop, { user: 'Mallory' }),
    (desktop: string) => hold(apiKeysHttp.create, desktop, aKey),
    (desktop: string) => hold(adminsHttp.create, desktop, anOwner),
  ];
  for (const attack of attacks) {
    const { credential } = (await call(port, desktopAccessHttp.create, { as, body: { user: 'Ana' } })).json;
    const [, id = ''] = String(credential).split('_');
    const held = await onceLetIn('desktop_access', `id = '${id}'`, () => attack(String(credential)));
    expect((await call(port, desktopAccessHttp.revoke, { as, params: { id } })).status).toBe(200);
    expect(await held.finish(), String(attack)).toEqual([401, 'UNAUTHENTICATED']);
  }
  expect((await call(port, desktopAccessHttp.list, { as })).json.rows).toEqual([]);
});

// Guarantee: disabling or removing an admin is reported only when nothing that their keys began is still running.
test.each(['disabled', 'removed'])('a request of a key whose maker is %s', async (how) => {
  const { port } = running();
  const { id, token } = await person(port, { role: 'owner' });
  const { key, id: keyId } = await newApiKey(port, token, { ...aKey, permissions: ['settings.write'] });
  const held = await onceLetIn('api_keys', `id = '${keyId}'`, () =>
    hold(settingsHttp.change, key, { version: 0, values: {} }, { section: 'agents' }),
  );
  if (how === 'disabled') await changeAdmin(port, { as, id, edit: { disabled: true } });
  else await call(port, adminsHttp.remove, { as, params: { id } });
  await expect(held.finish()).rejects.toThrow();
});
