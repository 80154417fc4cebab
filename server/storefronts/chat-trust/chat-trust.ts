import { type Selectable, sql } from 'kysely';
import { type ChatTrust, type Newcomer, newcomerHours } from '#contracts/storefronts/chat-trust.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { StorefrontContext } from '../storefront-context.ts';

/** A player on a server. */
export interface Speaker {
  readonly playerId: string;
  readonly serverId: string;
}

/** What a player may do by chat: everything, or nothing that spends or links, since the server is not trusted or they are new there. */
type ChatStatus = 'trusted' | 'untrusted' | 'newcomer';

const hourMs = 3_600_000;

/**
 * Whose word counts: anyone who controls a server can say that any player is there, and what they type. So a server's chat
 * spends and links only where a person trusts that server, and only for players whom it has shown for a day.
 */
export type ChatTrusts = ReturnType<typeof createChatTrusts>;

export const createChatTrusts = ({
  db,
  newcomerMs = newcomerHours * hourMs,
}: Pick<StorefrontContext, 'db' | 'newcomerMs'>) => {
  /** A session that began a day ago, and under the server's present address and agent. What was recorded counts, not what the game says. */
  const isSettled = sql<boolean>`
    exists (
      select from player_sessions as stay
      where stay.player_id = player.id and stay.server_id = server.id
        and coalesce(stay.recorded_at, stay.joined_at) <= now() - ${newcomerMs}::float8 * interval '1 millisecond'
        and coalesce(stay.recorded_at, stay.joined_at) >= coalesce(trust.origin_since, '-infinity')
    ) or exists (
      select from chat_confirmed_players as known
      where known.player_id = player.id and known.server_id = server.id
        and known.confirmed_at >= coalesce(trust.origin_since, '-infinity'))`;

  return {
    async statusOf({ playerId, serverId }: Speaker): Promise<ChatStatus> {
      const { rows } = await sql<{ isSettled: boolean }>`
        select ${isSettled} as "isSettled"
        from chat_trusts as trust join game_servers as server on server.id = trust.server_id, players as player
        where trust.server_id = ${serverId} and trust.is_trusted and player.id = ${playerId}`.execute(db);
      const [found] = rows;
      if (!found) return 'untrusted';
      return found.isSettled ? 'trusted' : 'newcomer';
    },

    async list(): Promise<ChatTrust[]> {
      const { rows } = await sql<{ id: string } & { [Name in keyof TrustRow]: TrustRow[Name] | null }>`
        select server.id, trust.* from game_servers as server left join chat_trusts as trust on trust.server_id = server.id
        where server.archived_at is null order by server.name_key, server.id`.execute(db);
      return rows.map((row) => toChatTrust(row.id, row.server_id === null ? undefined : (row as TrustRow)));
    },

    set: (
      serverId: string,
      { version, isTrusted }: { readonly version: number; readonly isTrusted: boolean },
      by: AuditContext,
    ): Promise<ChatTrust | Refusal> =>
      db.transaction().execute(async (trx) => {
        const server = await trx
          .selectFrom('game_servers')
          .select('id')
          .where('id', '=', serverId)
          // Its address does not change in between.
          .forUpdate()
          .executeTakeFirst();
        if (!server) return refuse('NOT_FOUND');
        const before = await trx
          .selectFrom('chat_trusts')
          .selectAll()
          .where('server_id', '=', serverId)
          .forUpdate()
          .executeTakeFirst();
        if ((before?.version ?? 0) !== version) return refuse('CONFLICT');
        const set = {
          is_trusted: isTrusted,
          is_unreviewed: false,
          ended_by: null,
          changed_at: sql<Date>`now()`,
          version: version + 1,
        };
        const row = await trx
          .insertInto('chat_trusts')
          .values({ server_id: serverId, ...set })
          .onConflict((conflict) => conflict.column('server_id').doUpdateSet(set))
          .returningAll()
          .executeTakeFirstOrThrow();
        await recordAudit(trx, {
          ...by,
          action: 'servers.trust-chat',
          target: `server:${serverId}`,
          before: { isTrusted: before?.is_trusted ?? false },
          after: { isTrusted },
        });
        return toChatTrust(serverId, row);
      }),

    /** The player, or the member's players, on trusted servers where they are now as newcomers. */
    async newcomers(who: { readonly playerId: string } | { readonly memberId: string }): Promise<Newcomer[]> {
      const isWho =
        'playerId' in who ? sql`player.id = ${who.playerId}` : sql`player.member_id = ${who.memberId}`;
      const { rows } = await sql<Newcomer>`
        select player.id as "playerId", player.name as "playerName", server.id as "serverId", server.name as "serverName"
        from players as player
          join player_sessions as here on here.player_id = player.id and here.left_at is null
          join chat_trusts as trust on trust.server_id = here.server_id and trust.is_trusted
          join game_servers as server on server.id = here.server_id and server.archived_at is null
        where ${isWho} and not (${isSettled})
        order by server.name_key, player.name`.execute(db);
      return rows;
    },

    /** @param memberId the player must be this member's; null: anyone's */
    confirm: (
      { playerId, serverId }: Speaker,
      memberId: string | null,
      by: AuditContext,
    ): Promise<Refusal | null> =>
      db.transaction().execute(async (trx) => {
        const { rows } = await sql`
          insert into chat_confirmed_players (player_id, server_id)
          select player.id, server.id from players as player, game_servers as server
          where player.id = ${playerId} and server.id = ${serverId}
            and (${memberId}::bigint is null or player.member_id = ${memberId}::bigint)
            and exists (select from player_sessions where player_id = player.id and server_id = server.id)
          on conflict (player_id, server_id) do update set confirmed_at = now()
          returning player_id`.execute(trx);
        if (rows.length === 0) return refuse('NOT_FOUND');
        await recordAudit(trx, {
          ...by,
          action: 'players.confirm-for-chat',
          target: `player:${playerId}`,
          after: { serverId },
        });
        return null;
      }),
  };
};

type TrustRow = Selectable<Tables['chat_trusts']>;

const toChatTrust = (serverId: string, row: TrustRow | undefined): ChatTrust => ({
  serverId,
  isTrusted: row?.is_trusted ?? false,
  isUnreviewed: row?.is_unreviewed ?? false,
  endedBy: row?.ended_by ?? null,
  changedAt: row?.changed_at.toISOString() ?? null,
  version: row?.version ?? 0,
});
