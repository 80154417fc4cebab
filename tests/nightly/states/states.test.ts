// @module-tag identity
// @module-tag mount

import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { discordEventsHttp } from '#contracts/discord/discord-events.ts';
import { eventKindNames } from '#contracts/kernel/event-kinds.ts';
import { eventually } from '#harness/eventually.ts';
import { openPanel, type Panel } from '#harness/panel.ts';
import { currentPrograms } from '#harness/panel-programs.ts';
import { type SmallDisk, smallDisk } from '#harness/small-disk.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { systemEnv } from '#runtime/system-env.ts';
import {
  botFrozen,
  crash,
  databaseReadOnly,
  discordUnavailable,
  diskFull,
  gameFaults,
  supervisorFrozen,
} from './fault-plants.ts';
import { type Observers, openObservers, type Sample } from './observers.ts';
import { openVendorsPortal, type VendorsPortal } from './portal-plant.ts';
import { brokenPromises, from, type Mark, marks, type Row, type Situation } from './situation.ts';
import { tableOf } from './table.ts';
import { componentPlants, type Ground, waitingPlants } from './waiting-plants.ts';

/** A file for the table, besides the output. */
const tableFile = process.env.CASTELLAN_STATES_TABLE;

const diskMegabytes = 1500;
const backMs = 150_000;
/** They come all the time, and say nothing about the state of anything. */
const daily = /^(player|chat|admin|login|discord)\./;

const resources = new AsyncDisposableStack();
const rows: Row[] = [];
let panel: Panel;
let disk: SmallDisk;
let observers: Observers;
let ground: Ground;

beforeAll(async () => {
  const mounted = smallDisk(diskMegabytes);
  if (!mounted) throw new Error('cannot mount');
  disk = resources.use(mounted);
  const programs = resources.use(await currentPrograms());
  const home = join(disk.path, 'home');
  await mkdir(home, { mode: 0o711 });
  // Games are on other machines, whose disks have room.
  const games = resources.use(await temporaryFolder('games'));
  await symlink(games.path, join(home, 'games'));
  panel = resources.use(await openPanel({ home, discord: true }));
  const { info } = panel;
  const pool = (connectionString: string) => {
    const opened = new pg.Pool({ connectionString, max: 2 });
    opened.on('error', () => undefined);
    resources.defer(() => opened.end());
    return opened;
  };
  const castellan = async (...args: readonly string[]) => {
    const env = { ...systemEnv(), CASTELLAN_HOME: info.home };
    const program = join(programs.path, 'castellan.mjs');
    return (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout;
  };
  ground = { panel, db: pool(info.databaseUrl), portalDb: pool(info.portalDatabaseUrl), castellan };
  const channelId = info.discord?.channelIds.welcome ?? '';
  await panel.call(discordEventsHttp.create, {
    body: {
      isEnabled: true,
      channelId,
      kinds: eventKindNames.filter((kind) => !daily.test(kind)),
      severities: [],
      serverIds: [],
      roleId: null,
    },
  });
  observers = resources.use(await openObservers(panel, programs.path, channelId));
  await untilWell();
}, 480_000);

afterAll(async () => {
  process.stdout.write(`\n${tableOf(rows)}\n`);
  await resources.disposeAsync();
});

/** Everyone says again that all is well. */
const untilWell = () =>
  eventually(async () => {
    const { discord: _, ...said } = await observers.sample();
    expect(said).toEqual({ overview: [], badge: [], tray: [], health: [], status: [] });
  }, backMs);

const sampled = async (sample: () => Promise<Partial<Sample>>): Promise<Row['samples']> => {
  const samples = new Map<Mark, Partial<Sample>>();
  const beganMs = performance.now();
  await Promise.all(
    marks.map(async (mark) => {
      await delay(beganMs + mark * 1000 - performance.now());
      samples.set(mark, await sample());
    }),
  );
  return samples;
};

/** Plants all of them at once, asks everyone at each moment, and undoes them. */
const observe = async (situations: readonly Situation[]): Promise<void> => {
  await observers.forget();
  let samples: Row['samples'] = new Map();
  try {
    for (const { plant } of situations) await plant();
    samples = await sampled(observers.sample);
  } finally {
    for (const { undo } of situations) await undo();
  }
  const observed = situations.map((situation): Row => ({ situation, samples }));
  rows.push(...observed);
  if (tableFile) await writeFile(tableFile, `${tableOf(rows)}\n`);
  await untilWell();
  expect(observed.flatMap(brokenPromises)).toEqual([]);
};

/** The portal has its own overview, and no other observer. */
const observePortal = async (vendors: VendorsPortal): Promise<void> => {
  const situation: Situation = {
    name: 'A purchase that needs a decision (overview of the portal)',
    plant: vendors.plant,
    undo: vendors.undo,
    promised: { overview: from(1) },
  };
  expect(await vendors.says()).toEqual([]);
  await situation.plant();
  const samples = await sampled(async () => ({ overview: await vendors.says() }));
  await situation.undo();
  rows.push({ situation, samples });
  expect(brokenPromises({ situation, samples })).toEqual([]);
  expect(await vendors.says()).toEqual([]);
};

// Guarantee: what waits for a person and is no fault of a component is said by the overview, a badge, the tray and Discord, and
// health leaves it alone; what waits in the portal is said there.
test('what waits for a person', async () => {
  await using vendors = await openVendorsPortal();
  await Promise.all([observe(waitingPlants(ground)), observePortal(vendors)]);
});

/** What health may say of them: its worst status, and the components. */
const affected = /^(?:degraded$|no answer|entitlements |backups |integrity |agents )/;

// Guarantee: what waits because a component is affected is said by health, too, and by no other component; and games and agents that
// are away are said to be.
test('components that wait for a person, and games', async () => {
  const games = resources.use(new DisposableStack());
  await observe([...componentPlants(ground), ...gameFaults(panel.info, games)]);
  const said = [...(rows.at(-1)?.samples.values() ?? [])].flatMap(({ health = [] }) => health);
  expect(said.filter((line) => !affected.test(line))).toEqual([]);
});

// Guarantee: no frozen, full, silent or missing part is said to be well for longer than promised, and all say that it is well again
// once it is.
test.each([
  ['bot', () => botFrozen(panel.info)],
  ['supervisor', () => supervisorFrozen(panel.info)],
  ['Discord', () => discordUnavailable(panel.info)],
  ['database', () => databaseReadOnly(panel.info)],
  ['disk', () => diskFull(disk, panel)],
  // Last: what was on its way to its players may come to the desk.
  ['game that its agent starts again', () => crash(panel.info)],
])('%s', async (_, situation) => {
  await observe([situation()]);
});
