import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Whether a rule gives the role, or the store sells it or has sold it: points would buy the permissions. */
export const isRoleGiven = async (db: Kysely<Tables>, roleId: string): Promise<boolean> => {
  const line = JSON.stringify([{ kind: 'role', roleId }]);
  const { rows } = await sql`
    select from discord_role_rules where role_id = ${roleId} and is_enabled and kind <> 'whitelist'
    union all
    select from discord_bought_roles where role_id = ${roleId}
    union all
    select from products join product_versions as sold on sold.product_id = products.id and sold.version = products.version
     where archived_at is null and sold.lines @> ${line}::jsonb
    limit 1`.execute(db);
  return rows.length > 0;
};
