import { expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { gameOf } from '../../games/games.ts';
import { createGameLink } from '../../games/link/game-link.ts';
import { minecraftServers, startMinecraft } from './minecraft-simulator.ts';

const long = 'äb'.repeat(5125);

// Guarantee: with every server that speaks Minecraft's RCON, a long reply is complete or reported as possibly incomplete, the next
// one is complete, and every command runs once.
test.each(Object.entries(minecraftServers))('%s', async (name, habits) => {
  await using game = await startMinecraft({ quirks: { ...habits, replies: new Map([['dump', long]]) } });
  await using link = createGameLink({
    game: gameOf('minecraft'),
    target: { host: '127.0.0.1', port: game.port, password: new Secret(game.password) },
    keepOpen: true,
  });
  const runs = [];
  for (let time = 0; time < 3; time += 1) runs.push(await link.run('dump', { timeoutMs: 20_000 }));
  expect(runs.map(({ outcome, reply }) => ({ outcome, isWhole: reply === long }))).toEqual(
    runs.map(() => ({ outcome: 'answered', isWhole: true })),
  );
  expect(runs.map(({ truncated }) => truncated)).toEqual([
    name === 'goMc' ? expect.any(Boolean) : false,
    false,
    false,
  ]);
  expect(game.world.received.filter((command) => command === 'dump')).toHaveLength(3);
  // The frame on which a server closes the connection is sent to it once.
  expect(game.accepted).toBeLessThanOrEqual(habits.oddFrame === 'closing' ? 2 : 1);
});
