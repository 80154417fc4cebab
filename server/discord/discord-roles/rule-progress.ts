import { type Kysely, sql } from 'kysely';
import type { RoleRule } from '#contracts/discord/discord-roles.ts';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { decidesRole, type RuleRow } from './wanted-roles.ts';

type Progress = Pick<RoleRule, 'waiting' | 'failing' | 'fault'>;

const nothing: Progress = { waiting: 0, failing: 0, fault: null };

/** How far each rule has come: changes of its role, or entries on whitelists. */
export const readProgress = async (
  db: Kysely<Tables>,
  leftOf: (roleId: string) => number | null,
): Promise<(row: RuleRow) => Progress> => {
  const changes = await db
    .selectFrom('discord_role_changes')
    .select(['role_id as key', sql<string>`count(*)`.as('waiting')])
    .select(sql<string>`count(*) filter (where tries > 0)`.as('failing'))
    .select(sql<keyof typeof reasons | null>`min(obstacle)`.as('obstacle'))
    .groupBy('role_id')
    .execute();
  const entries = await db
    .selectFrom('discord_whitelist_entries')
    .select(['rule_id as key', sql<string>`count(*)`.as('waiting')])
    .select(sql<string>`count(*) filter (where tries > 0)`.as('failing'))
    .select(sql<string | null>`min(detail)`.as('fault'))
    .where('state', 'in', ['adding', 'removing'])
    .where('server_id', 'in', (servers) =>
      servers.selectFrom('game_servers').select('id').where('archived_at', 'is', null),
    )
    .groupBy('rule_id')
    .execute();
  const told = new Map<string, Progress>();
  for (const { key, waiting, failing, obstacle } of changes) {
    const fault = obstacle === null ? null : reasons[obstacle];
    told.set(key, {
      waiting: Number(waiting),
      failing: Number(failing),
      fault: typeof fault === 'string' ? fault : null,
    });
  }
  for (const { key, waiting, failing, fault } of entries)
    told.set(key, { waiting: Number(waiting), failing: Number(failing), fault });
  return (row) => {
    if (!row.is_enabled) return nothing;
    const left = leftOf(row.role_id);
    const known = told.get(decidesRole(row) ? row.role_id : row.id) ?? nothing;
    if (left === null) return { ...known, waiting: null };
    return decidesRole(row) ? { ...known, waiting: (known.waiting ?? 0) + left } : known;
  };
};
