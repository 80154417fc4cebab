import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import { readApprovalStates } from './command-approval.ts';

const sold = sql`products.archived_at is null and products.is_enabled`;

/** The sale stopped by itself until a person has checked the product. */
export const heldProducts = sql`
  select 'held-products', null, count(*), min(held_at) from products where held_at is not null and ${sold}`;

/** Products for sale whose commands no one approved who still may. */
export const readUnapproved = async (db: Kysely<Tables>) => {
  const rows = await db
    .selectFrom('products')
    .innerJoin('product_versions as version', (join) =>
      join.onRef('version.product_id', '=', 'products.id').onRef('version.version', '=', 'products.version'),
    )
    .select(['version.game', 'version.cluster_ids as clusterIds', 'version.server_ids as serverIds'])
    .select(['version.lines', 'version.approved_by', 'version.approved_name', 'version.approved_at'])
    .where(sql<boolean>`${sold}`)
    .where(sql<boolean>`version.lines @> '[{"kind": "command"}]'`)
    .execute();
  const products = rows.map(({ approved_by: by, approved_name: name, approved_at: at, ...row }) => ({
    ...row,
    approval: by === null || at === null ? null : { by, name, at },
  }));
  const stateOf = await readApprovalStates(db, products);
  const count = products.filter((product) => stateOf(product) !== 'approved').length;
  return [{ kind: 'approvals' as const, serverId: null, count, since: null }];
};
