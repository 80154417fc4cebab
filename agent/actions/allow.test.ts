import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { agentHome } from '../configuration/agent-home.ts';
import { allow } from './allow.ts';

// Guarantee: one command gives and withdraws the consent, keeps everything else of config.json, and says what applies then.
test('backups', async () => {
  await using folder = await temporaryFolder('allow');
  const home = agentHome(folder.path, {});
  const run = async (...args: string[]) => {
    const said: string[] = [];
    const hear = (text: string) => void said.push(text);
    const context = { environment: {}, say: hear, complain: hear };
    return { code: await allow.run([...args, '--home', folder.path], context), said: said.join('\n') };
  };
  const path = home.configPath('one');
  const put = async (config: object) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(config));
  };
  const read = async () => JSON.parse(await readFile(path, 'utf8'));

  expect(await run('--backups', 'yes')).toMatchObject({
    code: 2,
    said: expect.stringContaining('No game server'),
  });
  await put({ game: 'minecraft' });
  expect(await run('--backups', 'yes')).toMatchObject({
    code: 1,
    said: expect.stringContaining('Run setup first'),
  });
  const config = {
    game: 'minecraft',
    secret: 'a-secret-long-enough',
    server: { folder: '/srv/fjord', start: { by: 'none' }, allow: { power: true } },
    saves: { keep: 5, later: 'unknown to this version' },
  };
  await put(config);
  for (const wrong of [
    [],
    ['--backups', 'perhaps'],
    ['--backups'],
    ['yes'],
    ['--backups', 'yes', '--server', '../x'],
  ])
    expect(await run(...wrong)).toMatchObject({ code: 2 });
  expect(await read()).toEqual(config);
  const allowed = await run('--backups', 'yes', '--server', 'one');
  expect(allowed).toMatchObject({ code: 0, said: expect.stringContaining('may schedule') });
  expect(await read()).toEqual({
    ...config,
    server: { ...config.server, allow: { power: true, backups: true } },
  });
  expect(await run('--backups', 'no')).toMatchObject({
    code: 0,
    said: expect.stringMatching(/no nightly backup.*all but the newest 7/),
  });
  expect(await read()).toEqual(config);
  await put({ ...config, saves: { keep: 5, nightlyAt: '04:30' } });
  expect((await run('--backups', 'no')).said).toMatch(/a nightly backup.*all but the newest 5/);
});
