import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startMinecraft } from '../../tests/simulators/minecraft-simulator.ts';
import { startAgentProcess, writeConfig } from '../testing/agent-process.ts';

// Guarantee: the machine's owner backs up and restores by the command line, only while the game is stopped, and each refusal says why.
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
  expect(await saves('confirm')).toMatchObject({ code: 0, said: expect.stringContaining('are deleted') });
  for (const wrong of [['restore'], ['confirm', 'x'], ['constructor'], ['list', '--all']])
    expect(await saves(...wrong)).toMatchObject({ code: 2 });
  await writeConfig(folder.path, base);
  expect(await saves('list')).toMatchObject({
    code: 1,
    said: expect.stringContaining('names no server.folder'),
  });
});
