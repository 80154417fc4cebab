// @module-tag identity

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { membersHttp } from '#contracts/people/members.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type DeskDecision, deliveriesHttp } from '#contracts/store/deliveries.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import { installOver } from '#harness/licensed-home.ts';
import { ownedDatabase } from '#harness/owned-database.ts';
import { callAsOwner } from '#harness/owner-call.ts';
import { freePort } from '#harness/ports.ts';
import { startSevenDays } from '#simulators/seven-days-simulator.ts';
import { programsFolder } from '../../../build/bundle.ts';
import { sqlSession } from '../../../server/kernel/testing/sql.ts';

/** A lease of 30 s, and the other process's sweep of 30 s. */
const takenOverMs = 120_000;
const seenMs = 60_000;

interface Delivery {
  readonly name: string;
  readonly state: string;
  readonly certainty: string | null;
  readonly attempts: number;
  readonly desk_reason: string | null;
  readonly is_refunded: boolean;
  readonly holder: string | null;
}

const rules: Readonly<Record<string, DeskDecision | null>> = {
  Undecided: null,
  Refunded: 'refund',
  Again: 'send-again',
};

// Guarantee: a process that stands still for longer than its leases loses what it had in flight to another one, which recovers it by
// the standing rule. When it goes on, the answer that waits for it settles what is still open and is shown to the owner where it
// contradicts a refund; it sends nothing new, and no gift is given twice.
test('a process stands still with gifts in flight', { timeout: 400_000 }, async () => {
  await using owned = new AsyncDisposableStack();
  const database = owned.use(await ownedDatabase());
  const sql = owned.use(await sqlSession(database.url));
  const installation = owned.use(await installOver(database.url, {}, join(programsFolder, 'api.mjs')));
  const holder = await installation.startApi();
  const { id: clusterId } = await callAsOwner(holder, clustersHttp.create, {
    body: { name: 'Twins', description: '' },
  });
  const answer = Promise.withResolvers<void>();
  const games = new Map<string, Awaited<ReturnType<typeof startSevenDays>>>();
  for (const [name, decision] of Object.entries(rules)) {
    const game = owned.use(
      await startSevenDays({
        quirks: { beforeReply: (command) => (command.startsWith('give') ? answer.promise : null) },
      }),
    );
    games.set(name, game);
    const { port, password } = game;
    const server = { clusterId, name, game: game.game, host: '127.0.0.1', port, password };
    const { id: serverId } = await callAsOwner(holder, gameServersHttp.create, { body: server });
    await callAsOwner(holder, deliveriesHttp.setRule, { body: { serverId, productId: null, decision } });
    game.world.join(name);
  }
  const other = await installation.startApi({ variables: { API_PORT: String(await freePort()) } });
  const product = await callAsOwner(holder, storeHttp.create, {
    body: {
      name: 'Wood',
      price: 7,
      game: 'seven-days-to-die',
      lines: [{ kind: 'item', item: 'resourceWood', quantity: 1 }],
      isEnabled: true,
    },
  });
  const members = await eventually(async () => {
    const rows = await sql.query<{ name: string; member_id: string }>('select name, member_id from players');
    if (rows.length < games.size) throw new Error(`${rows.length} players were seen`);
    return rows;
  }, seenMs);
  const buy = (memberId: string) =>
    callAsOwner(holder, ordersHttp.place, { body: { memberId, lines: [{ productId: product.id }] } });
  const deliveries = async () => {
    const rows = await sql.query<Delivery>(
      `select name, state, certainty, attempts, desk_reason, refunded_at is not null as is_refunded, process_id as holder
       from deliveries join players using (member_id)
         left join commands_in_flight on command_id = deliveries.id || '.' || attempts order by number`,
    );
    return Map.groupBy(rows, ({ name }) => name);
  };
  const given = () => [...games.values()].map(({ world }) => world.given.length);

  // The other one stands still for a moment, so that it is known who sends.
  other.process.kill('SIGSTOP');
  for (const { member_id } of members) {
    const body = { kind: 'grant', points: 100 };
    await callAsOwner(holder, membersHttp.grant, { params: { id: member_id }, body });
    await buy(member_id);
  }
  await eventually(async () => {
    for (const [one] of (await deliveries()).values())
      expect(one).toMatchObject({ state: 'sending', holder: holder.id });
    expect(given()).toEqual([1, 1, 1]);
  });
  holder.process.kill('SIGSTOP');
  other.process.kill('SIGCONT');
  answer.resolve();
  // What is to be sent again has no one to go to until the holder has woken.
  games.get('Again')?.world.leave('Again');
  await eventually(async () => {
    const now = await deliveries();
    expect(now.get('Undecided')).toMatchObject([{ state: 'unknown', desk_reason: 'unknown' }]);
    expect(now.get('Refunded')).toMatchObject([{ is_refunded: true, desk_reason: null }]);
    expect(now.get('Again')).toMatchObject([{ state: 'waiting', attempts: 1 }]);
  }, takenOverMs);

  holder.process.kill('SIGCONT');
  await eventually(async () => {
    const now = await deliveries();
    expect(now.get('Undecided')).toMatchObject([
      { state: 'delivered', certainty: 'proven', desk_reason: null, is_refunded: false },
    ]);
    expect(now.get('Refunded')).toMatchObject([{ is_refunded: true, desk_reason: 'late-result' }]);
    expect(now.get('Again')).toMatchObject([{ state: 'delivered', certainty: 'proven', attempts: 1 }]);
  });
  games.get('Again')?.world.join('Again');
  // The next gifts go out, and only they.
  for (const { member_id } of members) await buy(member_id);
  await eventually(async () => {
    for (const [, next] of (await deliveries()).values())
      expect(next).toMatchObject({ state: 'delivered', certainty: 'proven', attempts: 1 });
  }, seenMs);
  expect(given()).toEqual([2, 2, 2]);
});
