import { type Kysely, sql } from 'kysely';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import type { Tables } from './tables.ts';

/** Remembers since when things are in their states, also beyond a restart of the API. */
export interface StateBeginnings extends Disposable {
  /** Reads what an earlier process has stored. Until then, nothing is known of it. */
  prepare(): Promise<void>;
  /** Since when an earlier process saw this state, ISO 8601; null: it did not, or this process has run for a while. */
  earlier(subject: string, state: string): string | null;
  /** @param state null: in none worth remembering */
  note(subject: string, state: string | null, since: string): void;
  /** Stores what has changed, once this process has run for a while. Fails while the database is away. */
  flush(): Promise<void>;
}

/**
 * After a start, agents, the bot and consoles are unknown for some time, which ends no state that lasted before. Nothing is stored
 * meanwhile, so that the next process after a crash finds the same.
 */
const defaultSettleMs = 120_000;
const flushMs = 10_000;

interface Beginning {
  readonly state: string;
  readonly since: string;
}

export const createStateBeginnings = ({
  db,
  log,
  settleMs = defaultSettleMs,
  now = () => performance.now(),
}: {
  readonly db: Kysely<Tables>;
  readonly log: Log;
  readonly settleMs?: number | undefined;
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number;
}): StateBeginnings => {
  const startedMs = now();
  const isSettled = () => now() - startedMs >= settleMs;
  let stored: ReadonlyMap<string, Beginning> = new Map();
  const noted = new Map<string, Beginning | null>();
  const changed = new Set<string>();
  let timer: Disposable | undefined;

  const flush = async () => {
    if (!isSettled() || changed.size === 0) return;
    const subjects = [...changed];
    changed.clear();
    const known = subjects.flatMap((subject) => {
      const beginning = noted.get(subject);
      return beginning ? [{ subject, ...beginning }] : [];
    });
    const gone = subjects.filter((subject) => !noted.get(subject));
    try {
      await sql`
        with gone as (delete from state_beginnings where subject = any (${gone}::text[]))
        insert into state_beginnings (subject, state, since)
        select * from unnest(${known.map(({ subject }) => subject)}::text[],
          ${known.map(({ state }) => state)}::text[], ${known.map(({ since }) => since)}::timestamptz[])
        on conflict (subject) do update set state = excluded.state, since = excluded.since`.execute(db);
    } catch (error) {
      for (const subject of subjects) changed.add(subject);
      throw error;
    }
  };

  return {
    async prepare() {
      const rows = await db.selectFrom('state_beginnings').selectAll().execute();
      stored = new Map(
        rows.map(({ subject, state, since }) => [subject, { state, since: since.toISOString() }]),
      );
      timer ??= runPeriodically({
        intervalMs: flushMs,
        work: flush,
        failure: 'could not store since when things are in their states; will retry',
        log,
      });
    },
    earlier(subject, state) {
      const beginning = isSettled() ? undefined : stored.get(subject);
      return beginning?.state === state ? beginning.since : null;
    },
    note(subject, state, since) {
      const before = noted.get(subject);
      if (state === null ? before === null : before?.state === state && before.since === since) return;
      noted.set(subject, state === null ? null : { state, since });
      changed.add(subject);
    },
    flush,
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  };
};
