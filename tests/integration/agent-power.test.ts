import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { openLineHistory } from '../../agent/history/line-history.ts';
import { startApiPeer } from '../../agent/testing/api-peer.ts';
import { seeded, startHeldServer } from '../power-kills/held-server.ts';

const kills = 50;
const seed = Number(process.env.CASTELLAN_KILL_SEED ?? 17);
const numbered = [process.execPath, join(import.meta.dirname, '../power-kills/numbered-game.ts')];

// Guarantee: a game server that is killed at any moment comes back each time, once, and leaves no process behind.
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

// Guarantee: an agent that is killed again and again while it waits for a program that is not there reports the same each time, with
// its reason and no crash; the game is started once the program is there, once.
test('the agent is killed while the program is not there', { timeout: 120_000 }, async () => {
  await using folder = await temporaryFolder('power');
  await using peer = await startApiPeer();
  const program = join(folder.path, 'late', 'the game');
  await using server = await startHeldServer({
    folder: folder.path,
    apiUrl: peer.url,
    command: [program],
    console: { port: await freePort(), password: 'no console' },
  });
  const reports = () => peer.heard.flatMap(({ frame }) => (frame.type === 'process' ? [frame.process] : []));
  const absent = {
    state: 'stopped',
    wanted: 'running',
    crashes: 0,
    lastCrash: null,
    program: { code: 'program-missing', values: [program] },
  };
  for (let count = 0; count < 5; count += 1) {
    const before = reports().length;
    await eventually(() => expect(reports().slice(before).at(-1)).toMatchObject(absent), 30_000);
    server.agent().kill('SIGKILL');
    await server.agent().exited;
    if (count < 4) server.startAgent();
  }
  expect(await server.record()).toBeNull();
  expect(new Set(reports().map(({ state }) => state))).not.toContain('running');
  await mkdir(join(folder.path, 'late'));
  await writeFile(program, '#!/bin/sh\necho started >> starts\nexec sleep 1000\n', { mode: 0o755 });
  server.startAgent();
  const { game } = await server.game();
  await eventually(() => expect(reports().at(-1)).toMatchObject({ state: 'running', pid: game.pid }));
  expect(await readFile(join(folder.path, 'game', 'starts'), 'utf8')).toBe('started\n');
  expect(reports().at(-1)).toMatchObject({ crashes: 0, lastCrash: null });
  expect(peer.faults).toEqual([]);
});

/** The configurations that setup writes for a game that it finds. */
const layouts = [
  { name: 'its console', game: 'minecraft', logFile: null },
  { name: "Minecraft's log", game: 'minecraft', logFile: 'logs/latest.log' },
  { name: "ARK's log", game: 'ark-se', logFile: 'ShooterGame/Saved/Logs/ShooterGame.log' },
] as const;

// Guarantee: no matter how often the agent is killed, the game continues as the same process, is found again, and each of its
// lines reaches the API once, and the history once.
test.each(layouts)(
  'the agent is killed and reads $name',
  { timeout: 240_000 },
  async ({ game: id, logFile }) => {
    const random = seeded(seed);
    await using folder = await temporaryFolder('power');
    const path = logFile && join(folder.path, 'game', logFile);
    await using peer = await startApiPeer();
    await using server = await startHeldServer({
      folder: folder.path,
      apiUrl: peer.url,
      command: path ? [...numbered, path, id] : numbered,
      game: id,
      ...(path && { logFile: path }),
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
    process.stdout.write(
      `agent: ${kills} kills, seed ${seed}, ${seen.length} lines, none lost, none twice\n`,
    );

    server.agent().kill('SIGTERM');
    await server.agent().exited;
    const log = createLog({ component: 'agent', level: 'silent' });
    await using history = await openLineHistory({ stateFolder: folder.path, days: 7, megabytes: 200, log });
    const kept: number[] = [];
    for (let before: string | null = null; ; ) {
      const page = await history.read({ before, search: null, limit: 1000 });
      kept.push(...(page?.lines ?? []).map(({ text }) => Number(/line (\d+)$/.exec(text)?.[1])));
      before = page?.next ?? null;
      if (before === null) break;
    }
    expect(kept.length).toBeGreaterThanOrEqual(seen.length);
    expect(kept.reverse()).toEqual(Array.from({ length: kept.length }, (_, index) => index + 1));
  },
);
