import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Refusal } from '../http/refusal.ts';

/** Any number that nothing else in this database locks. */
const rightsLock = 7_214_301;

/**
 * Changes who may do what, one change at a time: what a change finds out (who is the last owner, who holds a role) stays true
 * until it is done. A refusal leaves everything as it was, so rules refuse before they write.
 */
export const changeRights = <Result>(
  db: Kysely<Tables>,
  change: (trx: Kysely<Tables>) => Promise<Result | Refusal>,
): Promise<Result | Refusal> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${rightsLock})`.execute(trx);
    return change(trx);
  });
