import { expect, test } from 'vitest';
import { migratedDatabase } from '../testing/feature-api.ts';
import { upsertPlayers } from './player-rows.ts';

// Guarantee: of a player with a new name each time, the hundred newest names are kept, and no one else's is lost.
test('many names of one player', async () => {
  await using database = await migratedDatabase();
  const seen = (name: string, platformId: string, minute: number) => {
    const at = new Date(Date.parse('2026-06-01T12:00:00Z') + minute * 60_000);
    return { name, platformId, from: at, until: at };
  };
  for (let number = 0; number < 105; number += 1)
    await upsertPlayers(database.db, 'ark-se', [
      seen(`name ${number}`, 'steam:1', number),
      seen('Ann', 'steam:2', 0),
    ]);
  const names = await database.db
    .selectFrom('player_names')
    .innerJoin('players', 'players.id', 'player_id')
    .select('player_names.name')
    .orderBy('platform_id')
    .orderBy('player_names.last_seen_at')
    .execute();
  expect(names.map(({ name }) => name)).toEqual([
    ...Array.from({ length: 100 }, (_, place) => `name ${place + 5}`),
    'Ann',
  ]);
});
