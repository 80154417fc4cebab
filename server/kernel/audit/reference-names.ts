import { type Kysely, type RawBuilder, sql } from 'kysely';
import { referencesIn } from '#contracts/kernel/audit-references.ts';
import type { Tables } from '../database/tables.ts';
import type { StoredAudit } from './read-audit.ts';

/** Names of members by their ids; the names of others are in one table each. */
export type MemberNames = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

interface NamedTable {
  /** What an id looks like: any other text refers to nothing, and must not cause a database error. */
  readonly id: RegExp;
  readonly names: (ids: readonly string[]) => RawBuilder<unknown>;
}

const anyText = /./;
const number = /^[1-9]\d{0,17}$/;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const byId = (table: string, name = 'name', key = 'id'): NamedTable => ({
  id: anyText,
  names: (ids) => sql`select ${sql.ref(key)} as id, ${sql.ref(name)}::text as name from ${sql.table(table)}
    where ${sql.ref(key)} = any (${ids}::text[])`,
});

const tables: Readonly<Record<string, NamedTable>> = {
  admin: byId('admins'),
  'api-key': byId('api_keys'),
  cluster: byId('clusters'),
  'code-batch': byId('reward_code_batches'),
  'desktop-access': byId('desktop_access', 'account'),
  'discord-user': byId('discord_guild_members', 'name', 'discord_id'),
  discount: byId('discounts'),
  'mod-set': byId('mod_sets'),
  'reward-rule': byId('reward_rules'),
  role: byId('roles'),
  'saved-command': byId('saved_commands'),
  season: byId('seasons'),
  server: byId('game_servers'),
  shop: byId('shops'),
  order: byId('orders', 'number'),
  'shop-order': byId('shop_orders', 'external_id'),
  player: {
    id: number,
    names: (ids) => sql`select id::text as id, name from players where id = any (${ids}::bigint[])`,
  },
  entitlement: {
    id: number,
    names: (ids) =>
      sql`select id::text as id, key as name from entitlements where id = any (${ids}::bigint[])`,
  },
  delivery: {
    id: uuid,
    names: (ids) =>
      sql`select id::text as id, number::text as name from deliveries where id = any (${ids}::uuid[])`,
  },
  product: {
    id: anyText,
    names: (ids) => sql`select product.id, version.name from products as product
      join product_versions as version on version.product_id = product.id and version.version = product.version
      where product.id = any (${ids}::text[])`,
  },
};

/** Their names are shown only as long as they want it: older rows are not searched for them. */
const isPersonal = (reference: string): boolean => /^(player|member|discord-user):/.test(reference);

const kindOf = (reference: string): string => reference.split(':', 1)[0] ?? '';
const idOf = (reference: string): string => reference.slice(kindOf(reference).length + 1);

const referencesOf = ({ target, before, after, detail }: StoredAudit): readonly string[] => [
  ...(target === null ? [] : [target]),
  ...referencesIn(before),
  ...referencesIn(after),
  ...referencesIn(detail),
];

/** The current names of what the rows of a page name by id; for what is gone, the last name in the log. */
export const readReferenceNames = async (
  db: Kysely<Tables>,
  rows: readonly StoredAudit[],
  memberNames: MemberNames,
): Promise<Readonly<Record<string, string>>> => {
  const asked = [...new Set(rows.flatMap(referencesOf))];
  const names = new Map<string, string>();
  const idsOf = (kind: string) => asked.filter((reference) => kindOf(reference) === kind).map(idOf);

  const lookups = Object.entries(tables).flatMap(([kind, { id, names: of }]) => {
    const ids = idsOf(kind).filter((one) => id.test(one));
    return ids.length === 0
      ? []
      : [sql`select ${kind} || ':' || id as reference, name from (${of(ids)}) as named`];
  });
  if (lookups.length > 0) {
    const found = await sql<{
      reference: string;
      name: string;
    }>`${sql.join(lookups, sql` union all `)}`.execute(db);
    for (const { reference, name } of found.rows) names.set(reference, name);
  }
  const members = await memberNames(idsOf('member').filter((id) => number.test(id)));
  for (const [id, name] of members) if (name !== '') names.set(`member:${id}`, name);

  const gone = asked.filter((reference) => !names.has(reference) && !isPersonal(reference));
  for (const [reference, name] of await readLastNames(db, gone)) names.set(reference, name);
  return Object.fromEntries(names);
};

const readLastNames = async (
  db: Kysely<Tables>,
  references: readonly string[],
): Promise<readonly (readonly [string, string])[]> => {
  if (references.length === 0) return [];
  const { rows } = await sql<{ reference: string; name: string }>`
    select asked.reference, last.name from unnest(${references}::text[]) as asked (reference)
    cross join lateral (
      select coalesce(after ->> 'name', before ->> 'name') as name from audit_logs
      where target = asked.reference and coalesce(after ->> 'name', before ->> 'name') is not null
      order by target desc, at desc, id desc limit 1
    ) as last`.execute(db);
  return rows.map(({ reference, name }) => [reference, name]);
};
