import { expect, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { Secret } from '#runtime/secret.ts';
import { startArk } from './ark-simulator.ts';
import { startMinecraft } from './minecraft-simulator.ts';
import { startPalworld } from './palworld-simulator.ts';
import { startSevenDays } from './seven-days-simulator.ts';
import type { Simulator } from './simulator.ts';

const timeoutMs = 200;
const standstillMs = 400;
/** Nothing of this process goes on, as while it is stopped or its machine sleeps. */
const standStill = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, standstillMs);

const games: readonly (readonly [name: string, start: () => Promise<Simulator>, command: string])[] = [
  ['7 Days to Die', startSevenDays, 'say Hello'],
  ['Minecraft', startMinecraft, 'say Hello'],
  ['ARK', startArk, 'ServerChat Hello'],
  ['Palworld', startPalworld, 'announce Hello'],
];

// Guarantee: an answer that came in time, but while this process stood still beyond the command's deadline, is an answer.
test.for(games)('an answer that came while nothing went on: %s', async ([, start, command]) => {
  await using game = await start();
  const { port, password, quirks } = game;
  const target = { host: '127.0.0.1', port, password: new Secret(password) };
  const opened = await gameOf(game.game).connect(target, { connectTimeoutMs: 20_000 });
  if ('failure' in opened) throw new Error(opened.failure.detail);
  using connection = opened.connection;
  quirks.beforeReply = () => {
    // The reply leaves in this turn of the event loop, before its next phase.
    setImmediate(standStill);
    return null;
  };
  expect(await connection.run(command, { timeoutMs })).toMatchObject({ outcome: 'answered', sent: true });
  expect(game.world.received).toContain(command);
});
