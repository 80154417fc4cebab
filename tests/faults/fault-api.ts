import { once } from 'node:events';
import type { ApiProcess, Installation } from '#harness/licensed-home.ts';

/** One API process of several, which can be killed as by `kill -9` or stopped as by `kill -STOP`. */
export interface FaultApi {
  readonly url: string;
  /** Of the process that runs now. */
  readonly processId: string;
  readonly isStopped: boolean;
  fetch: ApiProcess['fetch'];
  start(): Promise<void>;
  /** Resolves when it has ended; it stays down. */
  end(): Promise<void>;
  /** It does nothing until it is woken, and notices nothing of it. */
  stop(): void;
  /** Nothing to do if it was killed since. */
  wake(): void;
}

/** A machine that is busy with a whole night of tests is slow. */
const startMs = 300_000;

/** The first start is the caller's. */
export const createFaultApi = (installation: Pick<Installation, 'startApi'>, port: number): FaultApi => {
  let running: ApiProcess | null = null;
  let stopped: ApiProcess | null = null;
  const current = (): ApiProcess => {
    if (!running) throw new Error(`the API on port ${port} is not running`);
    return running;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    get processId() {
      return current().id;
    },
    get isStopped() {
      return stopped !== null && stopped === running;
    },
    fetch: (path, init) => current().fetch(path, init),
    async start() {
      running = await installation.startApi({ variables: { API_PORT: String(port) }, startMs });
    },
    async end() {
      const { process } = current();
      const exited = once(process, 'exit');
      process.kill('SIGKILL');
      await exited;
    },
    stop() {
      stopped = current();
      stopped.process.kill('SIGSTOP');
    },
    wake() {
      if (stopped && stopped === running) stopped.process.kill('SIGCONT');
      stopped = null;
    },
  };
};
