import { chmod, chown, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testAccount } from '#harness/test-account.ts';
import { endLaunched, holderProgram, startTestPower, type TestPowerOptions } from '../testing/test-power.ts';
import { prepareCommand } from '../ways/prepare-command.ts';

const isRoot = process.getuid?.() === 0;

/** A game's folder of a real account, and the agent's own beside it. */
const accountGame = async () => {
  const account = await testAccount();
  const outer = await temporaryFolder('account');
  const gameFolder = join(outer.path, 'game');
  await mkdir(gameFolder, { mode: 0o700 });
  await chown(gameFolder, account.uid, account.gid);
  const folder = join(outer.path, 'agent');
  await mkdir(folder, { mode: 0o700 });
  onTestFinished(async () => {
    await endLaunched(folder);
    await account[Symbol.asyncDispose]();
    await outer[Symbol.asyncDispose]();
  });
  const start = async (options: Partial<TestPowerOptions> = {}) => {
    const command = ['/bin/sh', '-c', 'exec sleep 1000'] as const;
    const it = await startTestPower({ folder, gameFolder, command, account: account.name, ...options });
    onTestFinished(() => it[Symbol.asyncDispose]());
    return it;
  };
  return { account, outer: outer.path, gameFolder, start };
};

// Guarantee: a game under another account has exactly the groups of that account, whatever groups the agent has; its files belong
// to the account, and the account's own group can read them.
test.skipIf(!isRoot)('groups, files and descriptors', async () => {
  const { account, gameFolder, start } = await accountGame();
  const strict = process.umask(0o077);
  onTestFinished(() => void process.umask(strict));
  const program = ['setpriv', '--groups=0,4,27,44', '--', ...holderProgram];
  const it = await start({
    program,
    command: ['/bin/sh', '-c', 'mkdir world; echo save > world/level; echo ready > up; exec sleep 1000'],
  });
  expect(await it.act('start')).toEqual({ outcome: 'done', detail: null, value: null });
  const pid = it.power.report().pid ?? 0;
  await eventually(() => readFile(join(gameFolder, 'up')));
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const numbers = (name: string) =>
    (new RegExp(`^${name}:(.*)$`, 'm').exec(status)?.[1] ?? '').trim().split(/\s+/);
  const { uid, gid, groups } = account;
  expect(numbers('Uid')).toEqual(Array(4).fill(String(uid)));
  expect(numbers('Gid')).toEqual(Array(4).fill(String(gid)));
  expect(numbers('Groups').map(Number).sort()).toEqual([gid, ...groups].sort());
  for (const name of ['CapEff', 'CapPrm', 'CapAmb']) expect(numbers(name)).toEqual(['0000000000000000']);
  expect(await stat(join(gameFolder, 'world'))).toMatchObject({ uid, gid, mode: 0o040755 });
  expect(await stat(join(gameFolder, 'world/level'))).toMatchObject({ uid, gid, mode: 0o100644 });
  expect(await it.act('stop')).toMatchObject({ outcome: 'done' });
});

// Guarantee: a game under another account gets the environment of a login of that account, and nothing from the agent's own.
test.skipIf(!isRoot)('the environment', async () => {
  const { account, gameFolder, start } = await accountGame();
  for (const name of ['SSH_AUTH_SOCK', 'GAME_AGENT_SECRET', 'NODE_EXTRA_CA_CERTS', 'INVOCATION_ID'])
    vi.stubEnv(name, 'of-the-agent');
  onTestFinished(() => void vi.unstubAllEnvs());
  const it = await start({
    command: ['/bin/sh', '-c', 'env > seen; ls -l /proc/self/fd > open; exec sleep 1000'],
  });
  expect(await it.act('start')).toMatchObject({ outcome: 'done' });
  const { name } = account;
  const seen = await readFile(join(gameFolder, 'seen'), 'utf8');
  const home = `/home/${name}`;
  const given = new Map(
    seen
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2) as [string, string]),
  );
  expect(Object.fromEntries(given)).toMatchObject({
    HOME: home,
    USER: name,
    LOGNAME: name,
    SHELL: '/bin/sh',
    PATH: process.env.PATH,
    PWD: gameFolder,
    CASTELLAN_LAUNCH: expect.anything(),
  });
  // Variables that a shell adds do not count.
  const known = ['HOME', 'USER', 'LOGNAME', 'SHELL', 'PATH', 'LANG', 'TZ', 'PWD', 'OLDPWD', 'SHLVL', '_'];
  expect([...given.keys()].filter((one) => !known.includes(one))).toEqual(['CASTELLAN_LAUNCH']);
  expect(seen).not.toContain('of-the-agent');
  // Its three streams, the directory being listed, and what the test itself was started with.
  const open = (await readFile(join(gameFolder, 'open'), 'utf8')).match(/\d+ -> .*/g) ?? [];
  const ours = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  expect(
    open.filter((one) => !/^[012] -> |\/proc\//.test(one) && !ours.includes(one.replace(/^\d+ -> /, ''))),
  ).toEqual([]);
});

// Guarantee: if the account may not enter or run something, the message gives the remedy, and nothing is started.
test.skipIf(!isRoot)('what the account may not do', async () => {
  const { account, outer, gameFolder, start } = await accountGame();
  const closed = join(gameFolder, 'of-root');
  await mkdir(closed, { mode: 0o700 });
  await writeFile(join(closed, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  const command = ['./of-root/run.sh'] as const;
  const program = await start({ command });
  expect(await program.act('start')).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining(`The account ${account.name} may not run ${join(closed, 'run.sh')}`),
    value: { program: { code: 'program-closed', values: [join(closed, 'run.sh'), account.name] } },
  });
  await program.act('kill');
  await chmod(outer, 0o700);
  const folder = await start();
  expect(await folder.act('start')).toMatchObject({
    outcome: 'failed',
    detail: expect.stringMatching(
      new RegExp(
        `The account ${account.name} may not enter the folder ${gameFolder}\\. Give it the folder \\(chown`,
      ),
    ),
    value: { program: { code: 'folder-closed' } },
  });
  await folder.act('kill');
});

// Guarantee: an account that only a directory service knows is found.
test('an account of a directory', async () => {
  await using folder = await temporaryFolder('account');
  const program = (name: string, prints: string) =>
    writeFile(join(folder.path, name), `#!/bin/sh\necho "${prints}"\n`, { mode: 0o755 });
  await program('getent', '$3:x:12345:12346::/home/of-it:/bin/sh');
  await program('id', '12346 20000');
  await chmod(folder.path, 0o755);
  vi.stubEnv('PATH', `${folder.path}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const start = { command: ['getent'], account: 'of-the-directory' } as const;
  expect(await prepareCommand(folder.path, start)).toMatchObject({
    account: {
      name: 'of-the-directory',
      uid: 12_345,
      gid: 12_346,
      groups: [12_346, 20_000],
      home: '/home/of-it',
    },
  });
});
