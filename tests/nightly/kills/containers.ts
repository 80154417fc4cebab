import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { programsFolder } from '../../../build/bundle.ts';

const run = promisify(execFile);
const commandDeadlineMs = 300_000;
/** A second Postgres on a folder runs for seconds before it breaks. */
const watchMs = 250;

export interface Account {
  readonly name: string;
  readonly uid: number;
}
export const root: Account = { name: 'root', uid: 0 };
const nobody: Account = { name: 'nobody', uid: 65_534 };

const mark = 'CASTELLAN_TEST_CONTAINER';

/** A program in namespaces of its own, as a container has them: network, processes, mounts and host name. */
export interface Containers {
  /** One command in another container. */
  command(host: string, account: Account, home: string, ...args: string[]): Promise<Outcome>;
  /** Like `command`, while it still runs. */
  begin(host: string, account: Account, home: string, ...args: string[]): ChildProcess;
  /** Its long-running command in a container with an init process, so that what it starts outlives it. */
  start(host: string, account: Account, home: string, writer?: Writer): AsyncDisposable;
}

export interface Outcome {
  readonly code: number;
  /** Everything that it printed. */
  readonly said: string;
}

/** @param name of the program in `dist/` @param serve what runs until it is stopped */
export const containersOf = (name: string, variable: string, serve: string): Containers => {
  const program = join(programsFolder, name);
  const env = (host: string, home: string) => ({ ...systemEnv(), [variable]: home, [mark]: host });
  return {
    async command(host, account, home, ...args) {
      const all = inContainer(host, 'exec "$@"', [...under(account), process.execPath, program, ...args]);
      try {
        const { stdout, stderr } = await run('unshare', all, {
          env: env(host, home),
          timeout: commandDeadlineMs,
          // unshare ignores SIGTERM, and its late end would look like a success without a word.
          killSignal: 'SIGKILL',
        });
        return { code: 0, said: stdout + stderr };
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, said: stdout + stderr };
      }
    },
    begin(host, account, home, ...args) {
      const all = inContainer(host, 'exec "$@"', [...under(account), process.execPath, program, ...args]);
      return spawn('unshare', all, { env: env(host, home), stdio: 'ignore' });
    },
    start(host, account, home, writer) {
      const beside = writer ? `${[...under(account), ...writer.command(host)].join(' ')} &` : '';
      const child = spawn(
        'unshare',
        inContainer(host, `"$@" & ${beside} while true; do sleep 1; done`, [
          ...under(account),
          ...[process.execPath, program, serve],
        ]),
        { env: { ...env(host, home), ...writer?.env }, stdio: 'ignore' },
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
    },
  };
};

const under = ({ uid }: Account): string[] => [
  'setpriv',
  ...[`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'],
];
const inContainer = (host: string, script: string, args: readonly string[]): string[] => [
  ...['--net', '--pid', '--uts', '--fork', '--kill-child', '--mount-proc'],
  ...['sh', '-ec', `hostname ${host}; ip link set lo up; ${script}`, 'sh', ...args],
];

/** Writes into the database of a container without end, and knows what was acknowledged. */
export interface Writer extends AsyncDisposable {
  command(run: string): readonly string[];
  readonly env: Readonly<Record<string, string>>;
  acknowledged(): Promise<number>;
  /** What each connection found of the writes before it. */
  verdicts(): Promise<readonly Verdict[]>;
}

interface Verdict {
  /** The container. */
  readonly run: string;
  readonly acknowledged: number;
  readonly lost: number;
}

export const openWriter = async ({ uid }: Account, databaseUrl: string): Promise<Writer> => {
  const folder = await temporaryFolder('writes');
  const [journal, verdicts] = [join(folder.path, 'journal'), join(folder.path, 'verdicts')];
  await chmod(folder.path, 0o711);
  for (const file of [journal, verdicts]) {
    await writeFile(file, '');
    await chown(file, uid, uid);
  }
  const linesOf = async (file: string) => (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  return {
    env: { CASTELLAN_TEST_DATABASE: databaseUrl },
    command: (host) => [
      process.execPath,
      join(import.meta.dirname, 'acknowledged-writer.ts'),
      ...[journal, verdicts, host],
    ],
    acknowledged: async () => (await linesOf(journal)).length,
    verdicts: async () => (await linesOf(verdicts)).map((line) => JSON.parse(line) as Verdict),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
};

const pids = async () => (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
const read = (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');

/** Those on a data folder, in whatever container. A child has the postmaster's command line for a moment. */
export const postmasters = async (home: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const pid of await pids()) {
    if (!(await read(pid, 'cmdline')).includes('bin/postgres\0-D')) continue;
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (folder.endsWith('/postgres/data') && folder.startsWith(home)) found.push(pid);
  }
  const parents = await Promise.all(found.map((pid) => read(pid, 'stat')));
  return found.filter((_, index) => !found.includes(parents[index]?.split(') ')[1]?.split(' ')[1] ?? ''));
};

/** Programs of Node in a container. @param part of their command line */
export const ofContainer = async (host: string, part: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const pid of await pids()) {
    const line = await read(pid, 'cmdline');
    const isPart = line.startsWith(process.execPath) && line.includes(part);
    if (isPart && (await read(pid, 'environ')).includes(`${mark}=${host}\0`)) found.push(pid);
  }
  return found;
};

/** Watches until disposed. @returns how many postmasters a data folder had at most */
export const watchPostmasters = (home: string) => {
  let most = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      const seen = await postmasters(home);
      // One look takes a while: one may have ended before the next began.
      const still = seen.length > 1 ? await postmasters(home) : seen;
      most = Math.max(most, seen.filter((pid) => still.includes(pid)).length);
      await delay(watchMs);
    }
  })();
  return {
    most: () => most,
    async [Symbol.asyncDispose]() {
      over.abort();
      await watching;
    },
  };
};

export interface Place extends AsyncDisposable {
  /** The data folder as the first container knows it, and as the second one does. */
  readonly first: string;
  readonly second: string;
}

export const onDisk = async (): Promise<Place> => {
  const folder = await mkdtemp(resolve('.cache/containers-'));
  await chmod(folder, 0o711);
  const home = join(folder, 'home');
  return { first: home, second: home, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
};

const places: Readonly<Record<string, () => Promise<Place>>> = {
  'a disk': onDisk,
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

export const cases = Object.entries(places).flatMap(([place, open]) =>
  [root, nobody].map((account) => ({ place, open, account })),
);

export const giveTo = async ({ uid }: Account, folder: string): Promise<void> => {
  for (const name of ['', ...(await readdir(folder, { recursive: true }))])
    await chown(join(folder, name), uid, uid);
};
