import { mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { type SmallDisk, smallDisk } from '#harness/small-disk.ts';
import { isAlive } from '#runtime/live-process.ts';
import { openConsoleLog } from './holder/console-log.ts';
import { readHolderRecord } from './holder/holder-record.ts';
import { endLaunched, startTestPower } from './testing/test-power.ts';

const diskOf = (): SmallDisk => {
  const disk = smallDisk(4);
  if (!disk) throw new Error('this account may not mount');
  onTestFinished(async () => {
    await endLaunched(disk.path);
    disk[Symbol.dispose]();
  });
  return disk;
};

// Guarantee: a full disk ends neither the holder nor the game, and the game's end is recorded as soon as there is room.
test('a holder on a full disk', { tags: 'mount' }, async () => {
  const disk = diskOf();
  const go = join(disk.path, 'go');
  const command = ['bash', '-c', `while [ ! -e ${go} ]; do sleep 0.05; done; exec sleep 1000`] as const;
  await using it = await startTestPower({ folder: disk.path, command });
  await it.act('start');
  const record = await readHolderRecord(it.powerFolder);
  if (!record?.game) throw new Error('no game');
  const { holder, game } = record;
  await writeFile(go, '');
  await disk.fill();
  await eventually(async () => expect(await readlink(`/proc/${game.pid}/exe`)).toContain('sleep'));
  // Two looks of the holder.
  await delay(1200);
  expect([isAlive(holder.pid), isAlive(game.pid)]).toEqual([true, true]);
  await disk.clear();
  await eventually(async () =>
    expect((await readHolderRecord(it.powerFolder))?.game?.program).toContain('sleep'),
  );
  expect(await it.act('kill')).toMatchObject({ outcome: 'done' });
});

// Guarantee: however much a game writes on a full disk, no descriptor stays open for it, and the number of missing lines is reported later.
test('the console log of a full disk', { tags: 'mount' }, async () => {
  const disk = diskOf();
  const folder = join(disk.path, 'console');
  await mkdir(folder);
  await disk.fill();
  using log = openConsoleLog(folder);
  const opened = async () => {
    const open = await readdir('/proc/self/fd');
    const links = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return links.filter((link) => link.startsWith(folder)).length;
  };
  for (let line = 0; line < 300; line += 1) log.add([`line ${line}`]);
  expect(await opened()).toBeLessThanOrEqual(1);
  await disk.clear();
  await eventually(async () => {
    log.add(['there is room']);
    const [first = ''] = await readdir(folder);
    expect(await readFile(join(folder, first), 'utf8')).toMatch(/\d+ lines of the console are missing/);
  });
});

// Guarantee: a running game whose record was lost on a full disk goes on, and is wanted once there is room.
test('a lost record on a full disk', { tags: 'mount' }, async () => {
  const disk = diskOf();
  const setting = { folder: disk.path, command: ['sleep', '1000'] } as const;
  let pid = 0;
  {
    await using it = await startTestPower(setting);
    await it.act('start');
    pid = it.power.report().pid ?? 0;
  }
  await rm(join(disk.path, 'power', 'power.json'));
  await disk.fill();
  await using it = await startTestPower(setting);
  await eventually(() => expect(it.logged.join('')).toContain('could not supervise the game server'));
  expect(it.power.report()).toMatchObject({ state: 'running', pid });
  await disk.clear();
  await eventually(() =>
    expect(it.power.report()).toMatchObject({ state: 'running', pid, wanted: 'running' }),
  );
  await it.act('kill');
});

// Guarantee: a game that dies on a full disk is not reported as stopped in order, is reported once, and comes back when there is room.
test('a crash on a full disk', { tags: 'mount', timeout: 60_000 }, async () => {
  const disk = diskOf();
  await using it = await startTestPower({ folder: disk.path, command: ['sleep', '1000'] });
  await it.act('start');
  const { pid } = it.power.report();
  await disk.fill();
  process.kill(pid ?? 0, 'SIGKILL');
  await eventually(
    () =>
      expect(it.power.report()).toMatchObject({
        state: 'unknown',
        wanted: 'running',
        detail: expect.stringContaining('disk is full'),
      }),
    20_000,
  );
  await eventually(() =>
    expect(it.logged.filter((line) => line.includes('could not supervise')).length).toBe(1),
  );
  await disk.clear();
  await rm(join(disk.path, 'filler'), { force: true });
  await eventually(() => expect(it.power.report()).toMatchObject({ state: 'running', crashes: 1 }), 20_000);
  const reports = JSON.parse(await readFile(join(it.powerFolder, 'crashes.json'), 'utf8'));
  expect(reports.length).toBe(1);
  expect(it.logged.filter((line) => line.includes('could not supervise')).length).toBe(1);
  await it.act('kill');
});
