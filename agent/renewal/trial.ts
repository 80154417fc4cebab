import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { connectedLine } from './connected-line.ts';

export type TrialVerdict = { readonly works: true } | { readonly works: false; readonly detail: string };

/**
 * Runs the new program in place of this one, whose servers are paused, until all of them are connected. It exits when its
 * standard input ends, so that it does not outlive this process; it has exited when the verdict is returned.
 */
export const tryProgram = async (options: {
  readonly program: string;
  readonly args: readonly string[];
  /** Servers that were connected before; all of them must connect again. */
  readonly serverIds: readonly string[];
  readonly connectWithinMs: number;
  /** For the orderly end of the trial. */
  readonly endWithinMs: number;
  readonly signal: AbortSignal;
}): Promise<TrialVerdict> => {
  const { program, args, serverIds, connectWithinMs, endWithinMs, signal } = options;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
  const spawned = once(child, 'spawn').then(
    () => null,
    (error: Error) => error.message,
  );
  const ended = once(child, 'exit').then(
    ([code, name]) => `it ended by itself (${name ?? code})`,
    (error: Error) => `it cannot be started: ${error.message}`,
  );
  // A broken pipe means that the program has exited, which `ended` reports.
  child.stdin.on('error', () => undefined);
  const missing = new Set(serverIds.map(connectedLine));
  const deadline = new AbortController();
  try {
    const fault = await spawned;
    if (fault !== null) return { works: false, detail: `it cannot be started: ${fault}` };
    const connected = new Promise<null>((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        missing.delete(line);
        if (missing.size === 0) resolve(null);
      });
    });
    const waited = AbortSignal.any([signal, deadline.signal]);
    const late = delay(connectWithinMs, undefined, { signal: waited }).then(
      () => `it was not connected within ${Math.round(connectWithinMs / 1000)} s`,
      () => 'the agent was stopped in the meantime',
    );
    const detail = await Promise.race([connected, ended, late]);
    return detail === null ? { works: true } : { works: false, detail };
  } finally {
    deadline.abort();
    child.stdin.end();
    const patience = setTimeout(() => child.kill('SIGKILL'), endWithinMs);
    if ((await spawned) === null) await ended;
    clearTimeout(patience);
  }
};
