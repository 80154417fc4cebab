import { chmod, chown, lstat, mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testIf } from '#harness/test-if.ts';
import { agentHome } from '../configuration/agent-home.ts';
import { startAgentProcess } from '../testing/agent-process.ts';

const isRoot = process.getuid?.() === 0;
/** Everywhere `daemon`. */
const owner = 1;

/** As that account has made it, before the agent's first start. */
const openHome = async () => {
  const folder = await temporaryFolder('foreign');
  await chmod(folder.path, 0o755);
  const home = agentHome(join(await realpath(folder.path), 'home'), {});
  const config = home.configPath('one');
  await mkdir(dirname(config), { recursive: true, mode: 0o700 });
  await writeFile(
    config,
    JSON.stringify({
      apiUrl: 'http://127.0.0.1:9',
      serverId: 'one',
      secret: 'a-secret-long-enough',
      game: 'minecraft',
      console: null,
    }),
    { mode: 0o600 },
  );
  for (const path of [home.folder, join(home.folder, 'servers'), dirname(config), config])
    await chown(path, owner, owner);
  return { folder, home, config };
};

const cases = [
  { name: 'run', args: ['run'], says: /belongs to the account daemon.*run this command as daemon/ },
  { name: 'status', args: ['status'], says: /Game servers: one/ },
  { name: 'setup', args: ['setup', '--yes'], says: /one/ },
  { name: 'start', args: ['start'], says: /No service is installed|not running here/ },
  { name: 'uninstall', args: ['uninstall'], says: /No service is installed/ },
];

// Guarantee: a command of root's on a data folder of another account leaves nothing there that is not that account's.
testIf(isRoot).for(cases)('root: $name', async ({ args, says }) => {
  const { folder, home } = await openHome();
  await using _folder = folder;
  await using agent = startAgentProcess(...args, '--home', home.folder);
  await agent.exited;
  expect(agent.stdout() + agent.stderr()).toMatch(says);
  for (const path of ['.', ...(await readdir(home.folder, { recursive: true }))])
    expect(await lstat(join(home.folder, path)), path).toMatchObject({ uid: owner });
});

testIf(isRoot)('root: check', async () => {
  const { folder, home, config } = await openHome();
  await using _folder = folder;
  await using agent = startAgentProcess('--config', config, '--check');
  await agent.exited;
  expect(agent.stdout()).toContain('Configuration: complete.');
  for (const path of ['.', ...(await readdir(home.folder, { recursive: true }))])
    expect(await lstat(join(home.folder, path)), path).toMatchObject({ uid: owner });
});

// Guarantee: no folder of root's is left in a folder of another account.
testIf(isRoot)('root: a home to be made in a folder of another account', async () => {
  await using folder = await temporaryFolder('foreign');
  await chown(folder.path, owner, owner);
  await using agent = startAgentProcess('run', '--home', join(folder.path, 'home'));
  expect(await agent.exited).toBe(1);
  expect(agent.stderr()).toMatch(/belongs to the account daemon/);
  expect(await readdir(folder.path)).toEqual([]);
});
