import type { Kysely } from 'kysely';
import type { EventKindName, EventPayload } from '#contracts/kernel/event-kinds.ts';
import type { Log } from '#runtime/log.ts';
import { sleep } from '#runtime/sleep.ts';
import { waitAtMost } from '#runtime/within.ts';
import type { Tables } from '../database/tables.ts';
import { type EventOptions, recordEvent } from './record-event.ts';

/** Records what happens outside the database and therefore in none of its transactions. */
export interface EventRecorder extends AsyncDisposable {
  record<Name extends EventKindName>(
    kind: Name,
    payload: EventPayload<Name>,
    options?: Pick<EventOptions, 'serverId'>,
  ): void;
}

/** A process that sees more than this before its database comes has other problems. */
const mostWaiting = 1000;
const retryMs = 500;
const stopDeadlineMs = 1000;

/** Keeps what it is given, with its time and in order, until the database can be used and takes it. */
export const createEventRecorder = (
  db: Kysely<Tables>,
  obstacle: () => string | null,
  log: Log,
): EventRecorder => {
  const waiting: { readonly kind: EventKindName; readonly write: () => Promise<void> }[] = [];
  const stopping = new AbortController();
  let writing: Promise<void> | null = null;

  const writeAll = async () => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      try {
        if (obstacle() !== null) throw new Error('the database is not in use yet');
        await next.write();
        waiting.shift();
      } catch (error) {
        if (stopping.signal.aborted) break;
        log.debug({ err: error, kind: next.kind }, 'could not write an event yet');
        await sleep(retryMs, stopping.signal, { ref: false });
      }
    }
    writing = null;
  };

  return {
    record(kind, payload, options) {
      const at = new Date();
      if (waiting.length === mostWaiting) {
        log.error({ kind }, 'lost an event: too many are waiting for the database');
        return;
      }
      waiting.push({ kind, write: () => recordEvent(db, kind, payload, { ...options, at }) });
      writing ??= writeAll();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await waitAtMost(stopDeadlineMs, writing);
      if (waiting.length > 0)
        log.warn({ events: waiting.length }, 'lost events: the database is unavailable');
    },
  };
};
