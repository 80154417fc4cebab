import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import { auditHttp } from '#contracts/kernel/audit.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, changeAdmin, customRole, newApiKey, newServer, person } from '../../kernel/testing/call.ts';
import { testDesktopCredential as as } from '../../kernel/testing/test-api.ts';
import { type ModdedServer, openModdedServer } from '../testing/modded-server.ts';
import { joinModsAgent } from '../testing/mods-agent.ts';
import { emptyList, uploadedMod } from '../testing/sample-mods.ts';

const running = apiForThisFile();
const db = () => running().api.context.database.db;

const list = { ...emptyList, installed: [uploadedMod('one'), uploadedMod('two')] };
const open = () => openModdedServer(running().port, { list });
const removing = (name: string) => ({ do: 'remove', key: `upload:${name}` }) as const;
const beginning = ({ id: serverId }: ModdedServer, plan: string, token: string = as) =>
  call(running().port, modsHttp.begin, { as: token, params: { serverId }, body: { plan } });

// Guarantee: a change waits while the license is rejected, says so, and continues by itself once it is valid; a result for
// what the agent already had counts once the agent is admitted again.
test('a license that is refused for a while', async () => {
  using server = await open();
  const { license } = running().api;
  const first = await server.begin(await server.plan(removing('one')));
  const task = await server.agent.nextChange();
  const second = await server.begin(await server.plan(removing('two')));
  license.set('rejected', 'REVOKED');
  // In between, all requests are refused and no agents are admitted.
  const rowOf = ({ id }: { readonly id: string }) =>
    db().selectFrom('mod_jobs').select(['state', 'waits_for']).where('id', '=', id).executeTakeFirst();
  await eventually(async () =>
    expect([await rowOf(first), await rowOf(second)]).toEqual([
      { state: 'running', waits_for: null },
      { state: 'waiting', waits_for: 'license' },
    ]),
  );
  server[Symbol.dispose]();
  license.set('valid');
  using again = await joinModsAgent(running().port, server.id, {
    identity: server.agent.power.identity,
    list,
  });
  again.finish({ ...task, change: (await again.nextChange()).change });
  const { id } = await again.nextChange();
  expect(id).toBe(second.id);
  again.power.end(id, 'refused', 'The mods have changed since the plan was made.');
  await server.ended('failed', second);
  expect(await rowOf(first)).toEqual({ state: 'done', waits_for: null });
  expect(again.changes.map((change) => change.id)).toEqual([first.id, second.id]);
});

// Guarantee: a change that still waits when its person loses the right is not made.
test('a person who loses the right while a change waits', async () => {
  using server = await open();
  const { port } = running();
  const role = await customRole(port, ['servers.read', 'mods.read', 'mods.write']);
  const ada = await person(port, { role });
  await server.begin(await server.plan(removing('one')));
  const task = await server.agent.nextChange();
  const { json } = await beginning(server, (await server.plan(removing('two'))).id, ada.token);
  const demoted = await changeAdmin(port, { as, id: ada.id, edit: { role: 'viewer' } });
  expect([json.state, demoted.status]).toEqual(['waiting', 200]);
  server.agent.finish(task);
  expect(await server.ended('failed', { id: String(json.id) })).toMatchObject({
    detail: `${ada.name} can no longer change the mods of this server.`,
  });
  expect(server.agent.changes).toHaveLength(1);
});

// Guarantee: a plan that is too old, deleted or never made begins nothing.
test('a plan that is too old', async () => {
  using server = await open();
  const { id } = await server.plan(removing('one'));
  await sql`update mod_plans set expires_at = now() - interval '1 second' where id = ${id}`.execute(db());
  expect((await beginning(server, id)).json.code).toBe('MOD_PLAN_OUTDATED');
  await db().deleteFrom('mod_plans').where('id', '=', id).execute();
  const refused = await beginning(server, id);
  expect([refused.status, refused.json.code]).toEqual([409, 'MOD_PLAN_OUTDATED']);
  expect((await server.read()).job).toBeNull();
  expect(server.agent.changes).toEqual([]);
});

const pin = ({ id: serverId }: { readonly id: string }, key: string, body: object, token: string = as) =>
  call(running().port, modsHttp.pin, {
    as: token,
    params: { serverId, key },
    body: body as { reason: string; until: string | null },
  });
const unpin = ({ id: serverId }: { readonly id: string }, key: string, token: string = as) =>
  call(running().port, modsHttp.unpin, { as: token, params: { serverId, key } });

// Guarantee: a pin is set, replaced and released over HTTP, each audited once with its contents; it is shown with its mod
// and binds plans.
test('a pin', async () => {
  using server = await open();
  const key = 'upload:one';
  const first = await pin(server, key, { reason: 'breaks farms', until: null });
  expect(first.json).toMatchObject({ reason: 'breaks farms', until: null, byName: expect.any(String) });
  await pin(server, key, { reason: 'loses chests', until: '2.1 is out' });
  const seen = async () => (await server.read()).list?.installed.find((mod) => mod.key === key)?.pin;
  expect(await seen()).toMatchObject({ reason: 'loses chests', until: '2.1 is out' });
  expect((await unpin(server, key)).status).toBe(200);
  expect((await unpin(server, key)).status).toBe(200);
  expect(await seen()).toBeNull();
  const { json } = await call(running().port, auditHttp.list, { as });
  const rows = json.rows as { action: string; target: string; before: unknown; after: unknown }[];
  expect(
    rows
      .filter(({ target, action }) => target === `server:${server.id}` && /pin$/.test(action))
      .map(({ action, before, after }) => [action, before ?? after])
      .reverse(),
  ).toEqual([
    ['mods.pin', { key, reason: 'breaks farms', until: null }],
    ['mods.pin', { key, reason: 'loses chests', until: '2.1 is out' }],
    ['mods.unpin', { key, reason: 'loses chests', until: '2.1 is out' }],
  ]);
});

test('pins that are none', async () => {
  using server = await open();
  const reason = { reason: 'why', until: null };
  for (const [key, body] of [
    ['nonsense', reason],
    ['upload:..%2F', reason],
    ['upload:one', { reason: '', until: null }],
    ['upload:one', { reason: 'x'.repeat(501), until: null }],
    ['upload:one', { ...reason, by: 'Eve' }],
  ] as const)
    expect((await pin(server, key, body)).status, JSON.stringify([key, body])).toBe(400);
  expect((await pin({ id: 'clx0000000000000000000000' }, 'upload:one', reason)).json.code).toBe('NOT_FOUND');
});

// Guarantee: a reader of mods changes nothing, and a program's API key begins no change of one server or of several,
// whatever else it may do.
test('readers and programs', async () => {
  const { port } = running();
  using server = await open();
  const elsewhere = await newServer(port);
  const reader = await person(port, { role: await customRole(port, ['mods.read']) });
  const body = { reason: 'why', until: null };
  const { id: plan } = await server.plan(removing('one'));
  const writes = (serverId: string, token: string) =>
    Promise.all([
      pin({ id: serverId }, 'upload:one', body, token),
      unpin({ id: serverId }, 'upload:one', token),
      call(port, modsHttp.plan, { as: token, params: { serverId }, body: { wishes: [removing('one')] } }),
      call(port, modsHttp.begin, { as: token, params: { serverId }, body: { plan } }),
      call(port, modsHttp.beginUpload, {
        as: token,
        params: { serverId },
        body: { name: 'a.jar', bytes: 1 },
      }),
      call(port, modsHttp.sharePlayerList, { as: token, params: { serverId }, body: { isShared: true } }),
    ]);
  for (const { json } of await writes(server.id, reader.token)) expect(json.code).toBe('FORBIDDEN');
  const permissions: Permission[] = ['mods.read', 'mods.write'];
  const { key } = await newApiKey(port, as, { name: 'script', permissions, expiresInDays: 1 });
  const begun = await beginning(server, plan, key);
  expect(begun.json.code).toBe('PERSON_REQUIRED');
  const wave = await call(port, modsHttp.beginWave, {
    as: key,
    body: { servers: [elsewhere], wish: { do: 'update-all' } },
  });
  expect(wave.json.code).toBe('PERSON_REQUIRED');
  expect(server.agent.changes).toEqual([]);
});
