import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ModItem } from '#contracts/servers/agent-mods.ts';
import type { PowerAction } from '#contracts/servers/agent-tasks.ts';
import { gameOf } from '#games/games.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { randomOf } from '../../tests/bench/harness/seeded-random.ts';
import type { PowerConsole } from '../power/bring-down.ts';
import { openPower } from '../power/power.ts';
import { quickTiming } from '../power/testing/test-power.ts';
import { ownWorker } from './folder/folder-worker.ts';
import { readManifest } from './manifest.ts';
import { changeTurn, settleMods } from './settle-mods.ts';
import { type HandledGame, openHandledGame } from './testing/handled-game.ts';
import { openModdedServer } from './testing/modded-server.ts';

const count = 36;
const together = 12;

const silent = createLog({ component: 'agent', level: 'silent' });

const consoleOf = (game: HandledGame): PowerConsole => ({
  obstacle: async () => (game.run()?.loaded ? null : 'connection refused'),
  async run() {
    const outcome = game.run()?.loaded ? 'answered' : 'connection refused';
    return { outcome, sent: true, reply: '', truncated: false, durationMs: 1 };
  },
});

const wholeNames = (items: readonly ModItem[]) => items.map(({ file }) => file?.name ?? '').sort();

/** One change, during which people start, stop and kill the game at moments derived from the seed. */
const changeOf = async (seed: number) => {
  const random = randomOf(seed);
  await using folder = await temporaryFolder('mods');
  const root = join(folder.path, 'game');
  const game = openHandledGame(root, random, random() < 0.3);
  const turn = changeTurn();
  const start = { by: 'none' as const };
  const config = {
    stateFolder: join(folder.path, 'state'),
    server: { folder: root, start, allow: { power: true, files: true, mods: true } },
    console: null,
  };
  const console = consoleOf(game);
  await using power = await openPower({
    powerFolder: join(folder.path, 'power'),
    way: game.way,
    game: gameOf('minecraft'),
    console,
    log: silent,
    whyNotStart: () => settleMods(config, turn, ownWorker),
    lastLines: async () => [],
    timing: { ...quickTiming, pollMs: 30, settleMs: 60, serviceMs: 3000, ownStopMs: 400 },
  });
  const asked = (action: PowerAction) =>
    power.act({
      action,
      countdown: null,
      task: null,
      signal: new AbortController().signal,
      onStep: () => undefined,
    });
  let isChanging = false;
  const server = await openModdedServer(folder.path, {
    power,
    turn,
    console,
    pollMs: 20,
    async whyNotStopped() {
      if (game.run()) return 'A process of the game runs.';
      // Right after the check.
      if (isChanging && random() < 0.3) void game.start();
      return null;
    },
  });
  const old = [await server.library.jar('One', '1'), await server.library.jar('Two', '1')];
  await server.change({ put: old });
  if (random() < 0.75) await asked('start');
  const [fresh, ...more] = [
    await server.library.jar(random() < 0.3 ? 'Bad' : 'Three', '1'),
    await server.library.jar('One', '2'),
  ];
  const put = [fresh, ...more].filter((item) => item !== undefined);
  const next = [...put, ...old.slice(1)];

  const hands: (() => unknown)[] = [
    ...[game.start, game.start, game.stop, game.kill],
    ...(['start', 'stop', 'restart', 'kill'] as const).map((action) => () => asked(action)),
  ];
  const handled = Array.from({ length: Math.floor(random() * 4) }, async () => {
    await delay(random() * (random() < 0.7 ? 500 : 2500));
    await hands[Math.floor(random() * hands.length)]?.();
  });
  isChanging = true;
  const result = await server.change({
    base: 1,
    put,
    backup: random() < 0.5,
    watch: { readySeconds: 10, watchSeconds: random() < 0.5 ? 0 : 1 },
  });
  const loadedAtEnd = game.run()?.loaded ?? null;
  const [oldNames, newNames] = [wholeNames(old), wholeNames(next)];
  const names = result.set === 'new' ? newNames : oldNames;
  const said = { seed, result };

  expect((await readdir(join(root, 'mods'))).sort(), JSON.stringify(said)).toEqual(names);
  expect((await readManifest(server.stateFolder)).revision, JSON.stringify(said)).toBe(result.revision);
  if (result.health === 'proven')
    expect(wholeNames(put), JSON.stringify({ ...said, run: game.run() })).not.toContain('Bad-1.jar');
  const isToldToRestart = (result.notes ?? []).some((note) => note.includes('restart it'));
  if (loadedAtEnd && !isToldToRestart) expect(loadedAtEnd, JSON.stringify(said)).toEqual(names);
  await Promise.all(handled);
  await eventually(() =>
    expect(['running', 'stopped', 'crash-looping', 'backing-off']).toContain(power.report().state),
  );
  const loaded = game.run()?.loaded ?? null;
  if (loaded && !isToldToRestart) expect(loaded, JSON.stringify(said)).toEqual(names);
  return result;
};

// Guarantee: however people start, stop and kill the game during a change, the files belong to one set, a set counts as proven only
// if a game that was started with all of it stayed up, and no game is left with parts of both sets without a message.
test('a game that people handle during a change', { timeout: 180_000 }, async () => {
  const first = Number(process.env.CASTELLAN_TEST_SEED ?? Date.now() % 1_000_000);
  const ends = new Map<string, number>();
  for (let from = 0; from < count; from += together) {
    const seeds = Array.from({ length: together }, (_, at) => first + from + at);
    for (const { outcome, set, health } of await Promise.all(seeds.map(changeOf))) {
      const end = `${outcome} ${set} ${health}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  }
  process.stdout.write(`${count} changes from seed ${first}: ${JSON.stringify(Object.fromEntries(ends))}\n`);
  expect(ends.get('done new proven')).toBeGreaterThan(0);
});
