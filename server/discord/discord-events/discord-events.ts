import { createId } from '@paralleldrive/cuid2';
import { type Kysely, sql } from 'kysely';
import type { GivenTestPost, TestPost, TestPostOutcome } from '#contracts/discord/discord-events.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { createEventBatches, type EventBatches } from './event-batches.ts';
import { createKnownGuild, type KnownGuild } from './known-guild.ts';

/** Test messages, on their way to the bot, and the results on their way back. */
interface TestPosts {
  post(asked: TestPost): Promise<TestPostOutcome>;
  /** Each is handed out once. */
  take(): GivenTestPost[];
  settle(id: string, outcome: TestPostOutcome): void;
}

const answerMs = 20_000;

const createTestPosts = (timeoutMs = answerMs): TestPosts => {
  const waiting: GivenTestPost[] = [];
  const answers = new Map<string, (outcome: TestPostOutcome) => void>();
  return {
    post(asked) {
      const id = createId();
      const { promise, resolve } = Promise.withResolvers<TestPostOutcome>();
      const given = { id, ...asked };
      const settle = (outcome: TestPostOutcome) => {
        clearTimeout(deadline);
        answers.delete(id);
        const index = waiting.indexOf(given);
        if (index !== -1) waiting.splice(index, 1);
        resolve(outcome);
      };
      const deadline = setTimeout(() => settle('bot-away'), timeoutMs);
      answers.set(id, settle);
      waiting.push(given);
      return promise;
    },
    take: () => waiting.splice(0),
    settle(id, outcome) {
      answers.get(id)?.(outcome);
    },
  };
};

/**
 * The cluster numbers transactions. Rows that were moved to another, younger one name future transactions: such a lane
 * would see nothing new, and such events would be reported again one day. They are renumbered, as events of one
 * transaction in the order of their ids; a lane continues after the last event that it had settled.
 * @returns whether there were any
 */
const renumberRestored = (db: Kysely<Tables>): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ found: boolean }>`
      with next as (select pg_snapshot_xmax(pg_current_snapshot()) as number)
      select exists (select from event_logs, next where written_in >= number)
          or exists (select from discord_event_lanes, next
                      where written_in >= number or batch_written_in >= number) as found`.execute(trx);
    if (!rows[0]?.found) return false;
    // So that no one adds an event of a transaction with a lower number in between.
    await sql`lock table event_logs in share row exclusive mode`.execute(trx);
    await sql`lock table discord_event_lanes in share row exclusive mode`.execute(trx);
    const settled = (writtenIn: string, id: string) => sql`
      coalesce((select max(event.id) from event_logs as event
                 where event.written_in > pg_current_xact_id()
                   and (event.written_in, event.id) <= (${sql.ref(writtenIn)}, ${sql.ref(id)})), 0)`;
    await sql`
      update discord_event_lanes set batch_event_id = ${settled('batch_written_in', 'batch_event_id')},
             batch_written_in = pg_current_xact_id()
       where batch_written_in > pg_current_xact_id()`.execute(trx);
    await sql`
      update discord_event_lanes set event_id = ${settled('written_in', 'event_id')},
             written_in = pg_current_xact_id()
       where written_in > pg_current_xact_id()`.execute(trx);
    await sql`
      update event_logs set written_in = pg_current_xact_id()
       where written_in > pg_current_xact_id()`.execute(trx);
    return true;
  });

export interface DiscordEvents {
  readonly guild: KnownGuild;
  readonly batches: EventBatches;
  readonly testPosts: TestPosts;
  /** Called once the schema is in place, and again after the database was unavailable: it may be another one. */
  prepare(): Promise<void>;
}

export const createDiscordEvents = ({
  db,
  serverName,
  log,
}: {
  readonly db: Kysely<Tables>;
  readonly serverName: (id: string) => string | null;
  readonly log: Log;
}): DiscordEvents => {
  return {
    guild: createKnownGuild(),
    batches: createEventBatches({ db, serverName }),
    testPosts: createTestPosts(),
    async prepare() {
      if (await renumberRestored(db))
        log.warn('the database comes from another cluster: renumbered the event feed');
    },
  };
};
