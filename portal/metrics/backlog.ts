import { type Kysely, sql } from 'kysely';
import type { PortalTables } from '../database/tables.ts';

/** What waits in the database, and for how long. */
export interface Backlog {
  readonly mailsDue: number;
  /** The age of the oldest due mail; 0 if there is none. */
  readonly oldestMailSeconds: number;
  readonly mailsGivenUp: number;
  readonly purchasesUnprocessed: number;
  readonly purchasesWaiting: number;
  /** How long the active key has been signing; null if there is none. */
  readonly signingKeySeconds: number | null;
  readonly nextKeys: number;
}

/** Every part is answered from an index of waiting rows, never from all rows. */
export const readBacklog = async (db: Kysely<PortalTables>, now: Date): Promise<Backlog> => {
  const { rows } = await sql<Backlog>`
    select
      due.mails as "mailsDue",
      due.seconds as "oldestMailSeconds",
      (select count(*)::int from mail_outbox where state = 'given_up') as "mailsGivenUp",
      (select count(*)::int from webhook_events where outcome = 'unprocessed') as "purchasesUnprocessed",
      (select count(*)::int from webhook_events where outcome = 'waiting') as "purchasesWaiting",
      (
        select extract(epoch from ${now}::timestamptz - coalesce(activated_at, created_at))::float8
        from signing_keys where state = 'active' and struck_at is null
      ) as "signingKeySeconds",
      (select count(*)::int from signing_keys where state = 'next' and struck_at is null) as "nextKeys"
    from (
      select count(*)::int as mails,
        greatest(coalesce(extract(epoch from ${now}::timestamptz - min(created_at)), 0), 0)::float8 as seconds
      from mail_outbox where state = 'due'
    ) as due`.execute(db);
  const [backlog] = rows;
  if (!backlog) throw new Error('a count came back empty');
  return backlog;
};
