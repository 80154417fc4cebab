import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { apiDatabase } from '../../../server/kernel/testing/api-database.ts';
import { runPurchases } from '../../storefront/chat-purchases.ts';

// Guarantee: even if players share a name, lines are lost and repeated, prices change, private messages reach no one, a player is
// on two servers, a game answers late and the API is killed, no one pays for anything that they did not agree to, and each
// agreement is one order.
test('purchases by chat in three games', { timeout: 300_000 }, async () => {
  await using database = await apiDatabase();
  await using folder = await temporaryFolder('chat-purchases');
  const outcome = await runPurchases({
    databaseUrl: database.url,
    home: folder.path,
    purchases: 60,
    seed: 19,
    say: () => undefined,
  });
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  expect(outcome).toMatchObject({ purchases: 60, unconfirmed: 0, doubled: 0, missing: 0, wrong_wallets: 0 });
  // About three of four confirm: some change their mind, and some cannot be reached.
  expect(outcome.confirmed).toBeGreaterThan(30);
  // All of it has really happened.
  const { kills, retold, unheard, twins, slow, lost, repeated, imitated } = outcome;
  const happened = { kills, retold, unheard, twins, slow, lost, repeated, imitated };
  expect(Object.entries(happened).filter(([, count]) => count === 0)).toEqual([]);
});
