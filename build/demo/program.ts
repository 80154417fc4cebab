import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartupError } from '#runtime/program.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { programsFolder } from '../bundle.ts';

type Variables = Readonly<Record<string, string>>;

const run = promisify(execFile);
/** Node keeps there what it made of TypeScript, by content: the simulators then start in half the time. */
const compiledFolder = resolve(import.meta.dirname, '../../.cache/compiled');
const programFile = (name: string): string => join(programsFolder, `${name}.mjs`);

export interface RunningProgram extends AsyncDisposable {
  readonly process: ChildProcess;
  /** The whole lines that it has printed until now. */
  lines(): readonly string[];
  /** Its last output, as one line, and where the rest is. */
  lastWords(): string;
}

/** Starts one of our programs from dist/. */
export const startProgram = (
  name: string,
  args: readonly string[],
  env: Variables,
  logFile: string,
): RunningProgram => startFile(programFile(name), args, env, logFile);

/** Starts a program that ends with us; its output goes to `logFile`. It stops when disposed, or when we die. */
export const startFile = (
  file: string,
  args: readonly string[],
  env: Variables,
  logFile: string,
): RunningProgram => {
  const log = openSync(logFile, 'a', 0o600);
  const earlier = statSync(logFile).size;
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...systemEnv(), ...(file.endsWith('.ts') && { NODE_COMPILE_CACHE: compiledFolder }), ...env },
    stdio: ['ignore', log, log, 'ipc'],
    windowsHide: true,
  });
  closeSync(log);
  return {
    process: child,
    lines: () => linesIn(logFile, earlier).slice(0, -1),
    lastWords: () => `${lastWordsIn(linesIn(logFile, earlier).filter(Boolean))} See ${logFile}`,
    async [Symbol.asyncDispose]() {
      if (hasEnded({ process: child })) return;
      const exited = once(child, 'exit');
      // A program that is about to end has already closed its side.
      if (child.connected) child.disconnect();
      await exited;
    },
  };
};

/** Enough lines for the faults of a settings file, one each, and what to do. */
const wordLines = 12;

/** Nothing before `offset`, which an earlier run wrote; the last line is still being written. */
const linesIn = (logFile: string, offset: number): string[] =>
  readFileSync(logFile).subarray(offset).toString('utf8').split('\n');

/** A fault that the program logged, else its last lines. */
const lastWordsIn = (lines: readonly string[]): string => {
  const words = lines.findLast((line) => faultIn(line) !== null);
  const last = words === undefined ? lines.slice(-wordLines).map((line) => line.trim()) : [faultIn(words)];
  return last.length === 0 ? 'It said nothing.' : last.join(' ');
};

/** The message of a JSON line that reports a fault; null for any other line. */
const faultIn = (line: string): string | null => {
  try {
    const { level, msg, err } = JSON.parse(line) as { level: string; msg: string; err?: { message: string } };
    if (level !== 'fatal' && level !== 'error') return null;
    return err ? `${msg}: ${err.message}` : msg;
  } catch {
    // Plain text.
    return null;
  }
};

export const hasEnded = ({ process: child }: Pick<RunningProgram, 'process'>): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/** The response, or null while nothing listens there or it takes longer than a second. */
export const tryFetch = async (url: string): Promise<Response | null> => {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(1000) });
  } catch {
    return null;
  }
};

/**
 * Runs one of our commands to its end and reads its answer as JSON.
 * @param input what it reads on stdin, such as a secret that must not be among its arguments
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

/** Each look costs the program that is looked at, too, while it starts. */
const pollMs = 50;
const deadlineMs = 60_000;

/** Polls until there is an answer; gives up when the program ends, the deadline passes or we are stopped. */
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
    // Check this first: the answer may come from another program on the same port.
    if (hasEnded(program)) throw new StartupError(`It ended before ${what}: ${program.lastWords()}`);
    if (found !== null) return found;
    if (performance.now() > until)
      throw new StartupError(`Waited ${deadlineMs / 1000} s in vain until ${what}: ${program.lastWords()}`);
    await delay(pollMs);
  }
};
