import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type StackStatus, stackStatus } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { isRunning } from '#harness/frozen-family.ts';
import { freePort } from '#harness/ports.ts';
import { layOutPrograms } from '../../build/package/programs.ts';
import { openWindowsLab, type WindowsLab } from './lab.ts';
import { testOnWindows } from './test-on-windows.ts';

/** A start in Wine is slow. */
const patienceMs = 120_000;
const programs = 'C:\\Program Files\\Castellan';

const setUp = async (lab: WindowsLab) => {
  const name = `Castellan ${randomBytes(6).toString('hex')}`;
  const home = `C:\\ProgramData\\${name}`;
  const folder = join(lab.drive, 'ProgramData', name);
  await mkdir(folder, { recursive: true });
  await layOutPrograms(join(lab.drive, 'Program Files', 'Castellan'), 'win');
  const password = randomBytes(24).toString('base64url');
  const variables = {
    API_PORT: await freePort(),
    DATABASE_URL: `postgresql://castellan:${password}@127.0.0.1:${await freePort()}/castellan?connection_limit=20`,
    LICENSE_SERVER_URL: 'http://127.0.0.1:9',
    LICENSE_SERVER_PUBLIC_KEY: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  };
  await writeFile(
    join(folder, '.env'),
    Object.entries(variables)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  );
  const castellan = (...args: string[]) =>
    lab.run(`${programs}\\node.exe`, [`${programs}\\castellan.mjs`, '--home', home, ...args]);
  return { name, castellan };
};

const only = (pids: readonly number[]): number => {
  const [pid] = pids;
  if (pid === undefined || pids.length !== 1) throw new Error(`${pids.length} processes instead of one`);
  return pid;
};

const goneWithin = (pids: readonly number[], ms: number) =>
  eventually(async () => {
    for (const pid of pids) expect(await isRunning(pid)).toBe(false);
  }, ms);

// Guarantee: on Windows, after a kill of the postmaster its hanging child is ended, too, and Postgres restarts by itself;
// a stop leaves no process of such a family; processes that an earlier run left behind are ended at the next start.
testOnWindows('children that outlive their postmaster', [], async () => {
  await using lab = await openWindowsLab();
  const { name, castellan } = await setUp(lab);
  const figures: Record<string, number> = {};
  const measured = async <T>(what: string, work: Promise<T>): Promise<T> => {
    const before = performance.now();
    const result = await work;
    figures[what] = Math.round((performance.now() - before) / 100) / 10;
    return result;
  };
  const postgresRuns = (restarts: number): Promise<StackStatus> =>
    eventually(async () => {
      const { out, err } = await castellan('status', '--json');
      if (out === '') throw new Error(err);
      const stack = stackStatus.parse(JSON.parse(out));
      expect(stack.components[0]).toMatchObject({ state: 'running', restarts });
      return stack;
    }, patienceMs);
  // Wine forks before it executes another program: for a moment a new child looks like its postmaster.
  const postmaster = () =>
    eventually(async () => only(await lab.pids('postgres.exe', '-D', name)), patienceMs);
  const children = () => lab.pids('postgres.exe', '--forkchild');
  /** Kills the postmaster while one of its children is stopped. */
  const orphan = async (): Promise<number> => {
    const killed = await postmaster();
    const [child = 0] = await children();
    process.kill(child, 'SIGSTOP');
    process.kill(killed, 'SIGKILL');
    return child;
  };

  const started = castellan('start');
  await postgresRuns(0);

  const first = await orphan();
  await measured('until Postgres runs again', postgresRuns(1));
  await goneWithin([first], 1000);

  const second = await orphan();
  await measured('until it is stopped', castellan('stop'));
  await started;
  await goneWithin([second], 1000);
  expect(await lab.pids('postgres.exe')).toEqual([]);

  const again = castellan('start');
  await postgresRuns(0);
  const nodes = await lab.pids('node.exe', name);
  const guardians = await lab.pids('node.exe', 'guardian.mjs');
  for (const pid of [...guardians, ...nodes]) process.kill(pid, 'SIGKILL');
  const third = await orphan();
  await again;
  await goneWithin([...guardians, ...nodes], patienceMs);
  expect(await isRunning(third)).toBe(true);
  const last = castellan('start');
  await measured('until a start over an orphan runs', postgresRuns(0));
  expect(await isRunning(third)).toBe(false);
  await castellan('stop');
  await last;
  expect(await lab.pids('postgres.exe')).toEqual([]);
  process.stdout.write(`${JSON.stringify(figures)}\n`);
});
