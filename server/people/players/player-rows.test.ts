import { expect, test } from 'vitest';
import { migratedDatabase } from '../../kernel/testing/feature-api.ts';
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

// Guarantee: a player who was seen while the clock was 70 years ahead is renamed and seen as ever once it is put right.
test('seen by a clock that was ahead', async () => {
  await using database = await migratedDatabase();
  const { db } = database;
  const seen = (name: string, at: Date) =>
    upsertPlayers(db, 'ark-se', [{ name, platformId: 'steam:1', from: at, until: at }]);
  await seen('Old', new Date(Date.now() + 70 * 365 * 86_400_000));
  const at = new Date();
  await seen('Old', at);
  await seen('New', at);
  expect(await db.selectFrom('players').select(['name', 'last_seen_at']).execute()).toEqual([
    { name: 'New', last_seen_at: at },
  ]);
  const names = await db
    .selectFrom('player_names')
    .select(['name', 'last_seen_at'])
    .orderBy('name')
    .execute();
  expect(names).toEqual([
    { name: 'New', last_seen_at: at },
    { name: 'Old', last_seen_at: at },
  ]);
});
