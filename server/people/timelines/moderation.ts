import { type RawBuilder, sql } from 'kysely';
import type { BanEnd } from '#contracts/people/bans.ts';
import { toldCommands } from '#contracts/people/timelines.ts';
import type { CommandOutcome, GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import type { PlayerScope } from '../../kernel/access/player-scope.ts';
import {
  inScope,
  newestOf,
  type SourceBounds,
  type Subject,
  type TimelineSource,
  toldBy,
  toldById,
} from './timeline-source.ts';

/** A ban is visible to those who see a server it applies to. */
const isVisible = (scope: PlayerScope): RawBuilder<unknown> =>
  scope === null
    ? sql`true`
    : sql`exists (
        select from game_servers as server
        left join ban_servers as listed on listed.ban_id = bans.id and listed.server_id = server.id
        where server.game = bans.game and ${inScope(scope, sql`server.id`)}
          and (bans.is_everywhere or listed.server_id is not null))`;

const bansBy =
  (at: RawBuilder<unknown>, where: RawBuilder<unknown>) => (subject: Subject, bounds: SourceBounds) =>
    newestOf(
      {
        table: sql`bans`,
        owner: sql`player_id`,
        owners: subject.bannedPlayerIds,
        ownerType: 'bigint',
        at,
        id: sql`id`,
        where: sql`${where} and ${isVisible(subject.bans)}`,
      },
      bounds,
    );

export const bansGiven: TimelineSource = {
  rank: 3,
  kind: 'moderation',
  newest: bansBy(sql`banned_at`, sql`true`),
  async tell(db, subject, ids) {
    const { rows } = await sql<{
      readonly id: string;
      readonly game: GameId;
      readonly is_everywhere: boolean;
      readonly server_ids: string[];
      readonly reason: string;
      readonly until: Date | null;
      readonly actor: string;
      readonly actor_name: string | null;
    }>`
      select id, game, is_everywhere, reason, until, actor, actor_name, array(
          select server_id from ban_servers as listed
          where listed.ban_id = bans.id and not bans.is_everywhere and ${inScope(subject.bans, sql`listed.server_id`)}
          order by server_id
        ) as server_ids
      from bans where id = any (${ids}::bigint[])`.execute(db);
    return toldById(rows, (row) => ({
      type: 'banned',
      banId: row.id,
      game: row.game,
      isEverywhere: row.is_everywhere,
      serverIds: row.server_ids,
      reason: row.reason,
      until: row.until?.toISOString() ?? null,
      by: toldBy(row),
    }));
  },
};

export const bansEnded: TimelineSource = {
  rank: 4,
  kind: 'moderation',
  newest: bansBy(sql`ended_at`, sql`ended_at is not null`),
  async tell(db, _subject, ids) {
    const { rows } = await sql<{
      readonly id: string;
      readonly game: GameId;
      readonly reason: string;
      readonly ended_how: BanEnd;
      readonly ended_actor: string | null;
      readonly ended_actor_name: string | null;
    }>`
      select id, game, reason, ended_how, ended_actor, ended_actor_name
      from bans where id = any (${ids}::bigint[]) and ended_at is not null`.execute(db);
    return toldById(rows, ({ id, game, reason, ended_how, ended_actor, ended_actor_name }) => ({
      type: 'ban-ended',
      banId: id,
      game,
      reason,
      how: ended_how,
      by: ended_actor === null ? null : { actor: ended_actor, name: ended_actor_name },
    }));
  },
};

const actions = toldCommands.map((command) => `players.${command}`);

/** Kicks and the like are in the audit log; a game's answer is in the console's history, from the same transaction. */
export const commands: TimelineSource = {
  rank: 5,
  kind: 'moderation',
  newest: ({ commands: scope, playerIds }, bounds) =>
    scope?.length === 0
      ? null
      : newestOf(
          {
            table: sql`audit_logs`,
            owner: sql`target`,
            owners: playerIds.map((id) => `player:${id}`),
            ownerType: 'text',
            at: sql`at`,
            id: sql`id`,
            where: sql`action = any (${actions}::text[]) and ${inScope(scope, sql`after -> 'servers' ->> 0`)}`,
          },
          bounds,
        ),
  async tell(db, _subject, ids) {
    const { rows } = await sql<{
      readonly id: string;
      readonly command: (typeof toldCommands)[number];
      readonly server_id: string | null;
      readonly text: string | null;
      readonly outcome: CommandOutcome | null;
      readonly reply: string | null;
      readonly game: GameId | null;
      readonly actor: string;
      readonly actor_name: string | null;
    }>`
      select act.id, substr(act.action, 9) as command, act.after -> 'servers' ->> 0 as server_id,
             nullif(act.after ->> 'text', '') as text, act.actor, act.actor_name, given.outcome, given.reply,
             server.game
      from audit_logs as act
      left join game_servers as server on server.id = act.after -> 'servers' ->> 0
      left join lateral (
        select outcome, reply from console_commands
         where server_id = server.id and at = act.at and actor = act.actor
           and command = act.after ->> 'command' limit 1) as given on true
     where act.id = any (${ids}::bigint[])`.execute(db);
    return toldById(rows, (row) => ({
      type: 'command',
      command: row.command,
      serverId: row.server_id,
      text: row.text,
      outcome: row.outcome,
      ...(row.game !== null &&
        row.outcome === 'answered' &&
        gameOf(row.game).isErrorReply(row.reply ?? '') && { gameError: true }),
      by: toldBy(row),
    }));
  },
};
