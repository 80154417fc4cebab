// @module-tag identity

import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { eventsHttp } from '#contracts/kernel/events.ts';
import { licenseStateHttp } from '#contracts/license/license-state.ts';
import { healthHttp, stackHealth } from '#contracts/operations/health.ts';
import { secretsHttp, secretsStatus } from '#contracts/operations/secrets.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { agentCloseCodes } from '#contracts/servers/agent-protocol.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { desktopKey, fillDatabaseBefore, scriptKey, sessionToken } from '#harness/database-before.ts';
import { eventually } from '#harness/eventually.ts';
import { type ApiProcess, type Installation, install } from '#harness/installation.ts';
import { emptyOwnedDatabase } from '#harness/owned-database.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { migrations } from '../../server/kernel/database/migrations.ts';
import { sqlSession } from '../../server/kernel/testing/sql.ts';
import {
  type AgentIdentity,
  agentIdentity,
  answered,
  greetSocket,
  joinSocket,
} from '../../server/servers/agents/testing/scripted-agent.ts';

let installation: Installation;
let api: ApiProcess;
let agent: AgentIdentity;

beforeAll(async () => {
  installation = await install({}, emptyOwnedDatabase);
  // Variables of other versions, and of other programs that use the same file.
  await appendFile(
    stackEnvPath(installation.home),
    '\n# From before.\nALERT_WEBHOOK_URL=https://hooks.example/1\nNODE_ENV=production\n',
  );
  const { databaseUrl, variables } = installation;
  agent = agentIdentity('fjord', variables.GAME_AGENT_SECRET);
  const configKey = variables.CONFIG_ENCRYPTION_KEY ?? '';
  await fillDatabaseBefore({ databaseUrl, configKey, agentKey: agent.agentKey });
  api = await installation.startApi();
});

afterAll(() => installation[Symbol.asyncDispose]());

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await api.fetch(path, { headers });
  expect(answer.status, path).toBe(200);
  return answer.json();
};
const bearing = (credential: string) => ({ Authorization: `Bearer ${credential}` });

// Guarantee: the current program starts with the data folder and the database of the previous version, no matter what that left
// in them, and the license stays valid.
test('a healthy stack over an old home', async () => {
  const health = stackHealth.parse(await ask(healthHttp.stack.path));
  expect(health.components).toMatchObject({ database: { status: 'ok' }, secrets: { status: 'ok' } });
  expect(await ask(licenseStateHttp.status.path)).toMatchObject({ state: 'valid' });
  await using sql = await sqlSession(installation.databaseUrl);
  expect(await sql.query('select name from schema_migrations order by name')).toEqual(
    Object.keys(migrations).map((name) => ({ name })),
  );
});

// Guarantee: old credentials still work: a browser's cookie, a script's key, a desktop's key.
test('the credentials of before', async () => {
  const byCookie = await ask(accountHttp.me.path, { Cookie: `castellan_session=${sessionToken}` });
  expect(byCookie).toMatchObject({ kind: 'admin', id: 'ana' });
  expect(await ask(accountHttp.me.path, bearing(scriptKey))).toMatchObject({ kind: 'api-key', id: 'script' });
  expect(await ask(accountHttp.me.path, bearing(desktopKey))).toMatchObject({ kind: 'desktop', id: 'Ana' });
  expect(await ask(eventsHttp.list.path, bearing(scriptKey))).toHaveProperty('rows');
});

// Guarantee: old servers, history and events are readable, including an event of a removed kind.
test('the history of before', async () => {
  expect(await ask(gameServersHttp.list.path)).toMatchObject({ rows: [{ id: 'fjord', name: 'Fjord' }] });
  expect(await ask(consoleHttp.history.path)).toMatchObject({
    rows: [{ serverId: 'fjord', command: 'list', outcome: 'answered', reply: 'There are 0 players' }],
  });
  const { rows } = (await ask(eventsHttp.list.path)) as { rows: { kind: string }[] };
  expect(rows.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['secrets.reencrypted', 'stack.started']),
  );
});

// Guarantee: values and secrets of removed settings stay untouched; known ones are read, and re-encryption covers all of them.
test('the settings of before', async () => {
  const { sections } = (await ask(settingsHttp.list.path)) as {
    sections: { name: string; values: object; secrets: object }[];
  };
  const section = (name: string) => sections.find((each) => each.name === name);
  expect(section('general')?.values).toMatchObject({ communityName: 'Fjordland', timeZone: 'UTC' });
  expect(section('general')?.values).not.toHaveProperty('motto');
  expect(section('external-services')?.secrets).toMatchObject({ steamApiKey: { set: true, fault: null } });
  expect(section('notifications')).toBeUndefined();

  expect((await api.fetch(secretsHttp.reencrypt.path, { method: 'POST' })).status).toBe(200);
  await eventually(async () => {
    const status = secretsStatus.parse(await ask(secretsHttp.status.path));
    expect(status).toMatchObject({ total: 2, unreadable: 0, damaged: 0, reencryption: { state: 'done' } });
  }, 30_000);
});

// Guarantee: an agent with protocol version 1 that the old database pins, and that never names its memory of commands, connects
// and carries out a command; an agent with another key is refused.
test('the Game Agent of before', async () => {
  const port = Number(installation.variables.API_PORT);
  using stranger = await greetSocket(port, agentIdentity('fjord', installation.variables.GAME_AGENT_SECRET));
  expect(await stranger.closed).toMatchObject({ code: agentCloseCodes.refused });
  using old = await joinSocket(port, agent);
  old.heartbeat(1, []);
  await old.next('ack');

  const run = api.fetch(consoleHttp.run.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ serverIds: ['fjord'], command: 'time query day' }),
  });
  const { id, command } = await old.next('command');
  expect(command).toBe('time query day');
  old.send({ v: 1, type: 'accepted', commandIds: [id] });
  old.send({ v: 1, type: 'result', commandId: id, result: answered('The time is 7') });
  expect(await old.next('received')).toMatchObject({ commandIds: [id] });
  expect(await (await run).json()).toMatchObject({
    entries: [{ serverId: 'fjord', outcome: 'answered', reply: 'The time is 7', via: 'agent' }],
  });
});
