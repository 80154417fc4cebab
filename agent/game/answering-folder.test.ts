import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deadDrive } from '#harness/dead-drive.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { answers, demandAnswer, followAnswers } from '#runtime/answering-folder.ts';
import { findGames } from '../discovery/find-games.ts';
import { ownWorker } from '../mods/folder/folder-worker.ts';
import { endLaunched, startTestPower } from '../power/testing/test-power.ts';
import { backupSaves, holdBackups, type SavesSettings } from '../saves/backup-saves.ts';
import { survivorHandler } from '../survivors/survivor-handler.ts';
import type { TaskRun } from '../tasks/task-handlers.ts';
import { startAgentProcess } from '../testing/agent-process.ts';

const needs = { tags: ['mount' as const], timeout: 90_000 };

// Guarantee: a path that answers, even if nothing is there, is told apart from one that never does.
test('a folder and a drive', needs, async () => {
  await using folder = await temporaryFolder('answers');
  using drive = deadDrive();
  const linked = join(folder.path, 'Größe 方舟');
  await symlink(drive.path, linked);
  const followed = [followAnswers(folder.path), followAnswers(drive.path)].map((ask) => ask());
  expect(await answers(folder.path)).toBe(true);
  expect(await answers(join(folder.path, '-L nothing'))).toBe(true);
  for (const path of [join(drive.path, 'game'), join(linked, 'game')])
    expect(await answers(path, 300)).toBe(false);
  await demandAnswer(folder.path, 300);
  await expect(demandAnswer(drive.path, 300)).rejects.toThrow('does not answer');
  expect(await Promise.all(followed)).toEqual([true, false]);
});

// Guarantee: a start in a folder on a drive that is gone is reported with its remedy, and the agent keeps looking after its games.
test('power', needs, async () => {
  await using folder = await temporaryFolder('dead-power');
  onTestFinished(() => endLaunched(folder.path));
  using drive = deadDrive();
  const gameFolder = join(drive.path, 'mein spiel');
  await using it = await startTestPower({ folder: folder.path, gameFolder, command: ['./run.sh'] });
  expect(await it.act('start')).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining(`${gameFolder} does not respond. Is its network drive connected?`),
  });
  expect(await it.act('stop')).toMatchObject({ outcome: 'done' });
});

// Guarantee: the search for games skips a drive that is gone, and finds the games beside it.
test('discovery', needs, async () => {
  await using folder = await temporaryFolder('dead-search');
  using drive = deadDrive();
  const game = join(folder.path, 'z Überleben');
  await mkdir(game);
  await writeFile(join(game, 'server.properties'), 'enable-rcon=false\n');
  await writeFile(join(game, 'eula.txt'), 'eula=true\n');
  const found = await findGames({ games: ['minecraft'], places: [drive.path, folder.path] });
  expect(found.map((one) => one.folder)).toEqual([game]);
});

// Guarantee: backups and survivor look-ups on a drive that is gone end with a message, whether it holds the game or the backups.
test('saves and survivors', needs, async () => {
  await using folder = await temporaryFolder('dead-saves');
  using drive = deadDrive();
  const settings: SavesSettings = {
    game: 'minecraft',
    serverId: 'one',
    stateFolder: folder.path,
    from: null,
    keep: 5,
    days: 5,
    mayPanelSchedule: false,
    serverFolder: join(drive.path, 'game'),
    backupFolder: join(folder.path, 'backups'),
    startCommand: [],
  };
  const { signal } = new AbortController();
  const backUp = backupSaves({ settings, run: null, signal, onProgress: () => undefined });
  await expect(backUp).rejects.toThrow('does not answer');
  await expect(holdBackups(join(drive.path, 'backups'))).rejects.toThrow('network drive');
  const survivors = survivorHandler({ folder: settings.serverFolder, command: [] }, ownWorker);
  const platformId = 'steam:76561198000000001';
  expect(await survivors.run({ kind: 'survivor-number', platformId }, {} as TaskRun)).toMatchObject({
    value: { number: null },
    detail: expect.stringContaining('does not answer'),
  });
});

// Guarantee: an agent runs all its servers even when all of them and their logs are on a drive that is gone, and picks up another one.
test('many servers', needs, async () => {
  await using folder = await temporaryFolder('dead-servers');
  using drive = deadDrive();
  const put = async (id: string) => {
    const state = join(folder.path, 'servers', id);
    await mkdir(state, { recursive: true, mode: 0o700 });
    const config = {
      apiUrl: 'http://127.0.0.1:9',
      serverId: id,
      secret: 'a-secret-long-enough',
      game: 'minecraft',
      console: { port: 9, password: 'x' },
      logFile: join(drive.path, id, 'latest.log'),
      server: { folder: join(drive.path, id), start: { by: 'holder', command: ['./run.sh'] } },
    };
    await writeFile(join(state, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  };
  const first = Array.from({ length: 6 }, (_, number) => `server-${number}`);
  for (const id of first) await put(id);
  await using agent = startAgentProcess('run', '--home', folder.path);
  const runs = (id: string) =>
    eventually(() => expect(agent.stderr()).toContain(`running server="${id}"`), 30_000);
  for (const id of first) await runs(id);
  await put('later');
  await runs('later');
  await rm(join(folder.path, 'servers/later'), { recursive: true });
  await eventually(() => expect(agent.stderr()).toContain('stopping server="later"'), 30_000);
});
