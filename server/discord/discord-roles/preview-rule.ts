import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { RuleEffect } from './kept-previews.ts';
import type { RolesNow } from './known-roles.ts';
import { decidesRole, differences, type RuleRow } from './wanted-roles.ts';
import { enabledWhitelistRules, isUnwanted, wantedEntries } from './whitelist.ts';

interface Named {
  readonly isGain: boolean;
  readonly key: string;
  readonly name: string;
}

/** Whom the rule would change if it were on, in addition to the enabled ones. */
export const previewRule = async (db: Kysely<Tables>, row: RuleRow, now: RolesNow): Promise<RuleEffect> => {
  const named = decidesRole(row) ? await previewRole(db, row, now) : await previewWhitelist(db, row, now);
  const side = (isGain: boolean) =>
    new Map(named.filter((one) => one.isGain === isGain).map(({ key, name }) => [key, name]));
  return { gains: side(true), losses: side(false) };
};

const previewRole = async (db: Kysely<Tables>, row: RuleRow, now: RolesNow): Promise<Named[]> => {
  if (now.obstacleOf(row.role_id) !== null) return [];
  const enabled = await db
    .selectFrom('discord_role_rules')
    .selectAll()
    .where('is_enabled', '=', true)
    .execute();
  const rules = [...enabled.filter(({ id }) => id !== row.id), row];
  const isGivable = (roleId: string) => roleId === row.role_id;
  const { rows } = await sql<Named>`
    with ${differences({ rules, isGivable, mayDeliver: true }, [row.role_id])}
    select change = 'give' as "isGain", discord_id as key, name
      from differences join present using (discord_id) order by name, discord_id`.execute(db);
  return rows;
};

const previewWhitelist = async (db: Kysely<Tables>, row: RuleRow, now: RolesNow): Promise<Named[]> => {
  if (now.followObstacleOf(row.role_id) !== null) return [];
  const rules = [...(await enabledWhitelistRules(db)).filter(({ id }) => id !== row.id), row];
  const { rows } = await sql<Named>`
    with enabled as (select unnest(${rules.map(({ id }) => id)}::text[]) as id),
    wanted as materialized (${wantedEntries(rules)}),
    changed as (
      select true as is_gain, server_id, player_id from wanted
       where not exists (
         select from discord_whitelist_entries as entry
          where entry.server_id = wanted.server_id and entry.player_id = wanted.player_id
            and entry.state in ('made', 'found'))
      union all
      select false, server_id, player_id from discord_whitelist_entries as entry
       where state <> 'found' and ${isUnwanted})
    select is_gain as "isGain", server_id || ' ' || player_id as key, player.name || ' → ' || server.name as name
      from changed join players as player on player.id = player_id join game_servers as server on server.id = server_id
     order by 3`.execute(db);
  return rows;
};
