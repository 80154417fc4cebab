import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { killsEverywhere } from '#harness/kill-count.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startApiPeer } from '../../agent/testing/api-peer.ts';
import { startHeldServer } from '../power-kills/held-server.ts';
import {
  chattyGame,
  killAgent,
  killGame,
  killHolder,
  type Layout,
  namedMoments,
} from '../power-kills/kill-power.ts';

/** At named moments; tests/nightly/kills kills at random ones, and a real game. */
const { started, read, unacknowledged, withoutApi } = namedMoments;

/** Each waits for many processes, one after another. */
const patient = { timeout: 240_000 };

// Guarantee: a game server that is killed when it has just started, or while it runs, comes back, once, and leaves no process behind.
test('the game is killed', patient, () => killGame(chattyGame, [started, read]));

const layouts: readonly (Layout & { readonly name: string })[] = [
  { name: 'its console', game: 'minecraft', logFile: null },
  { name: "ARK's log", game: 'ark-se', logFile: 'ShooterGame/Saved/Logs/ShooterGame.log' },
];

// Guarantee: whenever the agent is killed, the game continues as the same process, is found again, and each of its lines reaches the
// API once, and the history once.
const consoles = killsEverywhere ? layouts : layouts.slice(0, 1);
test.each(consoles)('the agent is killed and reads $name', { ...patient, tags: 'kills' }, async (layout) => {
  await killAgent(layout, [started, unacknowledged, withoutApi], 20);
});

// Guarantee: the report after the death of a holder is true: the game continues without its console and can be ended, or it died
// with the console and is back; there are never two games, and none is left behind.
test('the holder is killed', patient, async () => {
  expect(await killHolder(['/bin/sleep', '1000'], [started])).toBe(1);
  await killHolder(chattyGame, [started, read]);
});

// Guarantee: an agent that is killed again and again while it waits for a program that is not there reports the same each time, with
// its reason and no crash; the game is started once the program is there, once.
test('the agent is killed while the program is not there', { timeout: 120_000, tags: 'night' }, async () => {
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
