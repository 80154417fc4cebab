import { expect, test } from 'vitest';
import { apiDatabase } from '../../../server/kernel/testing/api-database.ts';
import { runKills } from '../../discord-kills/run-kills.ts';

// Guarantee: a bot that is killed while it posts, and whose answers are lost, posts each event once, in order, in each channel.
test('the bot is killed while it posts', { timeout: 300_000 }, async () => {
  await using database = await apiDatabase();
  const outcome = await runKills({
    databaseUrl: database.url,
    events: 300,
    kills: 10,
    say: () => undefined,
  });
  expect(outcome).toMatchObject({ kills: 10, missing: 0, doubled: 0, outOfOrder: 0 });
});
