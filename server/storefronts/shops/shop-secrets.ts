import type { Kysely } from 'kysely';
import type { Secret } from '#runtime/secret.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { sealedColumn } from '../../kernel/secrets/sealed-column.ts';
import { demandReadable, type Secrets } from '../../kernel/secrets/secrets.ts';

export const shopSecretColumn = sealedColumn({
  table: 'shop_secrets',
  key: ['id'],
  column: 'secret',
  describe: ([id]) => `The secret ${id} of an outside shop`,
});

/**
 * A shop's readable secrets.
 * @throws {Problem} SECRET_UNREADABLE when there are some and none can be read
 */
export const readShopSecrets = async (
  db: Kysely<Tables>,
  secrets: Secrets,
  shopId: string,
): Promise<readonly Secret[]> => {
  const rows = await db
    .selectFrom('shop_secrets')
    .select(['id', 'secret'])
    .where('shop_id', '=', shopId)
    .orderBy('created_at', 'desc')
    .execute();
  const opened = rows.map(({ id, secret }) => secrets.open(shopSecretColumn, [id], secret));
  const readable = opened.flatMap((one) => (one.outcome === 'open' ? [one.secret] : []));
  const [first] = opened;
  // The shop tries again, and the secret becomes readable once its key is back.
  if (first && readable.length === 0) demandReadable(first);
  return readable;
};
