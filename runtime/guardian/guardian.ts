import { spawn } from 'node:child_process';
import { StartupError } from '../program.ts';
import { heartbeatTicks } from './freeze-watch.ts';
import type { GuardianMessage, WatchedProcess } from './messages.ts';

/** Outlives this process: stops the registered processes when this one dies without doing so itself. */
export interface Guardian extends Disposable {
  /** Current process id; null when it could not be started. */
  pid(): number | null;
  /** From now on `ward` is stopped when this process dies. Replaces an earlier ward of the same name. */
  watch(ward: WatchedProcess): void;
  forget(name: string): void;
}

const usualTickMs = 1000;

/**
 * Starts the guardian. It holds the other end of a pipe; the end of that pipe means that this process died, for whatever reason.
 * @param node the Node executable
 * @param entry the guardian's program
 * @param notesFreeze where it notes that this process no longer reacts; absent: it does not watch for that
 */
export const startGuardian = (
  node: string,
  entry: string,
  onDeath: () => void,
  notesFreeze?: { readonly path: string; readonly tickMs?: number },
): Guardian => {
  const tickMs = notesFreeze?.tickMs ?? usualTickMs;
  const wards = new Map<string, WatchedProcess>();
  let disposed = false;
  let pid: number | null = null;
  let send = (_message: GuardianMessage): void => undefined;

  const launch = () => {
    // Detached: neither Ctrl-C in a terminal nor the end of our process group may end it too.
    const child = spawn(node, [entry, ...(notesFreeze ? [notesFreeze.path, String(tickMs)] : [])], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    pid = child.pid ?? null;
    if (!child.stdin) throw new StartupError('The guardian could not be started.');
    const { stdin } = child;
    stdin.on('error', () => undefined);
    send = (message) => void stdin.write(`${JSON.stringify(message)}\n`);
    child.on('error', onDeath);
    child.on('exit', () => {
      if (disposed) return;
      onDeath();
      setTimeout(() => !disposed && launch(), 1000).unref();
    });
    child.unref();
    for (const ward of wards.values()) send({ type: 'watch', ward });
  };
  launch();
  const heartbeat = notesFreeze && setInterval(() => send({ type: 'alive' }), heartbeatTicks * tickMs);
  heartbeat?.unref();

  return {
    pid: () => pid,
    watch(ward) {
      wards.set(ward.name, ward);
      send({ type: 'watch', ward });
    },
    forget(name) {
      wards.delete(name);
      send({ type: 'forget', name });
    },
    [Symbol.dispose]() {
      disposed = true;
      clearInterval(heartbeat);
      for (const name of wards.keys()) send({ type: 'forget', name });
      send({ type: 'end' });
    },
  };
};
