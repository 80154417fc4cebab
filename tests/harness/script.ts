import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

export interface Script extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly pid: number;
  /** The next line on stdout. */
  line(): Promise<string>;
  /** Exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>;
}

export interface ScriptOptions {
  /** With an IPC channel, as under a supervisor. */
  readonly ipc?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const root = resolve(import.meta.dirname, '../..');

/** Runs a module's text as a separate process, from the root of the repository; killed when disposed. */
export const runScript = (code: string, { ipc = false, env = {} }: ScriptOptions = {}): Script => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', ...(ipc ? ['ipc' as const] : [])],
  });
  const exited = once(child, 'exit').then(
    ([exitCode, signal]) => (signal ?? exitCode) as number | NodeJS.Signals,
  );
  if (!child.stdout) throw new Error('no stdout');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    pid: child.pid ?? 0,
    exited,
    async line() {
      const next = await lines.next();
      if (next.done) throw new Error('the script ended without another line');
      return next.value;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
