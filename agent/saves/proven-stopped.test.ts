import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isInFolder, locate, readMounts } from './mounted-path.ts';
import { whyNotStopped } from './proven-stopped.ts';

const isRoot = process.getuid?.() === 0;
const why = (folder: string) => whyNotStopped({ folder, console: null });

/** Runs until the test ends; resolves once the script has printed a line. */
const run = async (script: string, args: readonly string[], uid?: number): Promise<number> => {
  const child = spawn('sh', ['-c', script, 'sh', ...args], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  await once(child.stdout, 'data');
  return child.pid ?? 0;
};
const sleep = 'echo; exec sleep 60';

const openServer = async () => {
  const folder = await temporaryFolder('stopped');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  await chmod(folder.path, 0o755);
  const server = join(folder.path, 'der Server');
  await mkdir(join(server, 'world'), { recursive: true });
  await mkdir(join(folder.path, 'mount'));
  await writeFile(join(server, 'world/level.dat'), 'x');
  return { server, mount: join(folder.path, 'mount') };
};

const [own, other] = [54_321, 54_322];

/** As an agent of an ordinary account sees it. */
const whyAsAccount = async (folder: string): Promise<string | null> => {
  const text = `const { whyNotStopped } = await import(${JSON.stringify(resolve(import.meta.dirname, 'proven-stopped.ts'))});
    process.setgroups([]); process.setgid(${own}); process.setuid(${own});
    console.log(JSON.stringify(await whyNotStopped({ folder: process.argv[1], console: null })));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    text,
    folder,
  ]);
  return JSON.parse(stdout) as string | null;
};

// Guarantee: a game that has the folder, or only its world, under another path and in other mounts, as in a container, is running.
test('a game in a container', { tags: 'mount' }, async () => {
  for (const [given, script] of [
    ['.', `cd "$2" && ${sleep}`],
    ['world', `cd "$2" && ${sleep}`],
    ['world', `exec 9>>"$2/level.dat"; ${sleep}`],
  ] as const) {
    const { server, mount } = await openServer();
    const inside = `mount --bind "$1" "$2" && ${script}`;
    const pid = await run(`exec unshare --mount sh -c '${inside}' sh "$1" "$2"`, [
      join(server, given),
      mount,
    ]);
    expect(await why(server), script).toContain(`${pid}`);
    if (given === '.') expect(await whyAsAccount(server)).toContain(`process ${pid} (sleep) may belong`);
  }
});

// Guarantee: a file of the folder that is open for writing belongs to a running game, and one that is only read does not; the
// program is named.
test.skipIf(process.platform !== 'linux')('open files', async () => {
  const { server } = await openServer();
  await run(`exec 9<"$1/world/level.dat"; ${sleep}`, [server]);
  expect(await why(server)).toBeNull();
  const pid = await run(`exec 9>>"$1/world/level.dat"; ${sleep}`, [server]);
  expect(await why(server)).toContain(`sleep (process ${pid})`);
});

// Guarantee: an ordinary account's agent can prove that its game is stopped while other accounts' processes run, unless one of
// those accounts may write the folder.
test.skipIf(!isRoot)('processes that the agent may not see', async () => {
  const { server } = await openServer();
  await chown(server, own, own);
  await chmod(server, 0o755);
  await run(sleep, [], other);
  expect(await whyAsAccount(server)).toBeNull();
  await chmod(server, 0o757);
  expect(await whyAsAccount(server)).toMatch(/^The process \d+ \(\S+\) may belong to the game/);
});

test('places by mounts', () => {
  const mounts = readMounts(
    [
      '22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw',
      String.raw`30 22 8:2 /srv/der\040Server /data rw,relatime shared:1 - ext4 /dev/sdb1 rw`,
      '31 22 8:3 / /data ro - ext4 /dev/sdc1 rw',
    ].join('\n'),
  );
  expect(locate(mounts.slice(0, 2), '/data/world')).toEqual({ device: '8:2', path: '/srv/der Server/world' });
  expect(locate(mounts, '/data/world')).toEqual({ device: '8:3', path: '/world' });
  expect(locate(mounts, '/database')).toEqual({ device: '8:1', path: '/database' });
  const folder = { device: '8:2', path: '/srv/der Server' };
  expect(isInFolder(folder, { device: '8:2', path: '/srv/der Server 2' })).toBe(false);
  expect(isInFolder(folder, { device: '8:1', path: '/srv/der Server' })).toBe(false);
});

// Guarantee: on a share only a console proves that the game is stopped, since another machine's programs are not seen.
test('a folder on a share', async () => {
  const { server } = await openServer();
  const onShare = { folder: server, diskOf: async () => 'NFS' };
  expect(await whyNotStopped({ ...onShare, console: null })).toContain('no disk of this machine (NFS)');
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const console = { host: '127.0.0.1', port };
  expect(await whyNotStopped({ ...onShare, console })).toContain(`port ${port}`);
  listener.close();
  await once(listener, 'close');
  expect(await whyNotStopped({ ...onShare, console })).toBeNull();
});
