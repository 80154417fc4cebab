import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentTask, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { largestTaskResult } from '#contracts/servers/agent-tasks.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { readAgentConfig } from '../configuration/config.ts';
import type { TaskHandler, TaskRun } from '../tasks/task-handlers.ts';
import { writeConfig } from '../testing/agent-process.ts';
import { listBackups } from './backup-folder.ts';
import { holdBackups } from './backup-saves.ts';
import { readRestore, writeRestore } from './restore-journal.ts';
import { openServerSaves, savesSettings } from './server-saves.ts';

const log = createLog({ component: 'agent', level: 'silent' });

interface Setup {
  readonly files?: boolean;
  readonly backups?: boolean;
  readonly whyRunning?: string | null;
  readonly saves?: Readonly<Record<string, unknown>>;
}

/** The handlers of an agent that does not start its game, in folders with spaces and letters of other scripts. */
const openSaves = async (root: string, setup: Setup = {}) => {
  const { files = true, backups = false, whyRunning = null, saves = {} } = setup;
  const server = join(root, 'der Server мир 玩家');
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(server, path)), { recursive: true });
    await writeFile(join(server, path), text);
  };
  await put('world/level.dat', 'first');
  const stateFolder = join(root, 'state');
  await mkdir(stateFolder, { recursive: true });
  const config = await readAgentConfig(
    await writeConfig(root, {
      apiUrl: 'http://127.0.0.1:1',
      serverId: 'server-1',
      secret: 'a-secret-long-enough',
      game: 'minecraft',
      console: null,
      stateFolder,
      server: { folder: server, allow: { files, backups } },
      saves,
    }),
  );
  const settings = savesSettings(config);
  if (!settings) throw new Error('no settings');
  const own = openServerSaves({ config, settings, run: () => null, whyRunning: () => whyRunning, log });
  const ask =
    (way: 'run' | 'recover') =>
    (task: AgentTask, signal = new AbortController().signal): Promise<TaskResult> => {
      const handler = own.handlers[task.kind] as TaskHandler<AgentTask['kind']>;
      const run: TaskRun = {
        id: 't',
        signal,
        cancelled: signal,
        stopping: new AbortController().signal,
        progress: () => undefined,
        upload: () => Promise.reject(new Error('nothing is uploaded')),
      };
      return handler[way](task, run);
    };
  const run = ask('run');
  return {
    settings,
    put,
    run,
    recover: ask('recover'),
    level: () => readFile(join(server, 'world/level.dat'), 'utf8'),
    async backUp() {
      const { outcome, detail, value } = await run({ kind: 'backup-saves' });
      expect(outcome, detail ?? '').toBe('done');
      return (value as { backup: { name: string } }).backup.name;
    },
    list: async () => (await run({ kind: 'list-saves' })).value,
    [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
  };
};
const refused = (text: string) => ({ outcome: 'refused', detail: expect.stringContaining(text) });
const failed = (text: string) => ({ outcome: 'failed', detail: expect.stringContaining(text) });

// Guarantee: backup, list, restore, undo and confirmation do the same as tasks as on the command line, and report what is kept.
test('the life of a backup', async () => {
  await using root = await temporaryFolder('handlers');
  await using saves = await openSaves(root.path, { saves: { nightlyAt: '04:30' } });
  expect(await saves.list()).toMatchObject({
    backups: [],
    unconfirmed: null,
    nightly: { atMinute: 270, last: null },
    freeBytes: expect.any(Number),
  });
  const backup = await saves.backUp();
  await saves.put('world/level.dat', 'second');
  expect(await saves.run({ kind: 'restore-saves', backup })).toMatchObject({ outcome: 'done' });
  expect(await saves.level()).toBe('first');
  expect(await saves.list()).toMatchObject({ backups: [{ name: backup, notes: [] }], unconfirmed: backup });
  expect(await saves.run({ kind: 'restore-saves', backup })).toMatchObject(refused('waits for your'));
  expect(await saves.run({ kind: 'undo-restore', backup: 'x' })).toMatchObject(refused('Another backup'));
  expect(await saves.run({ kind: 'undo-restore', backup })).toMatchObject({
    outcome: 'done',
    detail: expect.stringContaining('castellan-undone'),
  });
  expect(await saves.level()).toBe('second');
  expect(await saves.run({ kind: 'undo-restore', backup })).toMatchObject(
    refused('No restore can be undone'),
  );
  await saves.run({ kind: 'restore-saves', backup });
  expect(await saves.run({ kind: 'confirm-restore', backup: 'x' })).toMatchObject(refused('Another backup'));
  expect(await saves.run({ kind: 'confirm-restore', backup })).toMatchObject({ outcome: 'done' });
  expect(await readdir(saves.settings.serverFolder)).toEqual(['world']);
});

// Guarantee: without the permission of the machine's owner, or while the game runs, no task changes the game's files.
test('not allowed, and not stopped', async () => {
  await using root = await temporaryFolder('handlers');
  {
    await using closed = await openSaves(root.path, { files: false });
    const backup = await closed.backUp();
    for (const kind of ['restore-saves', 'undo-restore', 'confirm-restore'] as const)
      expect(await closed.run({ kind, backup })).toMatchObject(refused('does not allow'));
    expect(await closed.recover({ kind: 'confirm-restore', backup })).toMatchObject(
      refused('does not allow'),
    );
  }
  await using running = await openSaves(root.path, { whyRunning: 'The game server is running.' });
  const [backup] = await listBackups(running.settings.backupFolder);
  const name = backup?.name ?? '';
  expect(await running.run({ kind: 'restore-saves', backup: name })).toMatchObject(refused('is running'));
  expect(await running.run({ kind: 'undo-restore', backup: name })).toMatchObject(refused('is running'));
  expect(await readRestore(running.settings.stateFolder)).toBeNull();
});

// Guarantee: one backup or restore at a time, even if another process has begun it; the refusal says so.
test('another one is running', async () => {
  await using root = await temporaryFolder('handlers');
  await using saves = await openSaves(root.path);
  const backup = await saves.backUp();
  await using _held = await holdBackups(saves.settings.backupFolder);
  for (const task of [
    { kind: 'backup-saves' },
    { kind: 'restore-saves', backup },
    { kind: 'undo-restore', backup },
  ] as const)
    expect(await saves.run(task)).toMatchObject(refused('Another backup or restore'));
  expect(await saves.list()).toMatchObject({ backups: [{ name: backup }] });
});

// Guarantee: a disk without room and a folder that cannot be written are reported in words, and leave nothing half-made.
test('no room, and nowhere to write', async (context) => {
  using disk = smallDisk(8);
  if (!disk) return context.skip('needs to mount a disk');
  await using root = await temporaryFolder('handlers');
  const folder = join(disk.path, 'backups');
  await using saves = await openSaves(root.path, { saves: { folder } });
  const backup = await saves.backUp();
  await disk.fill();
  expect(await saves.run({ kind: 'backup-saves' })).toMatchObject({
    outcome: expect.stringMatching(/failed|refused/),
  });
  expect(await saves.list()).toMatchObject({ backups: [{ name: backup }], freeBytes: 0 });
  await disk.clear();
  execFileSync('mount', ['-o', 'remount,ro', disk.path]);
  try {
    expect(await saves.run({ kind: 'backup-saves' })).toMatchObject(failed(''));
    expect(await saves.list()).toMatchObject({ backups: [{ name: backup }] });
  } finally {
    execFileSync('mount', ['-o', 'remount,rw', disk.path]);
  }
  expect(await readdir(folder)).toEqual([backup]);
});

// Guarantee: the result of an interrupted task follows from the disk: all old or all new, and never done again.
test('the agent died', async () => {
  await using root = await temporaryFolder('handlers');
  await using saves = await openSaves(root.path);
  const { backupFolder, stateFolder, serverFolder } = saves.settings;
  await mkdir(join(backupFolder, '.partial-2026-01-01T00-00-00Z'), { recursive: true });
  expect(await saves.recover({ kind: 'backup-saves' })).toMatchObject(failed('Start it again'));
  expect(await readdir(backupFolder)).toEqual([]);
  expect(await saves.recover({ kind: 'list-saves' })).toMatchObject(refused('Ask again'));
  const backup = await saves.backUp();
  for (const kind of ['restore-saves', 'undo-restore'] as const)
    expect(await saves.recover({ kind, backup })).toMatchObject(failed('Nothing was changed'));
  await saves.run({ kind: 'restore-saves', backup });
  expect(await saves.recover({ kind: 'restore-saves', backup })).toMatchObject({ outcome: 'done' });
  expect(await saves.recover({ kind: 'undo-restore', backup })).toMatchObject(failed('Nothing was changed'));
  const swapped = await readRestore(stateFolder);
  if (!swapped) throw new Error('no journal');
  const swaps = swapped.swaps.map((swap) => ({ ...swap, undone: `${swap.before}-undone`, hadBefore: true }));
  await writeRestore(stateFolder, { ...swapped, stage: 'undoing', swaps });
  {
    await using runs = await openSaves(root.path, { whyRunning: 'It runs.' });
    expect(await runs.recover({ kind: 'undo-restore', backup })).toMatchObject(failed('Stop it'));
    expect((await readRestore(stateFolder))?.stage).toBe('undoing');
    expect(await runs.list()).toMatchObject({ unconfirmed: backup });
  }
  await saves.put('world/level.dat', 'restored');
  expect(await saves.recover({ kind: 'undo-restore', backup })).toMatchObject({ outcome: 'done' });
  expect(await saves.recover({ kind: 'undo-restore', backup })).toMatchObject({ outcome: 'done' });
  expect(await saves.level()).toBe('first');
  // It comes too late: what the undo has kept stays.
  expect(await saves.recover({ kind: 'confirm-restore', backup })).toMatchObject({ outcome: 'done' });
  expect(await readdir(serverFolder)).toEqual([expect.stringMatching(/^\.world.*-undone$/), 'world']);
});

// Guarantee: a cancelled backup leaves none.
test('cancelled', async () => {
  await using root = await temporaryFolder('handlers');
  await using saves = await openSaves(root.path);
  await expect(saves.run({ kind: 'backup-saves' }, AbortSignal.abort())).rejects.toThrow(/abort/i);
  expect(await saves.list()).toMatchObject({ backups: [] });
});

// Guarantee: a list fits into a result however many backups and notes there are; the newest keep their notes.
test('a long list', async () => {
  await using root = await temporaryFolder('handlers');
  await using saves = await openSaves(root.path);
  const { backupFolder } = saves.settings;
  const day = (count: number) => new Date(Date.UTC(2026, 0, 1 + count)).toISOString();
  for (let count = 0; count < 230; count += 1) {
    const name = `${day(count).slice(0, 19).replaceAll(':', '-')}Z`;
    await mkdir(join(backupFolder, name), { recursive: true });
    const notes = Array.from({ length: 9 }, () => '玩'.repeat(900));
    const summary = { name, at: day(count), bytes: 1, storedBytes: 1, files: 1, notes };
    await writeFile(join(backupFolder, name, 'summary.json'), JSON.stringify(summary));
  }
  const value = await saves.list();
  expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThan(largestTaskResult);
  const backups = value?.backups as { name: string; notes: string[] }[];
  expect(backups).toHaveLength(200);
  expect(backups[0]?.notes).toHaveLength(6);
  expect(backups[0]?.notes[5]).toContain('More (4)');
  expect(backups.at(-1)?.notes).toEqual([expect.stringContaining('More (9)')]);
});

// Guarantee: a failed nightly backup is reported until one succeeds.
test('how the last night ended', async () => {
  await using root = await temporaryFolder('handlers');
  await using saves = await openSaves(root.path, { saves: { nightlyAt: '04:30' } });
  const file = join(saves.settings.stateFolder, 'saves-night-last.json');
  const last = { at: '2026-01-01T04:30:00.000Z', isTaken: false, detail: 'The disk is full.' };
  await writeFile(file, JSON.stringify(last));
  expect(await saves.list()).toMatchObject({ nightly: { atMinute: 270, last } });
  await writeFile(file, '{"at":');
  expect(await saves.list()).toMatchObject({ nightly: { last: null } });
  await rm(file);
});

const four = { atMinute: 240, keep: 14, days: 60 };
const machine = { nightlyAt: '02:30', keep: 3, days: 20 };
const machines = {
  nightly: { atMinute: 150 },
  schedule: { keep: 3, days: 20, least: { keep: 3, days: 20 }, panel: null },
};

// Guarantee: a schedule of the panel applies only with the owner's consent, never with less than the machine keeps; what was applied
// holds without the API, and ends with the consent.
test('a schedule from the panel', async () => {
  await using root = await temporaryFolder('handlers');
  {
    await using closed = await openSaves(root.path, { saves: machine });
    expect(await closed.run({ kind: 'schedule-saves', schedule: four })).toMatchObject(refused('not allow'));
    expect(await closed.run({ kind: 'schedule-saves', schedule: null })).toMatchObject(refused('not allow'));
    expect(await closed.list()).toMatchObject(machines);
  }
  {
    await using open = await openSaves(root.path, { saves: machine, backups: true });
    expect(await open.list()).toMatchObject(machines);
    for (const less of [{ keep: 2 }, { days: 19 }])
      expect(await open.run({ kind: 'schedule-saves', schedule: { ...four, ...less } })).toMatchObject(
        refused('at least 3 backups and 20 days'),
      );
    expect(await open.list()).toMatchObject(machines);
    expect(await open.run({ kind: 'schedule-saves', schedule: four })).toMatchObject({ outcome: 'done' });
    expect(await open.recover({ kind: 'schedule-saves', schedule: four })).toMatchObject({ outcome: 'done' });
    expect(await open.list()).toMatchObject({
      nightly: { atMinute: 240 },
      schedule: { keep: 14, days: 60, least: { keep: 3, days: 20 }, panel: four },
    });
  }
  {
    // Another process, with a machine that keeps more now.
    await using raised = await openSaves(root.path, { saves: { ...machine, keep: 20 }, backups: true });
    expect(await raised.list()).toMatchObject({
      nightly: { atMinute: 240 },
      schedule: { keep: 20, days: 60, panel: four },
    });
  }
  {
    await using withdrawn = await openSaves(root.path, { saves: machine });
    expect(await withdrawn.list()).toMatchObject(machines);
  }
  await using open = await openSaves(root.path, { saves: machine, backups: true });
  expect(await open.run({ kind: 'schedule-saves', schedule: null })).toMatchObject({ outcome: 'done' });
  expect(await open.list()).toMatchObject(machines);
});

// Guarantee: as many backups are kept as the panel asked, by every backup of this machine; a damaged schedule deletes none.
test('how many are kept', async () => {
  await using root = await temporaryFolder('handlers');
  await using saves = await openSaves(root.path, { saves: { keep: 1 }, backups: true });
  const schedule = { atMinute: 240, keep: 3, days: 30 };
  expect(await saves.run({ kind: 'schedule-saves', schedule })).toMatchObject({ outcome: 'done' });
  const kept = async () => (await listBackups(saves.settings.backupFolder)).length;
  for (let made = 1; made <= 4; made += 1) await saves.backUp();
  expect(await kept()).toBe(3);
  const file = join(saves.settings.stateFolder, 'saves-schedule.json');
  await writeFile(file, '{"atMinute":240,"keep":');
  const { detail } = await saves.run({ kind: 'backup-saves' });
  expect(detail).toContain('could not be deleted: The schedule that the panel set is damaged');
  expect(await kept()).toBe(4);
  expect(await saves.list()).toMatchObject({ nightly: null, schedule: { keep: 1, panel: null } });
  // The API finds that its schedule does not apply, and sends it again.
  await saves.run({ kind: 'schedule-saves', schedule });
  await saves.backUp();
  expect(await kept()).toBe(3);
});
