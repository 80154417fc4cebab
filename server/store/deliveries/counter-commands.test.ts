import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandResult } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import { eraseMember } from '../../people/members/erase-member.ts';
import { readDeliveriesOfOrder, readDeliveryDetails } from '../read-deliveries.ts';
import {
  type CounterCommands,
  createCounterCommands,
  planCounterCommands,
  waitsForCounterCommands,
} from './counter-commands.ts';
import { openStoreInPlay, type StoreInPlay, say } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

const rank = {
  ...say,
  success: ['ok'],
  failure: ['no such rank'],
  command: 'rank add vip',
  counterCommand: 'rank remove vip',
};
const refused: CommandResult = {
  outcome: 'not ready',
  reply: null,
  truncated: false,
  sent: false,
  durationMs: 0,
};

/** A rank that was given on a server whose agent replies as `answers` says; `leave` disconnects the agent. */
const givenRank = async (
  answers: { counter: string | CommandResult | null } = { counter: 'ok' },
  more: Partial<typeof rank> = {},
) => {
  const serverId = await store.server('minecraft');
  const heard: string[] = [];
  const come = async () => {
    const agent = await store.agent(serverId, (command) => {
      heard.push(command);
      return command.startsWith('rank add') ? 'ok' : answers.counter;
    });
    await eventually(() => expect(store.gateway.gateway.connectionOf(serverId)).not.toBeNull());
    return async () => {
      agent[Symbol.dispose]();
      await eventually(() => expect(store.ways.open(serverId)).toBeNull());
    };
  };
  const leave = await come();
  const platformId = `minecraft:${randomUUID()}`;
  const { memberId } = await store.member(play.newName(), 'minecraft', platformId);
  const line = { ...rank, ...more };
  const [id = ''] = await store.buy(memberId, 'minecraft', [line], { serverIds: [serverId] });
  await play.run(memberId);
  expect(heard).toHaveLength(1);
  const orderId = String((await store.row(id)).order_id);
  return {
    id,
    serverId,
    orderId,
    memberId,
    heard: () => heard.filter((command) => command === rank.counterCommand).length,
    said: () => heard,
    come,
    leave,
    /** The way the refund of an order does it. */
    refund: () =>
      store.database.db.transaction().execute(async (trx) => {
        await sql`select castellan_refund_delivery(${id}, 'test', null)`.execute(trx);
        await planCounterCommands(trx, [id]);
      }),
    waits: () => waitsForCounterCommands(store.database.db, orderId, null),
  };
};
type Given = Awaited<ReturnType<typeof givenRank>>;

const stateOf = async ({ id }: Given) =>
  (await store.database.pool.query('select state, detail from counter_commands where delivery_id = $1', [id]))
    .rows[0] as { state: string; detail: string | null } | undefined;
const makeDue = ({ id }: Given) =>
  store.database.pool.query(`update counter_commands set next_try_at = now() where delivery_id = $1`, [id]);
const sweep = async () => {
  await store.deliveries.sweep();
  await store.deliveries.idle();
};
/** Another process on the same database, which has just started after the first one ended. */
const another = (answerMs = 1500): CounterCommands =>
  createCounterCommands({
    db: store.database.db,
    ways: store.process(store.ways.leases.processId),
    mayRun: () => true,
    stopping: new AbortController().signal,
    answerMs,
    onClaim: () => undefined,
    onChange: () => undefined,
    tell(error) {
      throw error;
    },
  });

// Guarantee: what a refunded command gave is taken back once, where it was given; what was charged again is kept.
test('a counter-command', async () => {
  const given = await givenRank();
  await given.refund();
  await given.refund();
  await store.deliveries.counterCommands.sendFor(given.orderId);
  await store.deliveries.counterCommands.sendFor(given.orderId);
  await sweep();
  expect(given.heard()).toBe(1);
  expect(await given.waits()).toBe(false);
  expect((await readDeliveriesOfOrder(store.database.db, given.orderId))[0]).toMatchObject({
    takingBack: 'taken',
  });
  const { history } = (await readDeliveryDetails(store.database.db, given.id)) as {
    history: { evidence: object }[];
  };
  expect(history[0]?.evidence).toMatchObject({
    counterCommand: { command: rank.counterCommand, outcome: 'answered', reply: 'ok' },
  });
  const kept = await givenRank();
  await kept.leave();
  await kept.refund();
  await store.database.pool.query(`select castellan_charge_again($1, 'test', null)`, [kept.id]);
  await kept.come();
  await sweep();
  expect(kept.heard()).toBe(0);
  expect(await stateOf(kept)).toBeUndefined();
});

// Guarantee: what the store sends to a game, and what takes it back, is in the history of the console with its order, its
// product, and who approved it; a late result replaces its outcome there, too.
test('the history of the console', async () => {
  const answers: { counter: string | null } = { counter: null };
  const given = await givenRank(answers);
  const { rows: orders } = await store.database.pool.query(
    'select product_id from order_lines where order_id = $1',
    [given.orderId],
  );
  const history = async () =>
    (
      await store.database.pool.query(
        `select command, outcome, reply, actor, product_id, approved_by, approved_name, revised_from
           from console_commands where order_id = $1 order by id`,
        [given.orderId],
      )
    ).rows;
  const { product_id } = orders[0] as { product_id: string };
  const known = { actor: 'test', product_id, approved_by: 'admin:a', approved_name: 'Ann' };
  expect(await history()).toEqual([
    { command: 'rank add vip', outcome: 'answered', reply: 'ok', revised_from: null, ...known },
  ]);
  await given.refund();
  await store.deliveries.counterCommands.sendFor(given.orderId);
  expect((await history())[1]).toMatchObject({ command: 'rank remove vip', outcome: 'timeout', ...known });
  const { rows } = await store.database.pool.query(
    'select command_id from counter_commands where delivery_id = $1',
    [given.id],
  );
  const { command_id: commandId } = rows[0] as { command_id: string };
  const late: CommandResult = { ...refused, outcome: 'answered', reply: 'ok', sent: true };
  await store.deliveries.takeLate(given.serverId, commandId, late);
  expect((await history())[1]).toMatchObject({ outcome: 'answered', reply: 'ok', revised_from: 'timeout' });
});

// Guarantee: a process that dies right after the refund loses nothing: the next one takes it back.
test('a process that dies before it sends anything', async () => {
  const given = await givenRank();
  await given.refund();
  await store.restart();
  await sweep();
  expect(given.heard()).toBe(1);
  expect(await stateOf(given)).toMatchObject({ state: 'taken' });
});

// Guarantee: a server that is away is waited for, and the member is not erased until then.
test('a server that is away', async () => {
  const given = await givenRank();
  await given.leave();
  await given.refund();
  await store.deliveries.counterCommands.sendFor(given.orderId);
  await sweep();
  expect(await stateOf(given)).toMatchObject({ state: 'waiting' });
  expect(await given.waits()).toBe(true);
  expect(
    await store.database.db.transaction().execute((trx) => eraseMember(trx, given.memberId, 1)),
  ).toMatchObject({ refused: 'DELIVERY_STATE', detail: expect.stringContaining('wait for its server') });
  await given.come();
  store.deliveries.onServerBack(given.serverId);
  await eventually(async () => expect(await stateOf(given)).toMatchObject({ state: 'taken' }));
  expect(given.heard()).toBe(1);
});

// Guarantee: a command that a game provably did not run is sent again; one that it refuses is, too, but not forever.
test('a game that refuses', async () => {
  const answers: { counter: string | CommandResult } = { counter: refused };
  const given = await givenRank(answers);
  await given.refund();
  await store.deliveries.counterCommands.sendFor(given.orderId);
  expect(await stateOf(given)).toMatchObject({ state: 'waiting', detail: null });
  answers.counter = 'no such rank';
  for (let tries = 0; tries < 10; tries += 1) {
    await makeDue(given);
    await sweep();
  }
  expect(given.heard()).toBe(11);
  expect(await stateOf(given)).toMatchObject({ state: 'refused' });
  expect(await given.waits()).toBe(false);
});

// Guarantee: a command that may have arrived is never sent again, and its late reply still counts.
test('a game that never answers', async () => {
  const given = await givenRank({ counter: null });
  await given.refund();
  await store.deliveries.counterCommands.sendFor(given.orderId);
  expect(await stateOf(given)).toMatchObject({ state: 'unknown' });
  await makeDue(given);
  await sweep();
  await store.restart();
  await sweep();
  expect(given.heard()).toBe(1);
  expect(await given.waits()).toBe(false);
  const { rows } = await store.database.pool.query<{ command_id: string }>(
    'select command_id from counter_commands where delivery_id = $1',
    [given.id],
  );
  const late = { outcome: 'answered', reply: 'ok', truncated: false, sent: true, durationMs: 1 } as const;
  expect(await store.deliveries.takeLate(given.serverId, rows[0]?.command_id ?? '', late)).toBe(true);
  expect(await stateOf(given)).toMatchObject({ state: 'taken' });
});

// Guarantee: of two processes that look at the same moment, one sends.
test('two processes at once', async () => {
  const given = await givenRank();
  await given.refund();
  const others = [another(), another(), another()];
  await Promise.all(others.map((one) => one.sendFor(given.orderId)));
  expect(given.heard()).toBe(1);
  expect(await stateOf(given)).toMatchObject({ state: 'taken' });
});

// Guarantee: for what a dead process has sent, the agent is asked, which does not run it twice; without an agent no one
// can tell, and it is not sent again.
test.each([
  ['agent', 'taken'],
  ['direct', 'unknown'],
])('a process that dies after it has sent by the way %s', async (way, state) => {
  const given = await givenRank();
  await given.refund();
  await store.deliveries.counterCommands.sendFor(given.orderId);
  await store.database.pool.query(
    `update counter_commands set state = 'sent', way = $2, sent_at = now() - interval '1 hour' where delivery_id = $1`,
    [given.id, way],
  );
  await sweep();
  expect(await stateOf(given)).toMatchObject({ state });
  expect(given.heard()).toBe(1);
});

// Guarantee: a restored database does not know what was sent since its backup, so it sends none of it.
test('a restored database', async () => {
  const given = await givenRank();
  await given.leave();
  await given.refund();
  await store.database.pool.query('update store_state set epoch = epoch + 1');
  await given.come();
  await sweep();
  expect(given.heard()).toBe(0);
  expect(await stateOf(given)).toMatchObject({ state: 'unknown' });
});

// Guarantee: in the days after a restore, a refund of something given before it may be a repeated one, so it sends
// nothing; what was given since is taken back, and so is everything later.
test('a refund after a restore', async () => {
  const forgotten = await givenRank();
  const old = await givenRank();
  await store.database.pool.query('update store_state set epoch = epoch + 1, epoch_since = now()');
  const since = await givenRank();
  await forgotten.refund();
  await since.refund();
  await store.database.pool.query(`update store_state set epoch_since = now() - interval '8 days'`);
  await store.database.pool.query(
    `update deliveries set ended_at = now() - interval '9 days' where id = $1`,
    [old.id],
  );
  await old.refund();
  await sweep();
  expect([forgotten.heard(), since.heard(), old.heard()]).toEqual([0, 1, 1]);
  expect(await stateOf(forgotten)).toMatchObject({
    state: 'unknown',
    detail: expect.stringMatching('restored'),
  });
  expect(await forgotten.waits()).toBe(false);
});

// Guarantee: if a player was renamed in between, the current name is used for taking back, since the game may know only that one.
test('a player who was renamed', async () => {
  const commands = { command: 'rank add {player}', counterCommand: 'rank remove {player}' };
  const given = await givenRank({ counter: 'ok' }, commands);
  await given.refund();
  await store.database.pool.query(
    `update players set name = 'Ganymede', name_key = 'ganymede' where member_id = $1`,
    [given.memberId],
  );
  await store.deliveries.counterCommands.sendFor(given.orderId);
  expect(given.said().at(-1)).toBe('rank remove Ganymede');
});

// Guarantee: nothing is sent without a license, and an archived server is not waited for.
test('no license, and the archive', async () => {
  const given = await givenRank();
  await given.refund();
  store.licensed = false;
  await store.deliveries.counterCommands.sendFor(given.orderId);
  expect(await stateOf(given)).toMatchObject({ state: 'waiting' });
  store.licensed = true;
  await given.leave();
  await store.archive(given.serverId);
  await sweep();
  expect(given.heard()).toBe(0);
  expect(await stateOf(given)).toMatchObject({
    state: 'impossible',
    detail: 'Its server is archived.',
  });
});
