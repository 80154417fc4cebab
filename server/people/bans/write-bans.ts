import { type Kysely, type RawBuilder, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { NewBan } from '#contracts/people/bans.ts';
import { type Actor, actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { scopeOf } from '../../kernel/access/player-scope.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse, refuseField } from '../../kernel/http/refusal.ts';
import { foldMember, foldPlayer, isMeantFor } from './fold-bans.ts';
import {
  type LockedBan,
  readPlayer,
  readTarget,
  refuseBan,
  refuseCommand,
  type Target,
} from './who-may-ban.ts';

type Trx = Kysely<Tables>;

/** What people decide about bans; each decision is one transaction with its audit row. @returns the ban's id */
export const createWriteBans = ({
  db,
  now,
  onChange,
}: {
  readonly db: Kysely<Tables>;
  readonly now: () => Date;
  readonly onChange: () => void;
}) => {
  const change = <Result>(work: (trx: Trx) => Promise<Result>): Promise<Result> =>
    retryDeadlocks(db, work).finally(onChange);

  /** @param work returns null where the ban itself is the answer */
  const changeBan = (
    banId: string,
    by: AuditContext,
    work: (trx: Trx, ban: LockedBan) => Promise<string | Refusal | null>,
  ): Promise<string | Refusal> =>
    change(async (trx) => {
      const ban = await lockBanOfPlayer(trx, banId);
      if (!ban) return refuse('NOT_FOUND');
      const refusal = await refuseBan(trx, by.actor, ban);
      return refusal ?? (await work(trx, ban)) ?? banId;
    });

  return {
    give: (playerId: string, wanted: NewBan, by: AuditContext): Promise<string | Refusal> =>
      change(async (trx) => {
        const scope = scopeOf(by.actor, ['players.read', 'players.write']);
        const player = await readPlayer(trx, scope, playerId);
        if (!player) return refuse('NOT_FOUND');
        const target = await readTarget(trx, player, wanted, by.actor);
        if (isRefusal(target)) return target;
        const at = now();
        const until = wanted.until === null ? null : new Date(wanted.until);
        if (until && until <= at) return refuseField('body.until', reasons['ban-until-past']);
        const refused = await refuseCommand(trx, player, target.game, wanted.reason);
        if (refused) return refused;
        const { reason } = wanted;
        await lockBansOf(trx, playerId);
        const former = await findSame(trx, playerId, target);
        const isEverywhere = target.serverIds === null;
        const stored = { game: target.game, isEverywhere, reason, until: wanted.until };
        const audit = { ...by, action: 'players.ban' as const, target: `player:${playerId}` };
        if (former) {
          // Pressed twice, or phrased better: one ban.
          const before = await renew(trx, former, { reason, until });
          if (!before) return former.id;
          const after = { banId: former.id, ...stored, servers: await serversOf(trx, former.id, isMeantFor) };
          await recordAudit(trx, { ...audit, before, after });
          return former.id;
        }
        const { id } = await trx
          .insertInto('bans')
          .values({
            player_id: playerId,
            player_name: player.name,
            platform_id: player.platform_id,
            game: target.game,
            is_everywhere: isEverywhere,
            reason,
            banned_at: at,
            actor: actorReference(by.actor),
            actor_name: by.actor.name,
            until,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        if (target.serverIds)
          await trx
            .insertInto('ban_servers')
            .values(target.serverIds.map((server_id) => ({ ban_id: id, server_id, lifted_at: null })))
            .execute();
        await foldMember(trx, playerId, at);
        const after = { banId: id, ...stored, servers: await serversOf(trx, id, isMeantFor) };
        await recordAudit(trx, { ...audit, after });
        return id;
      }),

    lift: (banId: string, by: AuditContext): Promise<string | Refusal> =>
      changeBan(banId, by, async (trx, ban) => {
        if (ban.ended_at !== null) return null;
        await end(trx, ban, now(), by.actor);
        await recordAudit(trx, {
          ...by,
          action: 'players.unban',
          target: ban.player_id && `player:${ban.player_id}`,
          before: {
            banId,
            game: ban.game,
            reason: ban.reason,
            servers: await serversOf(trx, banId, isMeantFor),
          },
        });
        return null;
      }),

    /** Lifts every ban of the player's member, on this server alone. @returns how many there were */
    liftOn: (playerId: string, serverId: string, by: AuditContext): Promise<number | Refusal> =>
      change(async (trx) => {
        await lockBansOf(trx, playerId);
        const at = now();
        const { rows } = await sql<{ readonly id: string; readonly is_everywhere: boolean }>`
          select ban.id, ban.is_everywhere from bans as ban
            join players as banned on banned.id = ban.player_id
            join players as player on player.member_id = banned.member_id
            join game_servers as server on server.game = ban.game
            left join ban_servers as listed on listed.ban_id = ban.id and listed.server_id = server.id
           where player.id = ${playerId} and server.id = ${serverId} and ban.ended_at is null and ${isMeantFor}
           order by ban.id for update of ban`.execute(trx);
        for (const { id, is_everywhere } of rows) {
          await sql`
            insert into ban_servers (ban_id, server_id, lifted_at) values (${id}, ${serverId}, ${at})
            on conflict (ban_id, server_id) do update set lifted_at = ${at}`.execute(trx);
          const ban = await lockBan(trx, id);
          if (ban && !is_everywhere && (await serversOf(trx, id, isMeantFor)).length === 0)
            await end(trx, ban, at, by.actor);
        }
        await foldMember(trx, playerId, at);
        await recordAudit(trx, {
          ...by,
          action: 'players.unban',
          target: `player:${playerId}`,
          before: { bans: rows.map(({ id }) => id) },
          after: { servers: [serverId] },
        });
        return rows.length;
      }),

    /** An equal ban that was given since gets its reason and its end. @returns the id of that one, or its own */
    restore: (banId: string, by: AuditContext): Promise<string | Refusal> =>
      changeBan(banId, by, async (trx, ban) => {
        if (ban.ended_at === null) return null;
        const { player_id: playerId, game, reason, until } = ban;
        const at = now();
        if (playerId === null) return refuse('CONFLICT', reasons['ban-player-erased']);
        if (ban.ended_how === 'expired' || (until && until <= at))
          return refuse('CONFLICT', reasons['ban-over']);
        const audit = {
          ...by,
          action: 'players.restore-ban' as const,
          target: `player:${playerId}`,
        };
        const equal = await findSame(trx, playerId, await formerTarget(trx, ban));
        if (equal) {
          const before = await renew(trx, equal, { reason, until });
          if (!before) return equal.id;
          const servers = await serversOf(trx, equal.id, isMeantFor);
          await recordAudit(trx, { ...audit, before, after: { banId: equal.id, game, reason, servers } });
          return equal.id;
        }
        await trx
          .updateTable('ban_servers')
          .set({ lifted_at: null })
          .where('ban_id', '=', banId)
          .where('lifted_at', '=', ban.ended_at)
          .execute();
        await trx
          .updateTable('bans')
          .set({ ended_at: null, ended_how: null, ended_actor: null, ended_actor_name: null })
          .where('id', '=', banId)
          .execute();
        await foldMember(trx, playerId, at);
        const servers = await serversOf(trx, banId, isMeantFor);
        await recordAudit(trx, { ...audit, after: { banId, game, reason, servers } });
        return null;
      }),

    /** Everything that is wanted is sent once more. */
    sendAgain: (banId: string, by: AuditContext): Promise<string | Refusal> =>
      changeBan(banId, by, async (trx, ban) => {
        if (ban.player_id === null) return null;
        const at = now();
        // A server that was set up again, or restored, may have lost its list: what it said before no longer proves anything.
        await sql`
          update ban_places as place
             set next_try_at = ${at}, tries = 0,
                 known = case when place.known in ('banned', 'free') then 'unsure' else place.known end, certainty = null
            from players as player, players as banned, game_servers as server, bans as ban
            left join ban_servers as listed on listed.ban_id = ban.id
           where ban.id = ${banId} and banned.id = ban.player_id and player.member_id = banned.member_id
             and place.player_id = player.id and server.id = place.server_id and server.game = ban.game
             and (ban.is_everywhere or listed.server_id = place.server_id) and not place.is_sent`.execute(
          trx,
        );
        await recordAudit(trx, {
          ...by,
          action: 'players.send-ban',
          target: `player:${ban.player_id}`,
          after: { banId, servers: await serversOf(trx, banId, isOrWasMeantFor) },
        });
        return null;
      }),
  };
};

const lockBan = (trx: Trx, id: string): Promise<LockedBan | undefined> =>
  trx
    .selectFrom('bans')
    .select(['id', 'player_id', 'game', 'is_everywhere', 'reason', 'until', 'ended_at', 'ended_how'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** A second writer of the same player waits. */
const lockBansOf = (trx: Trx, playerId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('castellan-bans-' || ${playerId}::text, 0))`.execute(trx);

/** The ban, after the lock that giving one takes. */
const lockBanOfPlayer = async (trx: Trx, id: string): Promise<LockedBan | undefined> => {
  const found = await trx.selectFrom('bans').select('player_id').where('id', '=', id).executeTakeFirst();
  if (found?.player_id) await lockBansOf(trx, found.player_id);
  const ban = await lockBan(trx, id);
  // A better identified row has replaced the player since.
  if (ban?.player_id && ban.player_id !== found?.player_id) await lockBansOf(trx, ban.player_id);
  return ban;
};

const isOrWasMeantFor = sql<boolean>`(ban.is_everywhere or listed.server_id is not null)`;

/** The audit log is searched by these; for a ban on all servers, archived ones are left out. */
const serversOf = async (trx: Trx, banId: string, which: RawBuilder<boolean>): Promise<readonly string[]> => {
  const { rows } = await sql<{ readonly id: string }>`
    select server.id from bans as ban join game_servers as server on server.game = ban.game
      left join ban_servers as listed on listed.ban_id = ban.id and listed.server_id = server.id
     where ban.id = ${banId} and ${which} and (server.archived_at is null or not ban.is_everywhere)
     order by server.id`.execute(trx);
  return rows.map(({ id }) => id);
};

const end = async (trx: Trx, ban: LockedBan, at: Date, actor: Actor): Promise<void> => {
  await trx
    .updateTable('bans')
    .set({
      ended_at: at,
      ended_how: 'lifted',
      ended_actor: actorReference(actor),
      ended_actor_name: actor.name,
    })
    .where('id', '=', ban.id)
    .execute();
  if (ban.player_id !== null) await foldMember(trx, ban.player_id, at);
};

/** Ends expired bans; what that means for places follows from the news. @returns how many */
export const endExpired = async (db: Kysely<Tables>, now: Date): Promise<number> => {
  const { numAffectedRows } = await sql`
    update bans set ended_at = until, ended_how = 'expired' where ended_at is null and until <= ${now}
       and until <= ${now}::timestamptz - castellan_unproven_time(banned_at)`.execute(db);
  return Number(numAffectedRows ?? 0n);
};

/** @returns whether there may be more */
export const foldNews = async (db: Kysely<Tables>, now: Date, most: number): Promise<boolean> => {
  const news = await db
    .selectFrom('ban_news')
    .select('player_id')
    .distinct()
    .orderBy('player_id')
    .limit(most)
    .execute();
  for (const { player_id } of news) await retryDeadlocks(db, (trx) => foldPlayer(trx, player_id, now));
  return news.length === most;
};

/** What an ended ban applied to; an exception from a ban on all servers stays one. */
const formerTarget = async (trx: Trx, ban: LockedBan): Promise<Target> => {
  const rows = await trx
    .selectFrom('ban_servers')
    .select('server_id')
    .where('ban_id', '=', ban.id)
    .where((row) => row.or([row('lifted_at', 'is', null), row('lifted_at', '=', ban.ended_at)]))
    .execute();
  const serverIds = rows.map(({ server_id }) => server_id).sort();
  return { game: ban.game, serverIds: ban.is_everywhere ? null : serverIds };
};

/** @returns what was stored before; null: the same */
const renew = async (
  trx: Trx,
  former: SameBan,
  { reason, until }: { readonly reason: string; readonly until: Date | null },
) => {
  if (former.reason === reason && former.until?.getTime() === until?.getTime()) return null;
  await trx.updateTable('bans').set({ reason, until }).where('id', '=', former.id).execute();
  return { reason: former.reason, until: former.until?.toISOString() ?? null };
};

interface SameBan {
  readonly id: string;
  readonly reason: string;
  readonly until: Date | null;
}

const findSame = async (
  trx: Trx,
  playerId: string,
  { game, serverIds }: Target,
): Promise<SameBan | undefined> => {
  const { rows } = await sql<SameBan>`
    select ban.id, ban.reason, ban.until from bans as ban
     where ban.player_id = ${playerId} and ban.game = ${game} and ban.ended_at is null
       and ban.is_everywhere = ${serverIds === null}
       and coalesce((select array_agg(server_id order by server_id collate "C") from ban_servers
                      where ban_id = ban.id and (lifted_at is null or ban.is_everywhere)), '{}') = ${serverIds ?? []}::text[]
     order by ban.id for update limit 1`.execute(trx);
  return rows[0];
};
