import { expect, test } from 'vitest';
import { type ReasonCode, reasonOf } from '#contracts/kernel/reasons.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from './games.ts';

// Guarantee: what the games' answers prove is reported as a code, so that a panel can word it.
test.each<[GameId, string, ReasonCode]>([
  ['minecraft', 'Gave 1 [Diamond] to Heron', 'gave'],
  ['minecraft', 'No player was found', 'player-absent'],
  ['minecraft', "Unknown item 'minecraft:no_such'", 'no-such-item'],
  ['minecraft', '', 'answer-empty'],
  ['seven-days-to-die', 'Dropped item', 'dropped'],
  ['seven-days-to-die', 'Item not found.', 'no-such-item'],
  ['ark-asa', 'Server received, But no response!!', 'answer-unknown'],
])('%s: %s', (game, reply, code) => {
  const gift = { player: { name: 'Heron', handle: 'Heron' }, item: 'diamond', quantity: 1 };
  const reason = gameOf(game).actions.give?.read(reply, gift).reason;
  expect(reasonOf(reason ?? null)?.code).toBe(code);
});
