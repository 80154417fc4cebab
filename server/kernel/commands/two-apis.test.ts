import { expect, test } from 'vitest';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { productDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import { startSevenDays } from '../../../tests/simulators/seven-days-simulator.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { call, newServer } from '../testing/call.ts';
import { grantPoints, insertMember } from '../testing/store-rows.ts';
import { testDesktopCredential as as, startTestApi } from '../testing/test-api.ts';
import { whenInUse } from '../testing/when-in-use.ts';

const running = apiForThisFile();

// Guarantee: a second API that starts on the database, while the first one waits for a slow game and the member is merged,
// leaves the command in flight alone, whatever the standing rule says.
test('a second API while a command is in flight', async () => {
  const { api, port, databaseUrl, home } = running();
  const { pool } = api.context.database;
  await using game = await startSevenDays();
  const serverId = await newServer(port, {
    game: game.game,
    host: '127.0.0.1',
    port: game.port,
    password: game.password,
  });
  await eventually(() => expect(api.context.store.ways.open(serverId)).not.toBeNull());
  await call(port, deliveriesHttp.setRule, { as, body: { serverId, productId: null, decision: 'refund' } });
  const product = productDraft.parse({
    name: 'Greeting',
    price: 7,
    game: game.game,
    lines: [{ kind: 'command', command: 'say hello', needsPlayer: false }],
    isEnabled: true,
  });
  const { json: sold } = await call(port, storeHttp.create, { as, body: product });
  const [kept, merged] = [await insertMember(pool), await insertMember(pool)];
  for (const member of [kept, merged]) await grantPoints(pool, member, 100);
  const buy = async (through: number, memberId: string) => {
    const placed = await call(through, ordersHttp.place, {
      as,
      body: { memberId, lines: [{ productId: String(sold.id), quantity: 1 }] },
      headers: { 'Idempotency-Key': `order of ${memberId}` },
    });
    expect(placed.status, placed.text).toBe(200);
  };
  const states = async () => {
    const { rows } = await pool.query('select state, attempts, refunded_at from deliveries order by number');
    return rows as unknown[];
  };
  // Only this reply is late: were those to polls late too, the connection would be given up and come back ever later.
  const isMerged = Promise.withResolvers<void>();
  game.quirks.beforeReply = (command) => (command.startsWith('say') ? isMerged.promise : null);
  await buy(port, merged);
  await eventually(() =>
    expect(game.world.received.filter((line) => line.startsWith('say'))).toHaveLength(1),
  );
  await using other = await startTestApi({ databaseUrl, home, workers: [] });
  await whenInUse(other);
  await pool.query('update members set merged_into = $1 where id = $2', [kept, merged]);
  await buy(other.port, kept);
  expect(await other.context.leases.otherProcesses()).toEqual([api.context.leases.processId]);
  isMerged.resolve();
  // The other API works no queue, so that only the sweep finds what was bought through it.
  await api.context.store.deliveries.sweep();
  const delivered = { state: 'delivered', attempts: 1, refunded_at: null };
  await eventually(async () => expect(await states()).toMatchObject([delivered, delivered]), 40_000);
  expect(game.world.received.filter((line) => line.startsWith('say'))).toHaveLength(2);
});
