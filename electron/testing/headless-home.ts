import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type StackStatus, stackControl } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { initializeCluster } from '#harness/initialized-cluster.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { callSupervisor } from '../control/control-client.ts';
import { writePrograms } from './stand-ins.ts';

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A separate data folder for the command line, and everything started in it; disposing ends that. */
export interface HeadlessHome extends AsyncDisposable {
  /** Holds the data folder and the programs. */
  readonly folder: string;
  /** A test may replace it. */
  path: string;
  readonly programs: string;
  readonly apiPort: number;
  /** Writes free ports, as a person would before a first start; unless the test has replaced the path, initdb has run. */
  writeEnv(lines?: readonly string[]): Promise<void>;
  /** Runs `castellan` with these arguments to its end. */
  run(...args: string[]): Promise<Outcome>;
  runWith(input: string, ...args: string[]): Promise<Outcome>;
  /** Runs `castellan start`, which keeps running. */
  launch(...options: string[]): ChildProcess;
  status(): Promise<StackStatus>;
  /** @param state of the stack; `running` when absent */
  whenRuns(state?: string): Promise<StackStatus>;
}

export const headlessHome = async (): Promise<HeadlessHome> => {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await temporaryFolder('headless')).path;
  const programs = await writePrograms(join(folder, 'programs'));
  const usualPath = join(folder, 'home');
  const apiPort = await freePort();
  const command = join(programs, 'castellan.mjs');
  const environment = () => ({ ...systemEnv(), CASTELLAN_HOME: home.path });
  const started: ChildProcess[] = [];
  opening.defer(async () => {
    for (const child of started) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });
  const kept = opening.move();

  const home: HeadlessHome = {
    folder,
    path: usualPath,
    programs,
    apiPort,
    async writeEnv(lines = []) {
      const postgresPort = await freePort();
      const url = `postgresql://castellan:a-password-of-the-api@127.0.0.1:${postgresPort}/castellan?connection_limit=20`;
      await mkdir(home.path, { recursive: true, mode: 0o711 });
      // A database belongs to its key.
      const key = `CONFIG_ENCRYPTION_KEY=${randomBytes(32).toString('hex')}`;
      if (home.path === usualPath) await initializeCluster(join(home.path, 'postgres'));
      await writeFile(
        stackEnvPath(home.path),
        [`API_PORT=${apiPort}`, `DATABASE_URL=${url}`, key, ...lines, ''].join('\n'),
      );
    },
    run: (...args) => home.runWith('', ...args),
    runWith: (input, ...args) =>
      new Promise((resolve) => {
        const options = { env: environment(), timeout: 50_000 };
        const child = execFile(process.execPath, [command, ...args], options, (error, stdout, stderr) =>
          resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
        );
        child.stdin?.end(input);
      }),
    launch(...options) {
      const child = spawn(process.execPath, [command, 'start', ...options], {
        env: environment(),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      started.push(child);
      return child;
    },
    async status() {
      const found = await callSupervisor(home.path, stackControl.status);
      if (!found) throw new Error('no one holds the home');
      return found;
    },
    whenRuns: (state = 'running') =>
      eventually(async () => {
        const found = await home.status();
        expect(found.state).toBe(state);
        return found;
      }, 40_000),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
  return home;
};

export const pidsOf = (stack: StackStatus): number[] =>
  stack.components.flatMap(({ pid }) => (pid === null ? [] : [pid]));
