import { type Kysely, sql } from 'kysely';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { ModerationReport } from '#contracts/people/players.ts';
import type { CommandOutcome } from '#contracts/servers/games.ts';
import { wasSoAlready } from '#games/game.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import type { RuleRow } from './wanted-roles.ts';

export interface WhitelistOptions {
  readonly db: Kysely<Tables>;
  /** Whether the game itself replies. */
  readonly isOnline: (serverId: string) => boolean;
  /** Gives the game's own command, which is in the console's history and in the audit log. */
  readonly order: (given: {
    readonly playerId: string;
    readonly serverId: string;
    readonly action: 'whitelist-add' | 'whitelist-remove';
  }) => Promise<ModerationReport | Refusal>;
}

interface Whitelist {
  /**
   * Writes which entries are to be made and removed.
   * @param isKnown false: no one can tell who has the role, so what follows it stays unchanged
   */
  plan(isKnown: (roleId: string) => boolean): Promise<void>;
  /** Makes and removes what is due, on the servers that are there. */
  carryOut(signal: AbortSignal): Promise<void>;
}

/** Per round and server. */
const mostAtOnce = 25;
const retry = { firstMs: 30_000, mostMs: 6 * 3_600_000, jitter: 0.2 } as const;
const longestDetail = 500;
/** The command may have been carried out. */
const mayArrive: ReadonlySet<CommandOutcome> = new Set(['answered', 'timeout', 'connection lost', 'unknown']);

/** Entries that the enabled rules want: (server_id, player_id, rule_id). A game knows a member by its players there. */
export const wantedEntries = (rules: readonly Pick<RuleRow, 'id'>[]) => sql`
  select distinct on (server.id, player.id) server.id as server_id, player.id as player_id, rule.id as rule_id
    from discord_role_rules as rule
    join game_servers as server on server.id = any (rule.server_ids) and server.archived_at is null
    join discord_guild_members as present
      on rule.role_id = any (present.role_ids) and present.left_at is null and not present.is_bot
    join members as person on person.discord_id = present.discord_id and person.erased_at is null
    join players as player on player.member_id = person.id
   where rule.kind = 'whitelist' and rule.id = any (${rules.map(({ id }) => id)}::text[])
     and (player.game = server.game or exists (
       select from player_sessions as session join game_servers as played on played.id = session.server_id
        where session.player_id = player.id and played.game = server.game))
   order by server.id, player.id, rule.created_at`;

/** Whether an entry's rule is on and no rule wants it any more. An archived server keeps what it has. */
export const isUnwanted = sql<boolean>`
  entry.rule_id in (select id from enabled)
  and exists (select from game_servers where id = entry.server_id and archived_at is null)
  and not exists (
    select from wanted where server_id = entry.server_id and player_id = entry.player_id)`;

export const enabledWhitelistRules = (db: Kysely<Tables>) =>
  db
    .selectFrom('discord_role_rules')
    .selectAll()
    .where('kind', '=', 'whitelist')
    .where('is_enabled', '=', true)
    .execute();

/** Assigns entries to a rule that wants them now: the rule that created them may be off or deleted. */
const claimEntries = sql`
  update discord_whitelist_entries as entry
     set rule_id = wanted.rule_id, state = case state when 'removing' then 'adding' else state end,
         tries = 0, next_try_at = now(), detail = null
    from wanted
   where entry.server_id = wanted.server_id and entry.player_id = wanted.player_id
     and (state = 'removing' or entry.rule_id <> wanted.rule_id)`;

/** Before a rule is removed with its entries: entries that another rule wants move to that one. */
export const moveEntries = async (trx: Kysely<Tables>): Promise<void> => {
  await sql`
    with wanted as materialized (${wantedEntries(await enabledWhitelistRules(trx))}) ${claimEntries}`.execute(
    trx,
  );
};

export const createWhitelist = ({ db, isOnline, order }: WhitelistOptions): Whitelist => {
  const settle = async (entry: Due, report: ModerationReport | Refusal): Promise<void> => {
    const row = db
      .updateTable('discord_whitelist_entries')
      .where('server_id', '=', entry.serverId)
      .where('player_id', '=', entry.playerId)
      .where('state', '=', entry.state);
    const isDone = !isRefusal(report) && report.verdict === 'done';
    if (isDone && entry.state === 'removing') {
      await db
        .deleteFrom('discord_whitelist_entries')
        .where('server_id', '=', entry.serverId)
        .where('player_id', '=', entry.playerId)
        .where('state', '=', 'removing')
        .execute();
      return;
    }
    if (isDone) {
      // After a lost reply, what is there is most likely what was sent.
      const isFound = report.detail === wasSoAlready && !entry.isSent;
      await row.set({ state: isFound ? 'found' : 'made', detail: null, tries: 0 }).execute();
      return;
    }
    const wait = backOffDelay(retry, entry.tries + 1, Math.random());
    const mayHaveArrived = !isRefusal(report) && report.verdict !== 'failed' && mayArrive.has(report.outcome);
    await row
      .set({
        tries: entry.tries + 1,
        detail: storableText(report.detail ?? '', longestDetail) || null,
        is_sent: entry.isSent || mayHaveArrived,
        next_try_at: sql<Date>`now() + ${wait}::float8 * interval '1 millisecond'`,
      })
      .execute();
  };

  return {
    async plan(isKnown) {
      await db.transaction().execute(async (trx) => {
        const rules = (await enabledWhitelistRules(trx)).filter(({ role_id }) => isKnown(role_id));
        if (rules.length === 0) return;
        await sql`
          with enabled as (select unnest(${rules.map(({ id }) => id)}::text[]) as id),
          wanted as materialized (${wantedEntries(rules)}),
          again as (${claimEntries}), gone as (
            update discord_whitelist_entries as entry
               set state = 'removing', tries = 0, next_try_at = now(), detail = null
             where (state = 'made' or state = 'adding' and is_sent) and ${isUnwanted}
          ), forgotten as (
            delete from discord_whitelist_entries as entry
             where (state = 'found' or state = 'adding' and not is_sent) and ${isUnwanted}
          )
          insert into discord_whitelist_entries (server_id, player_id, rule_id)
          select server_id, player_id, rule_id from wanted
          on conflict do nothing`.execute(trx);
      });
    },

    async carryOut(signal) {
      const due = await readDue(db);
      const byServer = Map.groupBy(due, ({ serverId }) => serverId);
      await Promise.all(
        [...byServer].map(async ([serverId, entries]) => {
          for (const entry of entries.slice(0, mostAtOnce)) {
            if (signal.aborted || !isOnline(serverId)) return;
            const action = entry.state === 'adding' ? 'whitelist-add' : 'whitelist-remove';
            // Before it leaves: a process that dies here may have sent it. An entry that is gone now, or whose rule is
            // off, is left alone.
            const { numUpdatedRows } = await db
              .updateTable('discord_whitelist_entries')
              .set({ is_sent: true })
              .where('server_id', '=', entry.serverId)
              .where('player_id', '=', entry.playerId)
              .where('state', '=', entry.state)
              .where('rule_id', 'in', (rules) =>
                rules.selectFrom('discord_role_rules').select('id').where('is_enabled', '=', true),
              )
              .executeTakeFirstOrThrow();
            if (numUpdatedRows === 0n) continue;
            await settle(entry, await order({ playerId: entry.playerId, serverId, action }));
          }
        }),
      );
    },
  };
};

interface Due {
  readonly serverId: string;
  readonly playerId: string;
  readonly state: 'adding' | 'removing';
  readonly tries: number;
  readonly isSent: boolean;
}

/** Entries of enabled rules, the longest due first. */
const readDue = async (db: Kysely<Tables>): Promise<readonly Due[]> => {
  const { rows } = await sql<Due>`
    select entry.server_id as "serverId", entry.player_id as "playerId", entry.state, entry.tries,
           entry.is_sent as "isSent"
      from discord_whitelist_entries as entry join discord_role_rules as rule on rule.id = entry.rule_id
     where entry.state in ('adding', 'removing') and entry.next_try_at <= now() and rule.is_enabled
     order by entry.next_try_at, entry.player_id`.execute(db);
  return rows;
};
