import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Which queues take no new jobs, as last read from the database. */
export interface QueuePauses {
  isPaused(queue: string): boolean;
  /** Reads them again and notifies the listeners. */
  refresh(): Promise<void>;
  onChange(listener: (paused: ReadonlySet<string>) => void): void;
}

export const createQueuePauses = (db: Kysely<Tables>): QueuePauses => {
  let paused: ReadonlySet<string> = new Set();
  const listeners: ((paused: ReadonlySet<string>) => void)[] = [];
  return {
    isPaused: (queue) => paused.has(queue),
    async refresh() {
      const rows = await db.selectFrom('queue_pauses').select('queue').execute();
      paused = new Set(rows.map(({ queue }) => queue));
      for (const listener of listeners) listener(paused);
    },
    onChange: (listener) => void listeners.push(listener),
  };
};
