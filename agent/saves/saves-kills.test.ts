import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runCount } from '#harness/kill-count.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { resumeAutosave } from './autosave.ts';
import { listBackups } from './backup-folder.ts';
import { backupSaves, type SavesSettings } from './backup-saves.ts';
import { finishRestore } from './finish-restore.ts';
import { readRestore } from './restore-journal.ts';
import { confirmRestore, restoreSaves } from './restore-saves.ts';

const places = ['world', 'world_nether', 'world_the_end'];
const filesEach = 12;
const quiet = { signal: new AbortController().signal, onProgress: () => undefined };

const settingsIn = (root: string): SavesSettings => ({
  game: 'minecraft',
  serverId: 'server-1',
  stateFolder: join(root, 'state'),
  serverFolder: join(root, 'server'),
  from: null,
  startCommand: [],
  backupFolder: join(root, 'backups'),
  keep: 5,
  days: 30,
  mayPanelSchedule: false,
});
const writeWorlds = async (root: string, what: string) => {
  for (const place of places) {
    await mkdir(join(root, 'server', place, 'region'), { recursive: true });
    for (let file = 0; file < filesEach; file += 1)
      await writeFile(join(root, 'server', place, 'region', `r.${file}.mca`), `${what} ${file}`.repeat(500));
  }
};
/** The content of the worlds; null: none, or not the same in all files. */
const readWorlds = async (root: string): Promise<string | null> => {
  const words = new Set<string>();
  for (const place of places) {
    const folder = join(root, 'server', place, 'region');
    const names = await readdir(folder).catch(() => []);
    if (names.length !== filesEach) return null;
    for (const name of names) words.add((await readFile(join(folder, name), 'utf8')).split(' ')[0] ?? '');
  }
  return words.size === 1 ? ([...words][0] ?? null) : null;
};

const url = (path: string) => JSON.stringify(resolve(import.meta.dirname, path));
/** Runs an operation on the saves in a process that can be killed. */
const startProgram = (root: string, body: string) => {
  const text = `import { backupSaves } from ${url('./backup-saves.ts')};
    import { restoreSaves } from ${url('./restore-saves.ts')};
    import { undoRestore } from ${url('./undo-restore.ts')};
    import { finishRestore } from ${url('./finish-restore.ts')};
    const settings = JSON.parse(process.argv[1]);
    const quiet = { signal: new AbortController().signal, onProgress: () => undefined };
    process.send('begins');
    ${body}`;
  const args = ['--input-type=module', '--eval', text, JSON.stringify(settingsIn(root))];
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
};

// Guarantee: after a restore that is killed at any moment, the next start leaves the worlds all old or all new; none is lost.
test('a restore that is killed', { timeout: 400_000, tags: 'kills' }, async () => {
  const kills = runCount({ day: 6, night: 50 });
  await using root = await temporaryFolder('kills');
  const settings = settingsIn(root.path);
  await mkdir(settings.stateFolder);
  await writeWorlds(root.path, 'new');
  const { name } = await backupSaves({ settings, run: null, ...quiet });
  let wholeMs = 0;
  const ends = { old: 0, new: 0 };
  for (let kill = -1; kill < kills; kill += 1) {
    await writeWorlds(root.path, 'old');
    const child = startProgram(
      root.path,
      `await restoreSaves({ settings, backup: ${JSON.stringify(name)}, whyNotStopped: async () => null, ...quiet });`,
    );
    await once(child, 'message');
    const begunMs = performance.now();
    const exited = once(child, 'exit');
    if (kill === -1) await exited;
    else await Promise.race([exited, delay((wholeMs * 1.1 * kill) / kills)]);
    if (kill === -1) wholeMs = performance.now() - begunMs;
    child.kill('SIGKILL');
    await exited;
    if (kill % 3 === 0) {
      const next = startProgram(root.path, 'await finishRestore(settings.stateFolder);');
      await once(next, 'message');
      const ended = once(next, 'exit');
      await Promise.race([ended, delay(kill % 5)]);
      next.kill('SIGKILL');
      await ended;
    }
    await finishRestore(settings.stateFolder);
    const found = await readWorlds(root.path);
    expect(found).toMatch(/^(old|new)$/);
    ends[found as 'old' | 'new'] += 1;
    expect((await readRestore(settings.stateFolder))?.stage ?? 'none').toBe(
      found === 'new' ? 'swapped' : 'none',
    );
    await confirmRestore(settings);
    expect((await readdir(settings.serverFolder)).sort()).toEqual(places);
  }
  expect(ends.old).toBeGreaterThan(kills / 10);
  expect(ends.new).toBeGreaterThan(kills / 50);
});

// Guarantee: after an undoing that is killed at any moment, the next start leaves the worlds all as restored or all as before.
test('an undoing that is killed', { timeout: 400_000, tags: ['kills', 'night'] }, async () => {
  const kills = runCount({ day: 6, night: 14 });
  await using root = await temporaryFolder('kills');
  const settings = settingsIn(root.path);
  await mkdir(settings.stateFolder);
  await writeWorlds(root.path, 'new');
  const { name } = await backupSaves({ settings, run: null, ...quiet });
  let wholeMs = 0;
  const ends = { old: 0, new: 0 };
  for (let kill = -1; kill < kills; kill += 1) {
    await writeWorlds(root.path, 'old');
    await restoreSaves({ settings, backup: name, whyNotStopped: async () => null, ...quiet });
    const child = startProgram(
      root.path,
      'await undoRestore({ settings, backup: null, whyNotStopped: async () => null });',
    );
    await once(child, 'message');
    const begunMs = performance.now();
    const exited = once(child, 'exit');
    if (kill === -1) await exited;
    else await Promise.race([exited, delay((wholeMs * 2 * kill) / kills)]);
    if (kill === -1) wholeMs = performance.now() - begunMs;
    child.kill('SIGKILL');
    await exited;
    await finishRestore(settings.stateFolder);
    const found = await readWorlds(root.path);
    expect(found).toMatch(/^(old|new)$/);
    ends[found as 'old' | 'new'] += 1;
    expect((await readRestore(settings.stateFolder))?.stage ?? 'none').toBe(
      found === 'new' ? 'swapped' : 'none',
    );
    await confirmRestore(settings);
    expect((await readdir(settings.serverFolder)).sort()).toEqual(places);
  }
  expect(ends.old).toBeGreaterThan(1);
  expect(ends.new).toBeGreaterThan(1);
});

// Guarantee: a killed backup is not listed, leaves nothing behind after the next one, and the game saves again.
test('a backup that is killed', { timeout: 400_000, tags: 'kills' }, async () => {
  await using root = await temporaryFolder('kills');
  const settings = settingsIn(root.path);
  await mkdir(settings.stateFolder);
  await writeWorlds(root.path, 'old');
  const said = join(root.path, 'said');
  await writeFile(said, '');
  const command = `import { appendFileSync } from 'node:fs';
    const run = async (command) => {
      appendFileSync(${JSON.stringify(said)}, command + '\\n');
      return { outcome: 'answered', reply: '', truncated: false, sent: true, durationMs: 1 };
    };
    for (;;) await backupSaves({ settings, run, ...quiet });`;
  for (let kill = 0; kill < runCount({ day: 5, night: 10 }); kill += 1) {
    const child = startProgram(root.path, command);
    await once(child, 'message');
    const exited = once(child, 'exit');
    await delay(kill * 8);
    child.kill('SIGKILL');
    await exited;
    const run = async (text: string) => {
      await writeFile(said, `${text}\n`, { flag: 'a' });
      return { outcome: 'answered', reply: '', truncated: false, sent: true, durationMs: 1 } as const;
    };
    expect(await resumeAutosave({ game: 'minecraft', stateFolder: settings.stateFolder, run })).toBe(true);
    const last = (await readFile(said, 'utf8')).trim().split('\n').at(-1);
    expect(['save-on', '']).toContain(last);
    for (const { files } of await listBackups(settings.backupFolder))
      expect(files).toBe(places.length * filesEach);
  }
  await backupSaves({ settings, run: null, ...quiet });
  expect((await readdir(settings.backupFolder)).filter((name) => name.startsWith('.'))).toEqual([]);
});
