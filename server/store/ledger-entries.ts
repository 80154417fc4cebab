import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '../kernel/database/tables.ts';

/** Writes an entry; the trigger moves the points. @returns its id */
export const addLedgerEntry = async (
  trx: Kysely<Tables>,
  entry: Insertable<Tables['ledger']>,
): Promise<string> => {
  const { id } = await trx.insertInto('ledger').values(entry).returning('id').executeTakeFirstOrThrow();
  return id;
};

/** Moves points from one member to another. @returns the entry's id */
export const moveBetweenWallets = (
  trx: Kysely<Tables>,
  move: {
    readonly kind: 'merge' | 'transfer';
    readonly fromMember: string;
    readonly toMember: string;
    readonly points: string | number;
    readonly by: { readonly actor: string; readonly actorName: string | null };
  },
): Promise<string> =>
  addLedgerEntry(trx, {
    kind: move.kind,
    from_account: 'wallet',
    from_member: move.fromMember,
    to_account: 'wallet',
    to_member: move.toMember,
    amount: move.points,
    actor: move.by.actor,
    actor_name: move.by.actorName,
  });
