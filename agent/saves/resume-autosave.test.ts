import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CommandResult } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { readAgentConfig } from '../configuration/config.ts';
import type { TaskRun } from '../tasks/task-handlers.ts';
import type { RunCommand } from './autosave.ts';
import { openServerSaves, savesSettings } from './server-saves.ts';

/** The replies of Minecraft 1.20 and later (its en_us.json: commands.save.*). */
const replies: Readonly<Record<string, string>> = {
  'save-off': 'Automatic saving is now disabled',
  'save-all flush': 'Saved the game',
  'save-on': 'Automatic saving is now enabled',
};
const answerTo = (command: string): CommandResult => ({
  outcome: 'answered',
  reply: replies[command] ?? '',
  truncated: false,
  sent: true,
  durationMs: 1,
});
const unanswered: CommandResult = {
  outcome: 'timeout',
  reply: null,
  truncated: false,
  sent: true,
  durationMs: 1,
};

/** The saves of a Minecraft server whose console is `run`. */
const openSaves = async (root: string, run: RunCommand) => {
  const folder = join(root, 'server');
  await mkdir(join(folder, 'world'), { recursive: true });
  await writeFile(join(folder, 'world/level.dat'), 'MONDAY');
  const path = join(root, 'config.json');
  const config = {
    apiUrl: 'http://127.0.0.1:1',
    serverId: 'server-1',
    secret: 'x'.repeat(43),
    game: 'minecraft',
    console: null,
    server: { folder },
  };
  await writeFile(path, JSON.stringify(config));
  const read = await readAgentConfig(path);
  const settings = savesSettings(read);
  if (!settings) throw new Error('no settings');
  await mkdir(settings.stateFolder, { recursive: true });
  const logged: string[] = [];
  const log = createLog({ component: 'agent', destination: { write: (line) => void logged.push(line) } });
  const saves = openServerSaves({
    config: read,
    settings,
    run: () => run,
    whyRunning: () => null,
    log,
    resumeMs: 50,
  });
  const isPaused = () =>
    access(join(settings.stateFolder, 'autosave-paused.json')).then(
      () => true,
      () => false,
    );
  return { saves, logged, isPaused, stateFolder: settings.stateFolder };
};
const { signal } = new AbortController();
const taskRun = { id: 'task-1', signal, cancelled: signal, progress: () => undefined } as unknown as TaskRun;
const backUp = (saves: Awaited<ReturnType<typeof openSaves>>['saves']) =>
  saves.handlers['backup-saves']?.run({ kind: 'backup-saves' }, taskRun);

// Guarantee: a game that did not answer when it was told to save again is told until it does, and the backup says so.
test('a game that does not answer at the end of a backup', async () => {
  await using root = await temporaryFolder('autosave');
  const asked: string[] = [];
  let isDeaf = true;
  const { saves, logged, isPaused } = await openSaves(root.path, async (command) => {
    asked.push(command);
    return command === 'save-on' && isDeaf ? unanswered : answerTo(command);
  });
  await using _ = saves;
  expect(await backUp(saves)).toMatchObject({
    outcome: 'done',
    detail: expect.stringContaining('goes on trying'),
  });
  await eventually(
    () => expect(asked.filter((command) => command === 'save-on').length).toBeGreaterThan(1),
    30_000,
  );
  expect(logged.join('')).toContain('is not saving');
  isDeaf = false;
  await eventually(async () => expect(await isPaused()).toBe(false));
  expect(asked.slice(0, 3)).toEqual(['save-off', 'save-all flush', 'save-on']);
});

// Guarantee: nothing tells the game to save while a backup is running, however long that takes.
test('a backup that takes long', async () => {
  await using root = await temporaryFolder('autosave');
  const asked: string[] = [];
  const { promise: resumed, resolve } = Promise.withResolvers<void>();
  const { saves, isPaused } = await openSaves(root.path, async (command) => {
    asked.push(command);
    // Long enough for many looks.
    if (command === 'save-all flush') await Promise.race([resumed, delay(1000)]);
    if (command === 'save-on') resolve();
    return answerTo(command);
  });
  await using _ = saves;
  expect(await backUp(saves)).toMatchObject({ outcome: 'done', detail: null });
  expect(asked).toEqual(['save-off', 'save-all flush', 'save-on']);
  expect(await isPaused()).toBe(false);
});
