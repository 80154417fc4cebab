import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import { sleep } from '#runtime/sleep.ts';

interface LineEventsOptions<Event> {
  /** Fails when the database does not take them: then all of them are passed on again. */
  readonly observe: (serverId: string, events: readonly Event[]) => Promise<void>;
  readonly log: Log;
  /** Per server; beyond this the oldest are dropped. */
  readonly mostWaiting?: number;
  readonly retryMs?: number;
}

/** How many are passed on together: a transaction with all of them would delay the live events. */
const largestBatch = 100;

/** What the lines of consoles report, on its way to storage. */
export interface LineEvents<Event> extends AsyncDisposable {
  take(serverId: string, event: Event): void;
}

/** A game writes as fast as it likes: its events are passed on in order, one batch of each server at a time, and only this many wait. */
export const createLineEvents = <Event>({
  observe,
  log,
  mostWaiting = 1000,
  retryMs = 1000,
}: LineEventsOptions<Event>): LineEvents<Event> => {
  const waiting = new Map<string, Event[]>();
  const underWay = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  const keep = (serverId: string, events: Event[]) => {
    const lost = events.length - mostWaiting;
    if (lost > 0) events.splice(0, lost);
    waiting.set(serverId, events);
    return lost;
  };

  const nextBatch = (serverId: string): Event[] => {
    const events = waiting.get(serverId) ?? [];
    const batch = events.splice(0, largestBatch);
    if (events.length === 0) waiting.delete(serverId);
    return batch;
  };

  const handOn = async (serverId: string) => {
    for (let batch = nextBatch(serverId); batch.length > 0; batch = nextBatch(serverId)) {
      try {
        await observe(serverId, batch);
      } catch (error) {
        if (stopping.signal.aborted || !isDatabaseAway(error)) {
          log.warn({ err: error, serverId, events: batch.length }, 'could not store console events');
          continue;
        }
        keep(serverId, [...batch, ...(waiting.get(serverId) ?? [])]);
        await sleep(retryMs, stopping.signal, { ref: false });
      }
    }
    underWay.delete(serverId);
  };

  return {
    take(serverId, event) {
      const events = waiting.get(serverId) ?? [];
      events.push(event);
      if (keep(serverId, events) > 0)
        log.debug({ serverId }, 'a console sends events faster than they can be stored; dropped the oldest');
      if (!underWay.has(serverId)) underWay.set(serverId, handOn(serverId));
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
};
