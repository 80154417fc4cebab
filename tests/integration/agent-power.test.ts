import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startApiPeer } from '../../agent/testing/api-peer.ts';
import { seeded, startHeldServer } from '../power-kills/held-server.ts';

const kills = 50;
const seed = Number(process.env.CASTELLAN_KILL_SEED ?? 17);
const numbered = [process.execPath, join(import.meta.dirname, '../power-kills/numbered-game.ts')];

// Guarantee: a game server that is killed at any moment is back each time, once, and leaves no process behind.
test('the game is killed', { timeout: 240_000 }, async () => {
  const random = seeded(seed);
  await using folder = await temporaryFolder('power');
  await using peer = await startApiPeer();
  const port = await freePort();
  await using server = await startHeldServer({
    folder: folder.path,
    apiUrl: peer.url,
    command: ['/usr/games/teeworlds-server', `sv_port ${port}`, 'sv_register 0', 'bindaddr 127.0.0.1'],
    console: { port: await freePort(), password: 'no console' },
  });
  let pid = 0;
  const pids = new Set<number>();
  for (let count = 0; count < kills; count += 1) {
    const { game } = await server.game(pid);
    pid = game.pid;
    pids.add(pid);
    await delay(random() * 200);
    expect(await server.processes()).toEqual([pid]);
    process.kill(pid, 'SIGKILL');
  }
  const { game } = await server.game(pid);
  expect(pids.size).toBe(kills);
  expect(pids.has(game.pid)).toBe(false);
  await eventually(async () => expect(await server.processes()).toEqual([game.pid]));
  process.stdout.write(`game: ${kills} kills, seed ${seed}, back ${pids.size} times\n`);
});

// Guarantee: however often the agent is killed, the game goes on as the same process, is found again, and each line that it
// writes reaches the API once.
test('the agent is killed', { timeout: 240_000 }, async () => {
  const random = seeded(seed);
  await using folder = await temporaryFolder('power');
  await using peer = await startApiPeer();
  await using server = await startHeldServer({
    folder: folder.path,
    apiUrl: peer.url,
    command: numbered,
    console: { port: await freePort(), password: 'no console' },
  });
  const { game } = await server.game();
  for (let count = 0; count < kills; count += 1) {
    await delay(random() * 1200);
    server.agent().kill('SIGKILL');
    await server.agent().exited;
    server.startAgent();
  }
  await eventually(() => expect(server.agent().stderr()).toContain('"state":"running"'));
  expect((await server.game()).game).toEqual(game);
  expect(await server.processes()).toEqual([game.pid]);
  const texts = () => peer.events.map(({ text }) => Number(/^line (\d+)$/.exec(text ?? '')?.[1]));
  const before = texts().length;
  await eventually(() => expect(texts().length).toBeGreaterThan(before + 100), 30_000);
  const seen = texts();
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 1));
  expect(peer.faults).toEqual([]);
  process.stdout.write(`agent: ${kills} kills, seed ${seed}, ${seen.length} lines, none lost, none twice\n`);
});
