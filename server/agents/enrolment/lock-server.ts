import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** Of two transactions that lock the same server, one waits for the other's end. @returns undefined: there is no such server */
export const lockServer = (
  trx: Transaction<Tables>,
  serverId: string,
): Promise<{ readonly archived_at: Date | null } | undefined> =>
  trx
    .selectFrom('game_servers')
    .select('archived_at')
    .where('id', '=', serverId)
    .forNoKeyUpdate()
    .executeTakeFirst();
