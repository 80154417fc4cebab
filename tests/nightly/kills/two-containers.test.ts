// @module-tag identity, mount, iproute

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { type Installation, install } from '#harness/installation.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { programsFolder } from '../../../build/bundle.ts';

const run = promisify(execFile);
const castellan = join(programsFolder, 'castellan.mjs');
const patienceMs = 60_000;
/** A second Postgres on a folder runs for seconds before it breaks. */
const watchMs = 250;

let installation: Installation;
beforeAll(async () => {
  const port = await freePort();
  const DATABASE_URL = `postgresql://castellan:secret@127.0.0.1:${port}/castellan?connection_limit=20`;
  installation = await install({ DATABASE_URL });
});
afterAll(async () => {
  await installation?.[Symbol.asyncDispose]();
});

interface Account {
  readonly name: string;
  readonly uid: number;
}
const root: Account = { name: 'root', uid: 0 };
const nobody: Account = { name: 'nobody', uid: 65_534 };

/** Namespaces of its own, as a container has them: network, processes, mounts and host name. */
const inContainer = (host: string, account: Account, script: string, args: readonly string[]): string[] => [
  ...['--net', '--pid', '--uts', '--fork', '--kill-child', '--mount-proc'],
  ...['sh', '-ec', `hostname ${host}; ip link set lo up; ${script}`, 'sh'],
  ...['setpriv', `--reuid=${account.uid}`, `--regid=${account.uid}`, '--clear-groups'],
  ...[process.execPath, castellan, ...args],
];
const mark = 'CASTELLAN_TEST_CONTAINER';
const envOf = (host: string, home: string) => ({ ...systemEnv(), CASTELLAN_HOME: home, [mark]: host });

/** One command in another container. */
const command = async (host: string, account: Account, home: string, ...args: string[]) => {
  const all = inContainer(host, account, 'exec "$@"', args);
  try {
    const { stdout } = await run('unshare', all, { env: envOf(host, home), timeout: patienceMs });
    return { code: 0, said: stdout };
  } catch (error) {
    const { code, stderr } = error as { readonly code: number; readonly stderr: string };
    return { code, said: stderr };
  }
};

/** A stack in a container with an init process, so that it outlives its supervisor. */
const startContainer = (host: string, account: Account, home: string): AsyncDisposable => {
  const child = spawn(
    'unshare',
    inContainer(host, account, '"$@" & while true; do sleep 1; done', ['start']),
    { env: envOf(host, home), stdio: 'ignore' },
  );
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${host} has ended by itself`);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
};

const pids = async () => (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
const read = (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
/** Those on a data folder, in whatever container. A child has the postmaster's command line for a moment. */
const postmasters = async (home: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const pid of await pids()) {
    if (!(await read(pid, 'cmdline')).includes('bin/postgres\0-D')) continue;
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (folder.endsWith('/postgres/data') && folder.startsWith(home)) found.push(pid);
  }
  const parents = await Promise.all(found.map((pid) => read(pid, 'stat')));
  return found.filter((_, index) => !found.includes(parents[index]?.split(') ')[1]?.split(' ')[1] ?? ''));
};
/** Programs of Node in a container. */
const ofContainer = async (host: string, part: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const pid of await pids()) {
    const line = await read(pid, 'cmdline');
    const isPart = line.startsWith(process.execPath) && line.includes(part);
    if (isPart && (await read(pid, 'environ')).includes(`${mark}=${host}\0`)) found.push(pid);
  }
  return found;
};
const victims: Readonly<Record<string, (home: string) => Promise<readonly string[]>>> = {
  supervisor: () => ofContainer('first', `castellan.mjs\0start`),
  guardian: () => ofContainer('first', 'guardian.mjs'),
  postmaster: postmasters,
  'supervisor and guardian': async () => [
    ...(await ofContainer('first', 'guardian.mjs')),
    ...(await ofContainer('first', `castellan.mjs\0start`)),
  ],
  'supervisor and postmaster': async (home) => [
    ...(await ofContainer('first', `castellan.mjs\0start`)),
    ...(await postmasters(home)),
  ],
};

interface Place extends AsyncDisposable {
  /** The data folder as the first container knows it, and as the second one does. */
  readonly first: string;
  readonly second: string;
}
const places: Readonly<Record<string, () => Promise<Place>>> = {
  async 'a disk'() {
    const folder = await mkdtemp(resolve('.cache/containers-'));
    await chmod(folder, 0o711);
    const home = join(folder, 'home');
    return { first: home, second: home, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  },
  async 'a bind mount'() {
    const place = await mounted(['-t', 'tmpfs', 'tmpfs']);
    const other = await temporaryFolder('bound');
    await mkdir(place.first, { mode: 0o711 });
    await run('mount', ['--bind', place.first, other.path]);
    return {
      first: place.first,
      second: other.path,
      async [Symbol.asyncDispose]() {
        await run('umount', [other.path]);
        await other[Symbol.asyncDispose]();
        await place[Symbol.asyncDispose]();
      },
    };
  },
  async 'an overlay'() {
    const layers = await mounted(['-t', 'tmpfs', 'tmpfs']);
    const base = join(layers.first, '..');
    for (const name of ['lower', 'upper', 'work']) await mkdir(join(base, name));
    const place = await mounted([
      ...['-t', 'overlay', 'overlay', '-o'],
      `lowerdir=${base}/lower,upperdir=${base}/upper,workdir=${base}/work`,
    ]);
    return {
      ...place,
      async [Symbol.asyncDispose]() {
        await place[Symbol.asyncDispose]();
        await layers[Symbol.asyncDispose]();
      },
    };
  },
};
const mounted = async (args: readonly string[]): Promise<Place> => {
  const folder = await temporaryFolder('place');
  await run('mount', [...args, folder.path]);
  await chmod(folder.path, 0o711);
  const home = join(folder.path, 'home');
  return {
    first: home,
    second: home,
    async [Symbol.asyncDispose]() {
      await run('umount', [folder.path]);
      await folder[Symbol.asyncDispose]();
    },
  };
};

const giveTo = async ({ uid }: Account, folder: string): Promise<void> => {
  for (const name of ['', ...(await readdir(folder, { recursive: true }))])
    await chown(join(folder, name), uid, uid);
};

const cases = Object.keys(places).flatMap((place) => [root, nobody].map((account) => ({ place, account })));

// Guarantee: of two containers on one data folder, only one ever runs a Postgres on it, whatever is killed when and however they
// know the folder; the other one and its backup are refused, with the first one's host; and no kill needs a person.
test.each(cases)('on $place as $account.name', async ({ place, account }) => {
  await using there = await places[place]?.();
  if (!there) throw new Error(`there is no place ${place}`);
  const { first, second } = there;
  await cp(installation.home, first, { recursive: true });
  await chmod(first, 0o711);
  await giveTo(account, first);

  let most = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      const seen = await postmasters(first);
      // One look takes a while: one may have ended before the next began.
      const still = seen.length > 1 ? await postmasters(first) : seen;
      most = Math.max(most, seen.filter((pid) => still.includes(pid)).length);
      await delay(watchMs);
    }
  })();
  try {
    for (const [name, find] of Object.entries(victims)) {
      await using _stack = startContainer('first', account, first);
      await eventually(async () => expect(await postmasters(first), name).toHaveLength(1), patienceMs);
      for (const args of [['start'], ['status'], ['backup']]) {
        const { code, said } = await command('second', account, second, ...args);
        expect(code, `${name}: ${said}`).toBe(3);
        expect(said).toContain('host first');
      }
      for (const pid of await find(first)) process.kill(Number(pid), 'SIGKILL');
      // It starts, or is refused as long as anything of the first one lives.
      await using _other = startContainer('second', account, second);
      await delay(3000);
    }
  } finally {
    over.abort();
    await watching;
  }
  expect(most).toBe(1);
  await eventually(async () => expect(await postmasters(first)).toEqual([]), patienceMs);
  await using _again = startContainer('first', account, first);
  await eventually(async () => expect(await postmasters(first)).toHaveLength(1), patienceMs);
});
