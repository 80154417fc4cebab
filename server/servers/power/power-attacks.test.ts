import { beforeAll, expect, test } from 'vitest';
import { discordRightsHttp } from '#contracts/discord/discord-rights.ts';
import { agentTasksHttp } from '#contracts/servers/agent-tasks-http.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type PowerRequest, powerHttp } from '#contracts/servers/power.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import {
  call,
  changeAdmin,
  customRole,
  newApiKey,
  newServer,
  person,
  signIn,
} from '../../kernel/testing/call.ts';
import { asDiscord } from '../../kernel/testing/discord-user.ts';
import {
  testDesktopCredential as desktop,
  testAgentSecret,
  testBotSecret,
} from '../../kernel/testing/test-api.ts';
import { agentIdentity, greetSocket } from '../agents/testing/scripted-agent.ts';
import { joinPowerAgent, type PowerAgent, stoppedReport } from './testing/power-agent.ts';

const running = apiForThisFile();

/** A server whose game an attacker targets, and one on which the attacker has every permission. */
let victim: { readonly serverId: string; readonly agent: PowerAgent };
let own: { readonly serverId: string; readonly agent: PowerAgent };
let forbidden: { readonly serverId: string; readonly agent: PowerAgent };
let archived: string;

const join = async (machine = {}) => {
  const { port, api } = running();
  const serverId = await newServer(port);
  await eventually(() => expect(api.context.servers.directory.get(serverId)).not.toBeNull());
  const agent = await joinPowerAgent(port, serverId, { machine });
  await eventually(async () => {
    const { json } = await call(port, powerHttp.read, { as: desktop, params: { serverId } });
    expect(json.process).toBeTruthy();
  });
  return { serverId, agent };
};

beforeAll(async () => {
  victim = await join();
  own = await join();
  forbidden = await join({ allows: { power: false, files: true, mods: true } });
  archived = await newServer(running().port);
  await call(running().port, gameServersHttp.archive, { as: desktop, params: { id: archived } });
});

interface Attempt {
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly serverId?: string;
  readonly body?: unknown;
}
const stop: PowerRequest = { action: 'stop', countdownSeconds: 0 };
const attempt = async ({ as, headers = {}, serverId = victim.serverId, body = stop }: Attempt) => {
  const { status, json } = await call(running().port, powerHttp.act, {
    ...(as !== undefined && { as }),
    params: { serverId },
    body: body as PowerRequest,
    headers,
  });
  return [status, json.code ?? null];
};
const admin = async (role: string | null, serverGrants: { serverId: string; role: string }[] = []) =>
  (await person(running().port, { role, serverGrants })).token;
const everythingButPower = () =>
  customRole(running().port, [
    'servers.read',
    'servers.write',
    'console.write',
    'agents.write',
    'players.write',
  ]);
const powerRole = () => customRole(running().port, ['servers.read', 'servers.power']);
const keyOf = async (permissions: ('servers.read' | 'servers.power' | 'servers.write')[], role = 'owner') => {
  const { token } = await person(running().port, { role });
  return (await newApiKey(running().port, token, { name: 'k', permissions, expiresInDays: 1 })).key;
};

const attacks: readonly (readonly [string, readonly [number, string | null], () => Promise<Attempt>])[] = [
  ['nobody', [401, 'UNAUTHENTICATED'], async () => ({})],
  ['a token that was made up', [401, 'UNAUTHENTICATED'], async () => ({ as: 'x'.repeat(43) })],
  ['a viewer', [403, 'FORBIDDEN'], async () => ({ as: await admin('viewer') })],
  ['a moderator', [403, 'FORBIDDEN'], async () => ({ as: await admin('moderator') })],
  [
    'everything else on the server',
    [403, 'FORBIDDEN'],
    async () => ({ as: await admin(await everythingButPower()) }),
  ],
  [
    'the permission for another server',
    [403, 'FORBIDDEN'],
    async () => ({ as: await admin(null, [{ serverId: own.serverId, role: await powerRole() }]) }),
  ],
  [
    'a key without the scope',
    [403, 'FORBIDDEN'],
    async () => ({ as: await keyOf(['servers.read', 'servers.write']) }),
  ],
  [
    'a key whose maker has lost the permission',
    [403, 'FORBIDDEN'],
    async () => {
      const { port } = running();
      const maker = await person(port, { role: 'owner' });
      const { key } = await newApiKey(port, maker.token, {
        name: 'k',
        permissions: ['servers.power'],
        expiresInDays: 1,
      });
      expect(
        (await changeAdmin(port, { as: desktop, id: maker.id, edit: { role: 'moderator' } })).status,
      ).toBe(200);
      return { as: key };
    },
  ],
  [
    'an admin who was disabled meanwhile',
    [401, 'UNAUTHENTICATED'],
    async () => {
      const { port } = running();
      const { id, token } = await person(port, { role: 'admin' });
      await changeAdmin(port, { as: desktop, id, edit: { disabled: true } });
      return { as: token };
    },
  ],
  ['the bot itself', [403, 'FORBIDDEN'], async () => ({ as: testBotSecret })],
  [
    'someone in Discord without an admin',
    [403, 'FORBIDDEN'],
    async () => asDiscord({ id: '111111111111111111' }),
  ],
  [
    'someone in Discord whose role may do other things',
    [403, 'FORBIDDEN'],
    async () => {
      const id = '222222222222222222';
      await running()
        .api.context.database.db.insertInto('discord_role_rights')
        .values({
          discord_role_id: id,
          name: 'Staff',
          permissions: ['players.write', 'console.write'],
        } as never)
        .execute();
      return asDiscord({ id: '333333333333333333', roleIds: [id] });
    },
  ],
  [
    'a person in Discord named without the secret of the bot',
    [403, 'FORBIDDEN'],
    async () => ({ ...asDiscord({ id: '111111111111111111' }), as: await admin('viewer') }),
  ],
  [
    'another site, by the cookie of an owner',
    [403, 'CROSS_ORIGIN'],
    async () => {
      const { name, password } = await person(running().port, { role: 'owner' });
      const answer = await fetch(`http://127.0.0.1:${running().port}/api/sessions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, password, transport: 'cookie' }),
      });
      const cookie = answer.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ');
      expect(cookie).not.toBe('');
      return { headers: { Cookie: cookie, Origin: 'https://evil.example' } };
    },
  ],
  ['an archived server', [409, 'SERVER_ARCHIVED'], async () => ({ as: desktop, serverId: archived })],
  ['a server that does not exist', [404, 'NOT_FOUND'], async () => ({ as: desktop, serverId: 'nowhere' })],
  [
    'a machine that does not allow it',
    [409, 'POWER_NOT_ALLOWED'],
    async () => ({ as: desktop, serverId: forbidden.serverId }),
  ],
  [
    'a command in the body',
    [400, 'INVALID_REQUEST'],
    async () => ({ as: desktop, body: { action: 'start', command: ['sh', '-c', 'id'] } }),
  ],
  [
    'a folder in the body',
    [400, 'INVALID_REQUEST'],
    async () => ({ as: desktop, body: { action: 'start', folder: '/etc' } }),
  ],
  [
    'a text of one’s own',
    [400, 'INVALID_REQUEST'],
    async () => ({ as: desktop, body: { ...stop, text: '/op me' } }),
  ],
  ['another action', [400, 'INVALID_REQUEST'], async () => ({ as: desktop, body: { action: 'delete' } })],
  [
    'a countdown without end',
    [400, 'INVALID_REQUEST'],
    async () => ({ as: desktop, body: { action: 'stop', countdownSeconds: 1e9 } }),
  ],
  [
    'a negative countdown',
    [400, 'INVALID_REQUEST'],
    async () => ({ as: desktop, body: { action: 'stop', countdownSeconds: -1 } }),
  ],
  ['a path as a server', [404, null], async () => ({ as: desktop, serverId: '../../agents' })],
];

// Guarantee: an actor who may not start and stop a server is refused, whatever else they may do, and nothing reaches any game.
test.each(attacks)('%s', async (_name, expected, prepare) => {
  const [status, code] = await attempt(await prepare());
  expect(status).toBe(expected[0]);
  if (expected[1] !== null) expect(code).toBe(expected[1]);
  for (const { agent } of [victim, own, forbidden]) expect(agent.tasks).toHaveLength(0);
});

// Guarantee: an agent speaks only for its own server: what another one reports or answers changes nothing of it.
test('an agent of another server', async () => {
  const { port } = running();
  const read = async () =>
    (await call(port, powerHttp.read, { as: desktop, params: { serverId: victim.serverId } })).json;
  const before = (await read()).process;
  const begun = await call(port, powerHttp.act, {
    as: desktop,
    params: { serverId: own.serverId },
    body: { action: 'start' },
  });
  const task = await own.agent.nextTask();
  // It names the other server in a frame that has no field for it, and answers a task that it was never given.
  victim.agent.send({
    v: 1,
    type: 'process',
    serverId: own.serverId,
    process: { ...stoppedReport, state: 'running', pid: 1 },
  } as never);
  victim.agent.end(task.id, 'done', 'forged');
  await eventually(async () => expect((await read()).process).not.toEqual(before));
  const other = (await call(port, powerHttp.read, { as: desktop, params: { serverId: own.serverId } })).json;
  expect(other).toMatchObject({
    act: { id: begun.json.id, outcome: null },
    process: { report: { state: 'stopped' } },
  });
  own.agent.end(task.id, 'done', 'the truth');
  await eventually(async () =>
    expect(
      (await call(port, powerHttp.read, { as: desktop, params: { serverId: own.serverId } })).json,
    ).toMatchObject({
      lastAct: { outcome: 'done', detail: 'the truth' },
    }),
  );
});

// Guarantee: an agent with a key other than the known one is not admitted, and so gets no task.
test('an agent that poses as the one of the server', async () => {
  const { port } = running();
  for (const secret of [testAgentSecret, 'a wrong secret']) {
    using stranger = await greetSocket(port, agentIdentity(victim.serverId, secret));
    await stranger.closed;
    expect(stranger.frames.map(({ type }) => type)).not.toContain('welcome');
  }
});

// Guarantee: what someone else began cannot be cancelled without the permission, nor through another server or the tasks.
test('cancelling what is not theirs', async () => {
  const { port } = running();
  const { serverId, agent } = victim;
  const { json } = await call(port, powerHttp.act, {
    as: desktop,
    params: { serverId },
    body: { action: 'stop', countdownSeconds: 60 },
  });
  const task = await agent.nextTask();
  const actId = String(json.id);
  const outsider = await admin(await everythingButPower());
  const cancel = (as: string, params: { serverId: string; actId: string }) =>
    call(port, powerHttp.cancel, { as, params });
  expect((await cancel(outsider, { serverId, actId })).json.code).toBe('FORBIDDEN');
  expect((await cancel(desktop, { serverId: own.serverId, actId })).json.code).toBe('NOT_FOUND');
  const byTask = await call(port, agentTasksHttp.cancel, { as: outsider, params: { serverId, id: actId } });
  expect(byTask.json.code).toBe('FORBIDDEN');
  expect(agent.cancelled).toEqual([]);
  agent.end(task.id, 'done');
});

// Guarantee: only an admin with a fresh step-up grants the permission, to roles, to admins and to holders of a Discord role.
test('giving the permission', async () => {
  const { port } = running();
  const owner = await person(port, { role: 'owner' });
  const fresh = await signIn(port, owner.name, owner.password);
  const role = await powerRole();
  const admins = await person(port, { role: 'viewer' });
  const give = (as: string) =>
    changeAdmin(port, { as, id: admins.id, edit: { serverGrants: [{ serverId: own.serverId, role }] } });
  expect((await give(fresh)).json.code).toBe('STEP_UP_REQUIRED');
  const mapped = await call(port, discordRightsHttp.set, {
    as: fresh,
    params: { id: '444444444444444444' },
    body: { name: 'Staff', permissions: ['servers.power'] },
  });
  expect(mapped.json.code).toBe('STEP_UP_REQUIRED');
  expect((await give(owner.token)).status).toBe(200);
  // A change that grants nothing more needs no step-up.
  const renamed = await changeAdmin(port, { as: fresh, id: admins.id, edit: { name: 'another name' } });
  expect(renamed.status).toBe(200);
});
