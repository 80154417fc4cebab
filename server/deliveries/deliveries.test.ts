import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentProtocolVersion, apiFrame } from '#contracts/agent-protocol.ts';
import { eventually } from '#harness/eventually.ts';
import { startMinecraft } from '../../tests/simulators/minecraft-simulator.ts';
import { startSevenDays } from '../../tests/simulators/seven-days-simulator.ts';
import type { Simulator } from '../../tests/simulators/simulator.ts';
import { agentIdentity, answered, joinSocket } from '../agents/testing/scripted-agent.ts';
import { ask } from '../testing/ask.ts';
import { serveFeature } from '../testing/feature-api.ts';
import { bindDeliveriesRoutes } from './deliveries.routes.ts';
import { markIdOf } from './delivery-rows.ts';
import { createRecordingGame } from './testing/recording-game.ts';
import { by, diamond, openStoreInPlay, type StoreInPlay, say } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
const run = (memberId: string) => play.run(memberId);
const newName = () => play.newName();
const recordingServer = () => play.recordingServer();
let game: Simulator;
let direct: string;

beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
  game = await startMinecraft();
  direct = await store.server('minecraft', game);
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await game[Symbol.asyncDispose]();
});

const isConsoleReady = async (memberId: string, id: string) =>
  eventually(async () => {
    await run(memberId);
    expect(await store.row(id)).not.toMatchObject({ waits_for: 'server' });
  });

// Guarantee: what was bought arrives once, in the order in which it was bought, and the game's reply proves it.
test('items arrive by console, in order', async () => {
  const name = newName();
  const { memberId, playerId } = await store.member(name, 'minecraft');
  game.world.join(name);
  store.join(direct, playerId, name);
  const ids = await store.buy(memberId, 'minecraft', [diamond(1), diamond(2), diamond(3)], {
    serverIds: [direct],
  });
  await isConsoleReady(memberId, ids[0] ?? '');
  expect(game.world.given.filter(({ player }) => player === name).map(({ quantity }) => quantity)).toEqual([
    1, 2, 3,
  ]);
  for (const id of ids)
    expect(await store.row(id)).toMatchObject({
      state: 'delivered',
      certainty: 'proven',
      way: 'direct',
      attempts: 1,
    });
});

// Guarantee: absence is no try, and what waits goes on when the player is there.
test('an absent player is waited for', async () => {
  const name = newName();
  const { memberId, playerId } = await store.member(name, 'minecraft');
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [direct] });
  await run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'waiting', waits_for: 'player', attempts: 0 });
  game.world.join(name);
  store.join(direct, playerId, name);
  store.deliveries.onPlayerJoined(playerId);
  await eventually(async () => expect(await store.row(id)).toMatchObject({ state: 'delivered' }));
});

// Guarantee: an item that does not exist fails for good, gives the points back, and its product stops selling.
test('an item that does not exist', async () => {
  const name = newName();
  const { memberId, playerId } = await store.member(name, 'minecraft');
  game.world.join(name);
  store.join(direct, playerId, name);
  const [id = ''] = await store.buy(memberId, 'minecraft', [{ ...diamond(), item: 'no_such_thing' }], {
    serverIds: [direct],
  });
  expect(await store.balance(memberId)).toBe(990);
  await run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'failed', refunded_at: expect.any(Date) });
  expect(await store.balance(memberId)).toBe(1000);
  expect(store.held).toHaveLength(1);
});

// Guarantee: what may have arrived over a console that settles nothing waits for a person, and is not sent again.
test('a lost answer without a record goes to the desk', async () => {
  const name = newName();
  const { memberId, playerId } = await store.member(name, 'minecraft');
  game.world.join(name);
  store.join(direct, playerId, name);
  const before = game.world.given.length;
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [direct] });
  const original = game.quirks.replyDelayMs;
  game.quirks.replyDelayMs = 60_000;
  await run(memberId);
  game.quirks.replyDelayMs = original;
  expect(await store.row(id)).toMatchObject({ state: 'unknown', desk_reason: 'unknown' });
  await run(memberId);
  expect(game.world.given.length).toBeLessThanOrEqual(before + 1);
});

// Guarantee: through an agent the game's record settles a lost answer, so that it is neither lost nor given twice.
test('the record of the game settles a lost answer', async () => {
  const { world, lost, memberId, serverId, name } = await recordingServer();
  lost.next = true;
  const [id = '', next = ''] = await store.buy(memberId, 'minecraft', [diamond(1), diamond(2)], {
    serverIds: [serverId],
  });
  await run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'settled', way: 'agent' });
  expect(await store.row(next)).toMatchObject({ state: 'delivered', certainty: 'proven' });
  expect(world.given).toEqual([`${name} diamond 1`, `${name} diamond 2`]);
});

// Guarantee: after a kill of the API nothing is sent again; what the agent did is asked for.
test('a killed API asks for results', async () => {
  const { world, memberId, serverId, name } = await recordingServer();
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await run(memberId);
  // As if it had died before it wrote down the end.
  await store.database.pool.query(
    `update deliveries set state = 'sending', certainty = null, ended_at = null where id = $1`,
    [id],
  );
  await store.database.pool.query(
    'update delivery_attempts set ended_at = null, outcome = null where delivery_id = $1',
    [id],
  );
  await store.restart();
  await eventually(async () =>
    expect(await store.row(id)).toMatchObject({ state: 'delivered', attempts: 1 }),
  );
  // And with the agent's memory and the API's rows gone.
  await store.database.pool.query(
    `update deliveries set state = 'sending', certainty = null, ended_at = null where id = $1`,
    [id],
  );
  await store.database.pool.query('delete from agent_commands');
  await store.restart();
  await eventually(async () =>
    expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'settled' }),
  );
  expect(world.given).toEqual([`${name} diamond 1`]);
});

// Guarantee: an absent mark of a game that stood meanwhile proves nothing; of one that ran on, that nothing happened.
test('an absent mark counts only while the game ran on', async () => {
  const { world, memberId, serverId } = await recordingServer();
  const [id = '', other = ''] = await store.buy(memberId, 'minecraft', [diamond(1), diamond(2)], {
    serverIds: [serverId],
  });
  await run(memberId);
  const forget = async (delivery: string) => {
    await store.database.pool.query(
      `update deliveries set state = 'sending', certainty = null, ended_at = null where id = $1`,
      [delivery],
    );
    await store.database.pool.query('delete from agent_commands');
    world.marks.delete(markIdOf({ id: delivery, generation: 1 }));
  };
  await forget(id);
  await store.restart();
  // It runs on, so nothing had happened; what may still be on its way is withdrawn, and the next try has another mark.
  await eventually(async () =>
    expect(await store.row(id)).toMatchObject({ state: 'waiting', attempts: 1, generation: 2 }),
  );
  expect(world.marks.get(`${id}-1`)).toBe('2b');
  await forget(other);
  world.crash();
  await store.restart();
  await eventually(async () =>
    expect(await store.row(other)).toMatchObject({ state: 'unknown', desk_reason: 'unknown' }),
  );
});

// Guarantee: what was bought by a member who is merged meanwhile arrives at a player of the one who is left, once.
test('a receiver who is merged meanwhile', async () => {
  const { world, memberId, serverId, name } = await recordingServer();
  const former = await store.member(newName(), 'minecraft');
  const [id = ''] = await store.buy(former.memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await run(former.memberId);
  expect(await store.row(id)).toMatchObject({ state: 'waiting', waits_for: 'player' });
  await store.database.pool.query('update players set member_id = $1 where member_id = $2', [
    memberId,
    former.memberId,
  ]);
  await store.database.pool.query('update members set merged_into = $1 where id = $2', [
    memberId,
    former.memberId,
  ]);
  await run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'delivered' });
  expect(world.given).toEqual([`${name} diamond 1`]);
});

// Guarantee: a product of one game never reaches a server of another, also not by the same member.
test('a product of a game that the member does not play', async () => {
  const { world, memberId } = await recordingServer();
  const [id = ''] = await store.buy(memberId, 'ark-se', [{ ...diamond(), item: '7' }]);
  await run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(world.given).toEqual([]);
});

// Guarantee: ARK's replies prove nothing, so a gift is unconfirmed where the game listed the player right before and right after,
// and waits for the survivor's number, which belongs to player and server.
test('ARK', async () => {
  const serverId = await store.server('ark-asa');
  const heard: string[] = [];
  const name = newName();
  let leavesWithGift = false;
  let isListed = true;
  await store.agent(serverId, (command) => {
    heard.push(command);
    if (command === 'ListPlayers')
      return isListed ? `0. ${name}, 0002c0ffee11d00d4242beef00c0ffee` : 'No Players Connected';
    isListed = !leavesWithGift;
    return 'Server received, But no response!!';
  });
  await eventually(() => expect(store.gateway.gateway.connectionOf(serverId)).not.toBeNull());
  const { memberId, playerId } = await store.member(name, 'ark-asa');
  store.join(serverId, playerId, name);
  const [id = ''] = await store.buy(memberId, 'ark-asa', [{ ...diamond(2), item: '7' }]);
  await run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'waiting', waits_for: 'survivor-number', attempts: 0 });
  await using api = await serveFeature((routes) => bindDeliveriesRoutes(routes, store.deliveries));
  const answer = await ask(api.port, `/api/players/${playerId}/survivor-number`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ serverId, number: '123456' }),
  });
  expect(answer.status).toBe(200);
  await store.deliveries.idle();
  expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'unconfirmed' });
  const gift = 'GiveItemNumToPlayer 123456 7 2 0 0';
  expect(heard).toEqual(['ListPlayers', gift, 'ListPlayers']);
  const shown = await ask(api.port, `/api/deliveries/${id}`);
  expect(shown.json).toMatchObject({
    productName: 'Starter kit',
    memberName: name,
    history: [
      {
        number: 1,
        command: gift,
        outcome: 'answered',
        evidence: { presentBefore: true, presentAfter: true },
      },
    ],
  });
  const page = await ask(api.port, '/api/deliveries?limit=1&state=delivered');
  expect(page.json).toMatchObject({ rows: [{ id }], nextCursor: expect.any(String) });

  // Memory may still have a player who has left: nothing is sent, and absence is no try.
  isListed = false;
  const [next = ''] = await store.buy(memberId, 'ark-asa', [{ ...diamond(2), item: '7' }]);
  await run(memberId);
  expect(await store.row(next)).toMatchObject({ state: 'waiting', waits_for: 'retry', attempts: 0 });
  expect(heard.filter((command) => command === gift)).toHaveLength(1);
  // Gone when the game is asked again, so that no one can tell.
  isListed = true;
  leavesWithGift = true;
  await eventually(async () => {
    await run(memberId);
    expect(await store.row(next)).toMatchObject({ state: 'unknown', desk_reason: 'unknown', attempts: 1 });
  });
});

// Guarantee: an answer over the connection that carried the gift proves that the game ran on, also where its clock lags; over another
// one it proves nothing.
test.each([
  ['the same connection', () => 'one', { state: 'waiting', waits_for: 'player', attempts: 1 }],
  ['another connection', (count: number) => `${count}`, { state: 'unknown', desk_reason: 'unknown' }],
  ['no word of the connection', () => undefined, { state: 'unknown', desk_reason: 'unknown' }],
])('an absent mark, asked for over %s', async (_name, connectionOf, expected) => {
  const world = createRecordingGame();
  const serverId = await store.server('minecraft');
  let count = 0;
  await store.agent(serverId, (command) => {
    count += 1;
    const connection = connectionOf(count);
    // A clock that runs as no world's does, so that it proves nothing.
    const reply = command.includes('gametime') ? `The time is ${count * 1000}` : world.run(command);
    return { ...answered(reply), ...(connection === undefined ? {} : { connection }) };
  });
  await eventually(() => expect(store.gateway.gateway.connectionOf(serverId)).not.toBeNull());
  const name = newName();
  const { memberId, playerId } = await store.member(name, 'minecraft', `minecraft:${randomUUID()}`);
  // There as memory has it, and away as the game has it.
  store.join(serverId, playerId, name);
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await run(memberId);
  expect(await store.row(id)).toMatchObject(expected);
  expect(world.given).toEqual([]);
});

// Guarantee: where the answer of 7 Days to Die is lost, the log's line that the command was executed stands beside the other evidence at
// the desk; it settles nothing.
test('the log as evidence', async () => {
  await using world = await startSevenDays();
  const serverId = await store.server('seven-days-to-die', world);
  const name = newName();
  world.world.join(name);
  const { memberId, playerId } = await store.member(name, 'seven-days-to-die');
  store.join(serverId, playerId, name);
  const item = { ...diamond(3), item: 'resourceWood' };
  const buy = async () =>
    (await store.buy(memberId, 'seven-days-to-die', [item], { serverIds: [serverId] }))[0];
  const first = (await buy()) ?? '';
  await isConsoleReady(memberId, first);
  await eventually(async () => expect(await store.row(first)).toMatchObject({ certainty: 'proven' }));
  let isLost = false;
  world.quirks.fateOf = (command) => {
    isLost ||= command.startsWith('give');
    return isLost ? (command.startsWith('give') ? 'silence' : 'ignore') : 'answer';
  };
  const id = (await buy()) ?? '';
  await run(memberId);
  world.quirks.fateOf = () => 'answer';
  expect(await store.row(id)).toMatchObject({ state: 'unknown', desk_reason: 'unknown' });
  await using api = await serveFeature((routes) => bindDeliveriesRoutes(routes, store.deliveries));
  const desk = await ask(api.port, `/api/deliveries/desk?serverId=${serverId}`);
  const line = ` INF Executing command 'give "${name}" resourceWood 3' by Telnet from `;
  expect(desk.json).toMatchObject({
    rows: [{ id, history: [{ evidence: { logLines: [expect.stringContaining(line)] } }] }],
  });
  // And from an agent that found it after its own restart.
  await store.database.pool.query(`update delivery_attempts set evidence = '{}' where delivery_id = $1`, [
    id,
  ]);
  const late = { outcome: 'unknown', reply: null, truncated: false, sent: true, durationMs: 0 } as const;
  await store.deliveries.takeLate(serverId, `${id}.1`, { ...late, logLine: 'the line' });
  const shown = await ask(api.port, `/api/deliveries/${id}`);
  expect(shown.json).toMatchObject({
    state: 'unknown',
    history: [{ outcome: 'timeout', evidence: { logLines: ['the line'] } }],
  });
});

// Guarantee: a plugin that remembers ids settles what became of a purchase across its own restart: the id is asked for again, and
// its first result counts; an id that its savegame does not know is never carried out, and waits for a person.
test.each([
  [
    'remembers',
    answered('Gave 1 [Diamond] to Steve'),
    { state: 'delivered', certainty: 'proven', attempts: 1 },
  ],
  [
    'has forgotten',
    { ...answered(''), outcome: 'unknown' as const, reply: null },
    { state: 'unknown', desk_reason: 'unknown', attempts: 1 },
  ],
])('a plugin whose savegame %s', async (_name, result, expected) => {
  const serverId = await store.server('minecraft');
  const identity = agentIdentity(serverId);
  const start = async (journal: string) => {
    const plugin = await joinSocket(store.gateway.port, identity, { changes: { journal } });
    plugin.send({ v: agentProtocolVersion, type: 'command-journal', journal: 'savegame' });
    plugin.heartbeat(0, []);
    return plugin;
  };
  const name = newName();
  const { memberId, playerId } = await store.member(name, 'minecraft');
  const carriedOut: string[] = [];
  let id: string | undefined;
  {
    using first = await start('before');
    first.socket.on('message', (data) => {
      const frame = apiFrame.parse(JSON.parse(String(data)));
      if (frame.type !== 'command') return;
      // It keeps no marks: what it is asked beside the gift it does not know.
      if (!frame.command.startsWith('give')) {
        const unknown = answered('Unknown or incomplete command, see below for error');
        first.send({ v: agentProtocolVersion, type: 'result', commandId: frame.id, result: unknown });
        return;
      }
      first.send({ v: agentProtocolVersion, type: 'accepted', commandIds: [frame.id] });
      carriedOut.push(frame.id);
    });
    await eventually(() => expect(store.gateway.gateway.connectionOf(serverId)).not.toBeNull());
    store.join(serverId, playerId, name);
    [id] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
    store.deliveries.wake([memberId]);
    await eventually(() => expect(carriedOut).toEqual([`${id}.1`]));
    await eventually(async () => {
      const sql = 'select accepted_at from agent_commands where id = $1';
      const { rows } = await store.database.pool.query<{ accepted_at: Date | null }>(sql, [`${id}.1`]);
      expect(rows[0]?.accepted_at).toEqual(expect.any(Date));
    });
  }
  using second = await start('after');
  expect(await second.next('command')).toMatchObject({ id: `${id}.1`, accepted: true });
  const reply = result.reply?.replace('Steve', name) ?? null;
  second.send({
    v: agentProtocolVersion,
    type: 'result',
    commandId: `${id}.1`,
    result: { ...result, reply },
  });
  await store.deliveries.idle();
  expect(await store.row(id ?? '')).toMatchObject(expected);
});

// Guarantee: a server that is away holds up nothing on the others.
test('a server that is away holds up nobody', async () => {
  const away = await store.server('minecraft');
  const { memberId, serverId } = await recordingServer();
  const [held = '', other = ''] = [
    ...(await store.buy(memberId, 'minecraft', [{ ...say }], { serverIds: [away] })),
    ...(await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] })),
  ];
  await run(memberId);
  expect(await store.row(held)).toMatchObject({ state: 'waiting', waits_for: 'server', attempts: 0 });
  expect(await store.row(other)).toMatchObject({ state: 'delivered' });
});

// Guarantee: expiry gives the points back, and does not run while there is no license.
test('expiry rests without a license', async () => {
  const { memberId } = await store.member(newName(), 'minecraft');
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], {
    expiresAt: new Date(Date.now() + 300),
  });
  store.licensed = false;
  await store.deliveries.sweep();
  await store.database.pool.query(`update store_state set unlicensed_since = now() - interval '1 hour'`);
  await store.database.pool.query(
    `update deliveries set expires_at = now() - interval '1 minute' where id = $1`,
    [id],
  );
  await store.deliveries.sweep();
  expect(await store.row(id)).toMatchObject({ state: 'pending' });
  store.licensed = true;
  await store.deliveries.sweep();
  const { expires_at } = await store.row(id);
  expect((expires_at as Date).getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  await store.database.pool.query('update deliveries set expires_at = now() where id = $1', [id]);
  await store.deliveries.sweep();
  expect(await store.row(id)).toMatchObject({ state: 'cancelled', refunded_at: expect.any(Date) });
  expect(await store.balance(memberId)).toBe(1000);
});

// Guarantee: a copy of the database from before something was sent begins a new epoch, also one of this very run; what
// cannot be settled then waits for a person, unsent.
test('a restored database', async () => {
  const incarnation = async () =>
    (await store.database.db.selectFrom('store_state').select('incarnation').executeTakeFirstOrThrow())
      .incarnation;
  const { memberId } = await store.member(newName(), 'minecraft');
  const command = {
    kind: 'command' as const,
    command: 'say hi',
    success: [],
    failure: [],
    needsPlayer: true,
    quantity: 1,
    position: 0,
  };
  const [item = '', other = ''] = await store.buy(memberId, 'minecraft', [diamond(), command]);
  await store.restart();
  expect(await store.row(other)).toMatchObject({ state: 'pending' });
  const before = await incarnation();
  const sending = await recordingServer();
  await store.buy(sending.memberId, 'minecraft', [diamond()], { serverIds: [sending.serverId] });
  await run(sending.memberId);
  await store.deliveries.sweep();
  expect(await incarnation()).not.toBe(before);
  await store.database.db.updateTable('store_state').set({ incarnation: before }).execute();
  await store.restart();
  expect(await store.row(other)).toMatchObject({ state: 'unknown', desk_reason: 'restored' });
  // The game's record settles it.
  expect((await store.row(item)).state).not.toBe('unknown');
  expect(await store.deliveries.desk.decide([other], 'send-again', by)).toEqual([
    { id: other, isDone: true, detail: null },
  ]);
  expect(await store.row(other)).toMatchObject({ state: expect.stringMatching('pending|waiting') });
});
