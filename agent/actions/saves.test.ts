import { chmod, chown, lstat, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startMinecraft } from '../../tests/simulators/minecraft-simulator.ts';
import { startAgentProcess, writeConfig } from '../testing/agent-process.ts';

// Guarantee: the machine's owner backs up and restores with the command line, only while the game is stopped, and each refusal says why.
test('saves on the command line', async () => {
  await using folder = await temporaryFolder('saves');
  const server = join(folder.path, 'server');
  await mkdir(join(server, 'world'), { recursive: true });
  await writeFile(join(server, 'world/level.dat'), 'good');
  const game = await startMinecraft();
  await using _game = game;
  const base = {
    apiUrl: 'http://127.0.0.1:1',
    serverId: 'server-1',
    secret: 'a-secret-long-enough',
    game: 'minecraft',
    console: { port: game.port, password: game.password },
  };
  const config = await writeConfig(folder.path, { ...base, server: { folder: server } });
  const saves = async (...args: string[]) => {
    await using agent = startAgentProcess('saves', ...args, '--config', config);
    return { code: await agent.exited, said: agent.stdout() + agent.stderr() };
  };
  expect(await saves()).toEqual({ code: 0, said: 'There is no backup yet.\n' });
  const { code, said } = await saves('backup');
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('1 files') });
  const [name = ''] = said.split(' ');
  expect((await saves('list')).said).toContain(name);

  await writeFile(join(server, 'world/level.dat'), 'bad');
  expect(await saves('restore', name)).toMatchObject({
    code: 1,
    said: expect.stringContaining('Stop the game first'),
  });
  await game.goOffline();
  expect(await saves('restore', '2026-01-01T00-00-00Z')).toMatchObject({
    code: 1,
    said: expect.stringContaining('no such backup'),
  });
  expect(await saves('restore', name)).toMatchObject({ code: 0 });
  expect(await readFile(join(server, 'world/level.dat'), 'utf8')).toBe('good');
  expect((await saves('list')).said).toContain('are kept until');
  expect(await saves('confirm')).toMatchObject({ code: 0, said: expect.stringContaining('were deleted') });
  for (const wrong of [['restore'], ['confirm', 'x'], ['constructor'], ['list', '--all']])
    expect(await saves(...wrong)).toMatchObject({ code: 2 });
  await writeConfig(folder.path, base);
  expect(await saves('list')).toMatchObject({
    code: 1,
    said: expect.stringContaining('names no server.folder'),
  });
});

const account = 65_534;

const homeOfAccount = async (folder: string) => {
  const home = join(folder, 'home');
  const server = join(folder, 'server');
  await mkdir(join(server, 'world'), { recursive: true });
  await writeFile(join(server, 'world/level.dat'), 'good');
  await mkdir(home, { mode: 0o700 });
  const config = await writeConfig(home, {
    apiUrl: 'http://127.0.0.1:1',
    serverId: 'server-1',
    secret: 'a-secret-long-enough',
    game: 'minecraft',
    console: null,
    server: { folder: server },
  });
  for (const path of [home, config, server, join(server, 'world'), join(server, 'world/level.dat')])
    await chown(path, account, account);
  return { home, server, config };
};
const saves = async (config: string, ...args: string[]) => {
  await using agent = startAgentProcess('saves', ...args, '--config', config);
  return { code: await agent.exited, said: agent.stdout() + agent.stderr() };
};

// Guarantee: files that root creates with this command in another account's data folder belong to that account, which keeps using them.
test('as root in the home of another account', async () => {
  await using folder = await temporaryFolder('saves');
  await chmod(folder.path, 0o755);
  const { home, server, config } = await homeOfAccount(folder.path);
  const { code, said } = await saves(config, 'backup');
  expect(code, said).toBe(0);
  expect(await saves(config, 'restore', said.split(' ')[0] ?? '')).toMatchObject({ code: 0 });
  for (const root of [home, server])
    for (const path of ['.', ...(await readdir(root, { recursive: true }))])
      expect(await lstat(join(root, path)), path).toMatchObject({ uid: account, gid: account });
});

// Guarantee: a backup that a person cancels does not leave a game that no longer saves.
test('Ctrl-C while worlds are copied', async () => {
  await using folder = await temporaryFolder('saves');
  const server = join(folder.path, 'server');
  await mkdir(join(server, 'world'), { recursive: true });
  await writeFile(join(server, 'world/level.dat'), 'good');
  await truncate(join(server, 'world/level.dat'), 4e9);
  await using game = await startMinecraft();
  const config = await writeConfig(folder.path, {
    apiUrl: 'http://127.0.0.1:1',
    serverId: 'server-1',
    secret: 'a-secret-long-enough',
    game: 'minecraft',
    console: { port: game.port, password: game.password },
    server: { folder: server },
  });
  await using agent = startAgentProcess('saves', 'backup', '--config', config);
  await eventually(() => expect(game.level.autosaves).toBe(false), 30_000);
  agent.kill('SIGINT');
  expect(await agent.exited).toBe(1);
  expect(agent.stderr()).toContain('Cancelled');
  expect(game.level.autosaves).toBe(true);
  expect(await readdir(folder.path)).not.toContain('autosave-paused.json');
});

// Guarantee: another account's world is not replaced by files that its game could not write; the refusal changes nothing.
test('a world of an account that cannot be given files', async () => {
  await using folder = await temporaryFolder('saves');
  await chmod(folder.path, 0o755);
  const { home, server, config } = await homeOfAccount(folder.path);
  const world = [join(server, 'world'), join(server, 'world/level.dat')];
  for (const path of world) await chown(path, 12_345, 12_345);
  const backup = await saves(config, 'backup');
  const name = backup.said.split(' ')[0] ?? '';
  expect(await saves(config, 'restore', name)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/account 12345.+may not give files.+--account root/s),
  });
  expect(await readdir(server)).toEqual(['world']);
  expect(await readdir(home)).not.toContain('restore.json');
  for (const path of world) await chown(path, account, account);
  expect(await saves(config, 'restore', name)).toMatchObject({ code: 0 });
});
