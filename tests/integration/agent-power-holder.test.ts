import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { signalProcess } from '#runtime/live-process.ts';
import { startApiPeer } from '../../agent/testing/api-peer.ts';
import { type HeldServer, seeded, startHeldServer } from '../power-kills/held-server.ts';

const killsEach = 25;
const seed = Number(process.env.CASTELLAN_KILL_SEED ?? 17);
const numbered = [process.execPath, join(import.meta.dirname, '../power-kills/numbered-game.ts')];

interface Told {
  readonly state: string;
  readonly pid: number | null;
  readonly detail: string | null;
}

const toldBy = (server: HeldServer): Told[] =>
  server
    .agent()
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"state":'))
    .map((line) => JSON.parse(line) as Told);

/** Kills the holder at random moments. @returns how often the game survived */
const killHolders = async (command: readonly string[], random: () => number): Promise<number> => {
  await using folder = await temporaryFolder('power');
  await using peer = await startApiPeer();
  await using server = await startHeldServer({
    folder: folder.path,
    apiUrl: peer.url,
    command,
    console: { port: await freePort(), password: 'no console' },
  });
  let livedOn = 0;
  let pid = 0;
  for (let count = 0; count < killsEach; count += 1) {
    const { game, holder } = await server.game(pid);
    pid = game.pid;
    await delay(random() * 200);
    const before = toldBy(server).length;
    process.kill(holder.pid, 'SIGKILL');
    // Either the game runs and its console is reported lost, or the game is back under a new holder.
    await eventually(async () => {
      const now = await server.record();
      if (now && now.holder.pid !== holder.pid && now.game) return;
      expect(toldBy(server).slice(before).at(-1)).toMatchObject({
        state: 'running',
        pid,
        detail: expect.stringContaining('held its console has ended'),
      });
    }, 30_000);
    const left = await server.processes();
    expect(left.length).toBeLessThanOrEqual(1);
    if (left[0] !== pid) continue;
    livedOn += 1;
    signalProcess(pid, 'SIGKILL');
  }
  const { game } = await server.game(pid);
  await eventually(async () => expect(await server.processes()).toEqual([game.pid]));
  await eventually(() =>
    expect(toldBy(server).at(-1)).toMatchObject({ state: 'running', pid: game.pid, detail: null }),
  );
  return livedOn;
};

const report = (game: string, livedOn: number) =>
  process.stdout.write(
    `holder: ${killsEach} kills, seed ${seed}; the ${game} game lived on ${livedOn} times\n`,
  );

// Guarantee: the reports after the death of a holder are true: the game continues without its console and can be ended, or it died
// with the console and is back; there are never two games, and none is left behind.
test('the holder is killed, and its game writes nothing', { timeout: 120_000 }, async () => {
  const command = [
    '/usr/games/teeworlds-server',
    `sv_port ${await freePort()}`,
    'sv_register 0',
    'bindaddr 127.0.0.1',
  ];
  const livedOn = await killHolders(command, seeded(seed));
  report('quiet', livedOn);
  expect(livedOn).toBeGreaterThan(0);
});

// Guarantee: the same is true of a game that writes all the time.
test('the holder is killed, and its game writes', { timeout: 120_000 }, async () => {
  report('chatty', await killHolders(numbered, seeded(seed)));
});
