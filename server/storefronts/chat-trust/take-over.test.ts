import { beforeAll, expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { agentsHttp } from '#contracts/servers/agents.ts';
import { type GameServerChange, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { productDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { chatTrustDiscordHttp } from '#contracts/storefronts/chat-trust.ts';
import { eventually } from '#harness/eventually.ts';
import { type SevenDaysSimulator, startSevenDays } from '../../../tests/simulators/seven-days-simulator.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, newApiKey, newServer, person, signIn } from '../../kernel/testing/call.ts';
import { asDiscord } from '../../kernel/testing/discord-user.ts';
import { balanceOf, grantPoints } from '../../kernel/testing/store-rows.ts';
import { testAgentSecret, testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { chatTrustOf, trustChat } from '../../kernel/testing/trust-chat.ts';
import {
  agentIdentity,
  answered,
  joinSocket,
  type SocketAgent,
} from '../../servers/agents/testing/scripted-agent.ts';

const running = apiForThisFile({ pollingIntervalMs: 200 });
const owner = { as: testDesktopCredential };
const port = () => running().port;
const pool = () => running().api.context.database.pool;
const game = 'seven-days-to-die';

const serverOf = (simulator: SevenDaysSimulator) => {
  const { password } = simulator;
  return newServer(port(), { game, host: '127.0.0.1', port: simulator.port, password });
};
const playerOn = (serverId: string, name: string) =>
  eventually(async () => {
    const { rows } = await pool().query<{ id: string; member_id: string; platform_id: string }>(
      `select player.id, member_id, platform_id from players as player join player_sessions as stay on stay.player_id = player.id
       where stay.server_id = $1 and player.name = $2 and left_at is null`,
      [serverId, name],
    );
    const [player] = rows;
    if (!player) throw new Error(`${name} is not seen yet`);
    return player;
  }, 30_000);
const told = ({ world }: SevenDaysSimulator, count: number) =>
  eventually(() => {
    expect(world.messages).toHaveLength(count);
    return world.messages[count - 1]?.text ?? '';
  }, 20_000);
const change = async (as: string, id: string, edit: Omit<GameServerChange, 'version'>) => {
  const { json } = await call(port(), gameServersHttp.read, { ...owner, params: { id } });
  const body = { version: Number(json.version), ...edit };
  return call(port(), gameServersHttp.change, { as, params: { id }, body });
};
const keyWith = async (permissions: Permission[]) => {
  const { token } = await person(port(), { role: 'owner' });
  return (await newApiKey(port(), token, { name: 'k', permissions, expiresInDays: 1 })).key;
};
/** What has been taken from a member with 100 points, or is about to be. */
const takenFrom = async (memberId: string) => {
  const orders = await pool().query('select id from orders where member_id = $1', [memberId]);
  const codes = await pool().query('select member_id from member_link_codes where member_id = $1', [
    memberId,
  ]);
  const questions = await pool().query(
    'select asked.id from chat_confirmations as asked join players on players.id = asked.player_id where member_id = $1',
    [memberId],
  );
  return {
    rows: [orders.rowCount, codes.rowCount, questions.rowCount],
    balance: await balanceOf(pool(), memberId),
  };
};
const nothing = { rows: [0, 0, 0], balance: 100 };
const off = /^Buying and linking by chat are switched off/;
const isNew = /^You are new on this server/;

/** Someone who plays on another server, and has points there. */
const victim = async (home: SevenDaysSimulator, name: string) => {
  home.world.join(name);
  const player = await playerOn(await serverOf(home), name);
  await grantPoints(pool(), player.member_id, 100);
  return player;
};

beforeAll(async () => {
  await call(port(), settingsHttp.change, {
    ...owner,
    params: { section: 'chat-shop' },
    body: { version: 0, values: { isOpen: true } },
  });
  const body = productDraft.parse({
    name: 'Wood',
    price: 10,
    shortCode: 'WOOD',
    game,
    lines: [{ kind: 'command', command: 'say wood', needsPlayer: false }],
    isEnabled: true,
  });
  await call(port(), storeHttp.create, { ...owner, body });
});

// Guarantee: who may change one server's address, and shows a player of another server on it, can neither spend that
// player's points nor link them; a day and an owner's trust later the player's own way is as short as ever.
test('a take-over by the console', async () => {
  await using home = await startSevenDays();
  await using own = await startSevenDays();
  await using attacker = await startSevenDays();
  const { member_id: memberId } = await victim(home, 'Vic');
  const serverId = await serverOf(own);
  await trustChat(port(), serverId);
  const key = await keyWith(['servers.read', 'servers.write']);
  const { password } = attacker;
  const moved = await change(key, serverId, { host: '127.0.0.1', port: attacker.port, password });
  expect(moved.status, moved.text).toBe(200);
  expect(await chatTrustOf(port(), serverId)).toMatchObject({ isTrusted: false, endedBy: 'address' });

  attacker.world.join('Vic');
  const { id: playerId } = await playerOn(serverId, 'Vic');
  for (const [count, line] of ['!link', '!buy WOOD', '!buy 123456'].entries()) {
    attacker.world.chat('Vic', line);
    expect(await told(attacker, count + 1)).toMatch(off);
  }
  expect(await takenFrom(memberId)).toEqual(nothing);
  const back = { host: '127.0.0.1', port: own.port, password: own.password };
  expect((await change(key, serverId, back)).status).toBe(200);
  expect((await chatTrustOf(port(), serverId)).isTrusted).toBe(false);

  // Trusted again, the server's word counts for no one it has not shown for a day since.
  await trustChat(port(), serverId);
  await pool().query(
    `update player_sessions set recorded_at = now() - interval '1 year' where server_id = $1`,
    [serverId],
  );
  own.world.join('Vic');
  await eventually(async () => expect((await playerOn(serverId, 'Vic')).id).toBe(playerId));
  own.world.chat('Vic', '!buy WOOD');
  expect(await told(own, 1)).toMatch(isNew);
  expect(await takenFrom(memberId)).toEqual(nothing);
  await pool().query(`update chat_trusts set origin_since = now() - interval '2 days' where server_id = $1`, [
    serverId,
  ]);
  await pool().query(
    `update player_sessions set recorded_at = now() - interval '25 hours' where server_id = $1`,
    [serverId],
  );
  own.world.chat('Vic', '!buy WOOD');
  expect(await told(own, 2)).toMatch(/^Wood: 10 points\. To buy it, type !buy \d{6}$/);
});

// Guarantee: nor can who may replace one server's agent.
test('a take-over by an agent', async () => {
  await using home = await startSevenDays();
  const { member_id: memberId, platform_id: platformId } = await victim(home, 'Vera');
  const serverId = await newServer(port(), { game });
  const identity = () => agentIdentity(serverId, testAgentSecret);
  const join = async (): Promise<SocketAgent> => {
    const agent = await joinSocket(port(), identity(), { changes: { game } });
    agent.send({ v: 1, type: 'command-journal', journal: 'j'.repeat(22) });
    return agent;
  };
  const first = await join();
  first[Symbol.dispose]();
  await first.closed;
  await trustChat(port(), serverId);
  const as = await keyWith(['servers.read', 'agents.write']);
  const replaced = await call(port(), agentsHttp.replace, { as, params: { serverId } });
  expect(replaced.status, replaced.text).toBe(200);
  using agent = await join();
  expect(await chatTrustOf(port(), serverId)).toMatchObject({ isTrusted: false, endedBy: 'agent' });

  const players = [{ name: 'Vera', platformId, handle: '171' }];
  agent.send({ v: 1, type: 'heartbeat', number: 1, state: 'online', detail: null, players });
  await playerOn(serverId, 'Vera');
  const player = { name: 'Vera', platformId };
  for (const [index, text] of ['!link', '!buy WOOD'].entries())
    agent.send({
      v: 1,
      type: 'events',
      events: [{ number: index + 1, kind: 'chat', player, text, ageMs: 0 }],
    });
  const done = new Set<string>();
  await eventually(() => {
    for (const frame of agent.frames) {
      if (frame.type !== 'command' || done.has(frame.id)) continue;
      done.add(frame.id);
      const reply = frame.command.startsWith('pm') ? 'Message to Vera sent.' : '';
      agent.send({ v: 1, type: 'result', commandId: frame.id, result: answered(reply) });
    }
    const whispers = agent.frames.filter(
      (frame) => frame.type === 'command' && frame.command.startsWith('pm'),
    );
    expect(whispers).toHaveLength(2);
  }, 20_000);
  expect(await takenFrom(memberId)).toEqual(nothing);
});

// Guarantee: a person confirms a change of address or agent, a new password ends nothing, and only the person whose
// player it is confirms a newcomer in Discord.
test('what ends the trust, and who makes a newcomer known', async () => {
  await using own = await startSevenDays();
  const serverId = await serverOf(own);
  await trustChat(port(), serverId);
  const someone = await person(port(), { role: 'owner' });
  const session = await signIn(port(), someone.name, someone.password);
  const elsewhere = { host: '192.0.2.1', password: 'x' };
  expect((await change(session, serverId, elsewhere)).json.code).toBe('STEP_UP_REQUIRED');
  const replaced = await call(port(), agentsHttp.replace, { as: session, params: { serverId } });
  expect(replaced.json.code).toBe('STEP_UP_REQUIRED');
  expect((await change(session, serverId, { password: own.password })).status).toBe(200);
  expect((await chatTrustOf(port(), serverId)).isTrusted).toBe(true);

  own.world.join('Nina');
  const { id: playerId, member_id: memberId } = await playerOn(serverId, 'Nina');
  await grantPoints(pool(), memberId, 100);
  own.world.chat('Nina', '!buy WOOD');
  expect(await told(own, 1)).toMatch(isNew);
  const nina = asDiscord({ id: '300000000000000001' });
  const body = { playerId, serverId };
  const stranger = await call(port(), chatTrustDiscordHttp.confirm, { ...nina, body });
  expect(stranger.json.code).toBe('DISCORD_NOT_LINKED');
  await pool().query(`update members set discord_id = '300000000000000001' where id = $1`, [memberId]);
  await pool().query(`insert into members (discord_id) values ('300000000000000002')`);
  const other = asDiscord({ id: '300000000000000002' });
  expect((await call(port(), chatTrustDiscordHttp.confirm, { ...other, body })).json.code).toBe('NOT_FOUND');
  const listed = await call(port(), chatTrustDiscordHttp.newcomers, nina);
  expect(listed.json.rows).toMatchObject([{ playerId, playerName: 'Nina', serverId }]);
  expect((await call(port(), chatTrustDiscordHttp.confirm, { ...nina, body })).status).toBe(200);
  expect((await call(port(), chatTrustDiscordHttp.newcomers, nina)).json.rows).toEqual([]);
  own.world.chat('Nina', '!buy WOOD');
  expect(await told(own, 2)).toMatch(/^Wood: 10 points/);
});
