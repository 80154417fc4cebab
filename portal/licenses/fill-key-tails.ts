import { type Kysely, sql } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { PortalTables } from '../database/tables.ts';
import type { LicenseKeyVault } from './license-key-vault.ts';

const rowsPerBatch = 500;

/**
 * Fills in the last four characters of keys that were issued before these were stored for the search. After a kill, the
 * next start does the rest; two processes that fill at the same time write the same values.
 */
export const fillKeyTails = async (
  db: Kysely<PortalTables>,
  vault: LicenseKeyVault,
  log: Log,
): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: readonly { id: string; key_sealed: string }[] = await db
      .selectFrom('licenses')
      .select(['id', 'key_sealed'])
      .where('key_tail', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsPerBatch)
      .execute();
    const tails = rows.flatMap(({ id, key_sealed: sealed }) => {
      try {
        return [{ id, tail: vault.open(sealed, id).slice(-4) }];
      } catch (error) {
        log.warn(
          { err: error, licenseId: id },
          'could not decrypt a license key; searching by its last characters will not find it',
        );
        return [];
      }
    });
    await sql`
      update licenses set key_tail = filled.tail
      from unnest(${tails.map(({ id }) => id)}::text[], ${tails.map(({ tail }) => tail)}::text[]) as filled(id, tail)
      where licenses.id = filled.id and key_tail is null`.execute(db);
    after = rows.length === rowsPerBatch ? rows.at(-1)?.id : undefined;
  }
};
