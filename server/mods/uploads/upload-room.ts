import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

/** What uploads may take, complete or not, in bytes that have arrived. */
export interface UploadLimits {
  /** All together. */
  readonly allBytes: number;
  readonly personBytes: number;
  readonly serverBytes: number;
  /** How many one person may have begun and not finished. */
  readonly unfinished: number;
}

const GiB = 1024 ** 3;
/** Two of the largest files for each person and server. */
export const usualUploadLimits: UploadLimits = {
  allBytes: 8 * GiB,
  personBytes: 4 * GiB,
  serverBytes: 4 * GiB,
  unfinished: 20,
};

/**
 * Asked in the transaction that begins an upload or reserves a part: whether what others have sent leaves room for it.
 * Until the transaction ends, no one else counts on the same room.
 * @param upload `id` null: it begins; `bytes`: all that it takes then
 */
export const refuseFull = async (
  trx: Kysely<Tables>,
  upload: {
    readonly id: string | null;
    readonly serverId: string;
    readonly person: string | null;
    readonly bytes: number;
  },
  limits: UploadLimits,
): Promise<Refusal | null> => {
  const { id, serverId, person, bytes } = upload;
  await sql`select pg_advisory_xact_lock(hashtext('mod_uploads'))`.execute(trx);
  const others = await trx
    .selectFrom('mod_uploads')
    .select(({ fn, and, eb }) => {
      const used = fn.sum<string | null>(sql<string>`received + reserved`);
      const isTheirs = eb('begun_by', '=', person);
      return [
        used.as('all'),
        used.filterWhere(isTheirs).as('person'),
        used.filterWhere('server_id', '=', serverId).as('server'),
        fn
          .countAll<string>()
          .filterWhere(and([isTheirs, eb('sha1', 'is', null)]))
          .as('unfinished'),
      ];
    })
    .where(sql<boolean>`id is distinct from ${id}`)
    .executeTakeFirstOrThrow();
  const isFull = (used: string | null, most: number) => Number(used) + bytes > most;
  if (isFull(others.all, limits.allBytes)) return refuse('MOD_UPLOADS_FULL');
  if (isFull(others.person, limits.personBytes))
    return refuse('MOD_UPLOAD_LIMIT', 'Your own uploads have filled what one person may take.');
  if (isFull(others.server, limits.serverBytes))
    return refuse('MOD_UPLOAD_LIMIT', 'The uploads for this game server have filled what one may take.');
  if (id === null && Number(others.unfinished) >= limits.unfinished)
    return refuse('MOD_UPLOAD_LIMIT', 'You have too many unfinished uploads.');
  return null;
};
