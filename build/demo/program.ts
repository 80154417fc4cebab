import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartupError } from '#runtime/program.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { programsFolder } from '../bundle.ts';

type Variables = Readonly<Record<string, string>>;

const run = promisify(execFile);
const programFile = (name: string): string => join(programsFolder, `${name}.mjs`);

export interface RunningProgram extends AsyncDisposable {
  readonly process: ChildProcess;
}

/** Starts a program of ours from dist/. */
export const startProgram = (
  name: string,
  args: readonly string[],
  env: Variables,
  logFile: string,
): RunningProgram => startFile(programFile(name), args, env, logFile);

/** Starts a program that ends with us; its output goes to `logFile`. It stops when it is disposed, or when we die. */
export const startFile = (
  file: string,
  args: readonly string[],
  env: Variables,
  logFile: string,
): RunningProgram => {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...systemEnv(), ...env },
    stdio: ['ignore', log, log, 'ipc'],
    windowsHide: true,
  });
  closeSync(log);
  return {
    process: child,
    async [Symbol.asyncDispose]() {
      if (hasEnded({ process: child })) return;
      const exited = once(child, 'exit');
      // One that is about to end has closed its side already.
      if (child.connected) child.disconnect();
      await exited;
    },
  };
};

export const hasEnded = ({ process: child }: Pick<RunningProgram, 'process'>): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/** The answer, or null while nobody listens there or takes longer than a second. */
export const tryFetch = async (url: string): Promise<Response | null> => {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(1000) });
  } catch {
    return null;
  }
};

/**
 * Runs a command of ours to its end and reads its answer as JSON.
 * @param input what it reads on stdin, such as a secret that must not stand among its arguments
 */
export const ask = async (
  name: string,
  args: readonly string[],
  env: Variables,
  input = '',
): Promise<unknown> => {
  try {
    const options = { env: { ...systemEnv(), ...env } };
    const running = run(process.execPath, [programFile(name), ...args, '--json'], options);
    running.child.stdin?.end(input);
    return JSON.parse((await running).stdout);
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim();
    throw new StartupError(said || `${name} ${args.slice(0, 2).join(' ')} failed`, { cause: error });
  }
};

const pollMs = 20;
const deadlineMs = 60_000;

/** Asks until there is an answer; gives up when the program has ended, the deadline has passed or we are stopped. */
export const waitFor = async <T>(
  program: RunningProgram,
  what: string,
  look: () => Promise<T | null>,
  stopping?: AbortSignal | undefined,
): Promise<T> => {
  const until = performance.now() + deadlineMs;
  for (;;) {
    stopping?.throwIfAborted();
    const found = await look();
    // First this: what answers may be another program on the same port.
    if (hasEnded(program)) throw new StartupError(`It ended before ${what}; its log says why.`);
    if (found !== null) return found;
    if (performance.now() > until)
      throw new StartupError(`Waited ${deadlineMs / 1000} s in vain until ${what}.`);
    await delay(pollMs);
  }
};
