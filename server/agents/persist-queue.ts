import { setTimeout as delay } from 'node:timers/promises';
import { agentCloseCodes } from '#contracts/agent-protocol.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { AgentLink } from './agent-link.ts';

/** How many frames of one agent wait for the database; more are dropped, and requested again later. */
const mostFrames = 1000;
const mostBytes = 4 * 1024 * 1024;

/**
 * What one connection's frames want written, one after another and until the database takes it: only then is it
 * acknowledged. When some had to be dropped, the agent has to connect again, because it then sends them again.
 */
export const createPersistQueue = (retryMs: number, log: Log) => {
  let frames = 0;
  let bytes = 0;
  let isIncomplete = false;
  let last: Promise<void> = Promise.resolve();

  const persist = async (link: AgentLink, work: () => Promise<void>) => {
    while (link.isOpen) {
      try {
        return await work();
      } catch (error) {
        if (!isDatabaseAway(error)) return log.error({ err: error }, 'could not process a Game Agent frame');
        await delay(retryMs, undefined, { ref: false });
      }
    }
  };

  /** @param size of the frame, in bytes */
  return (link: AgentLink, work: () => Promise<void>, size: number): void => {
    if (frames >= mostFrames || bytes >= mostBytes) {
      isIncomplete = true;
      return;
    }
    frames += 1;
    bytes += size;
    last = last
      .then(() => persist(link, work))
      .then(() => {
        frames -= 1;
        bytes -= size;
        if (frames === 0 && isIncomplete) link.end(agentCloseCodes.goingAway, 'send again');
      });
  };
};
