import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

export const findOfDiscord = async (db: Kysely<Tables>, discordId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('members')
    .select('id')
    .where('discord_id', '=', discordId)
    .executeTakeFirst();
  return row?.id ?? null;
};

/** @returns the new member's id; null: the account has one already */
export const insertForDiscord = async (db: Kysely<Tables>, discordId: string): Promise<string | null> => {
  const row = await db
    .insertInto('members')
    .values({ discord_id: discordId })
    .onConflict((conflict) => conflict.column('discord_id').where('discord_id', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
};

/** @returns the member whom it was taken from; null: there is none, or nobody but the account itself */
export const releaseDiscord = async (trx: Kysely<Tables>, discordId: string): Promise<string | null> => {
  const row = await trx
    .updateTable('members')
    .set((member) => ({ discord_id: null, version: member('version', '+', 1) }))
    .where('discord_id', '=', discordId)
    // Else the wallet would be no one's.
    .where('id', 'in', (players) => players.selectFrom('players').select('member_id'))
    .returning('id')
    .executeTakeFirst();
  if (!row) return null;
  // The account may have asked for it.
  await trx.deleteFrom('member_link_codes').where('member_id', '=', row.id).execute();
  return row.id;
};
