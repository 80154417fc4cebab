import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, obstacleOwner, portObstacle, tryPort } from '#runtime/ports.ts';
import { sleep } from '#runtime/sleep.ts';
import { CannotStartError } from '../supervisor/component.ts';

/** Within this time the guardian of a killed supervisor stops what it has left behind. */
const leftoversMs = 4000;
const pollMs = 50;
/** For a port that another program has: rarely, since each look takes the port for a moment. */
const freedPollMs = 2000;

interface WantedPort {
  readonly port: number;
  readonly host: string;
  /** What to change, given a free port. */
  readonly remedy: (freePort: number) => string;
}

/** @throws {CannotStartError} naming the program that has the port, and a free one */
export const demandPort = async (
  wanted: WantedPort,
  signal: AbortSignal,
  patienceMs = leftoversMs,
): Promise<void> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const obstacle = await tryPort(wanted.port, wanted.host);
    if (obstacle === null) return;
    signal.throwIfAborted();
    if (obstacle !== 'EADDRINUSE' || performance.now() > deadline)
      throw new CannotStartError(await describe(wanted, obstacle), {
        untilMended: (stopping) => untilFree(wanted, stopping),
        blockedPort: wanted.port,
      });
    await delay(pollMs);
  }
};

const untilFree = async ({ port, host }: WantedPort, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    // The abort cuts it short by rejecting.
    await sleep(freedPollMs, signal);
    if ((await tryPort(port, host)) === null) return;
  }
};

const describe = async ({ port, host, remedy }: WantedPort, obstacle: string): Promise<string> => {
  const free = await findFreePort(port + 1, host);
  const offer = free === null ? '' : `; ${free} is free: ${remedy(free)}`;
  const owner = await obstacleOwner(obstacle, port);
  if (obstacle !== 'EADDRINUSE' && owner === null) {
    const cause = portObstacle(obstacle, port);
    return `port ${port} on ${host} cannot be used (${obstacle})${cause && `: ${cause}`}${offer}`;
  }
  return `port ${port} is in use by ${owner ? `${owner.name} (pid ${owner.pid})` : 'another program'}${offer}`;
};
