import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { WantedLine } from './order-terms.ts';

/** The roles of a product that gives nothing but permanent roles; null: it gives more, or can be extended. */
export const rolesAlone = ({ product }: WantedLine): readonly string[] | null => {
  const lines = product.parts.flatMap((part) => part.lines);
  const ids = lines.flatMap((line) => (line.kind === 'role' && !line.lasts ? [line.roleId] : []));
  return ids.length === lines.length && ids.length > 0 ? ids : null;
};

/** Permanent roles that the member has bought, or is about to get: buying one again would give nothing. */
export const readOwnedRoles = async (
  db: Kysely<Tables>,
  receiverId: string,
  lines: readonly WantedLine[],
): Promise<ReadonlySet<string>> => {
  const ids = lines.flatMap((line) => rolesAlone(line) ?? []);
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ readonly roleId: string }>`
    select distinct deliveries.line ->> 'roleId' as "roleId"
      from deliveries join members as own on own.id = deliveries.member_id
     where coalesce(own.merged_into, own.id) = ${receiverId} and deliveries.line ->> 'kind' = 'role'
       and deliveries.line ->> 'roleId' = any (${ids}::text[]) and not deliveries.line ? 'lasts'
       and (state in ('pending', 'waiting') or state = 'delivered' and refunded_at is null)`.execute(db);
  return new Set(rows.map(({ roleId }) => roleId));
};

/**
 * Orders that give one receiver permanent roles count them one after another. The lock is on the receiver rather than a
 * product, since two products can give the same role. Taken after products and discounts, before wallets.
 */
export const lockOwnedRoles = async (
  trx: Kysely<Tables>,
  receiverId: string,
  lines: readonly WantedLine[],
): Promise<void> => {
  if (lines.every((line) => rolesAlone(line) === null)) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`roles:${receiverId}`}, 0))`.execute(trx);
};
