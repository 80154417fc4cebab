import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { CommandResult, GameId } from '#contracts/servers/games.ts';
import type { PlayerReference, Rendered, Verdict } from '#games/game.ts';
import { gameOf } from '#games/games.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import type { DeliveryRoutes } from '../../kernel/commands/console-router.ts';
import {
  createPlaceSender,
  endColumns,
  restMs,
  settleMarginMs,
  storeSending,
} from '../../kernel/commands/place-sender.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { decideBanPlace } from './decide-ban-place.ts';
import { isMeantFor } from './fold-bans.ts';
import { isOfGame, lastHandleIn } from './known-as.ts';

/** Where a player is now, and their name in the game. */
interface OpenSession {
  readonly serverId: string;
  readonly playerId: string;
  readonly name: string;
  readonly handle: string;
}

export interface SendBansOptions {
  readonly db: Kysely<Tables>;
  readonly ways: DeliveryRoutes;
  /** The servers in use. */
  readonly servers: { all(): readonly { readonly id: string }[] };
  readonly sessions: () => readonly OpenSession[];
  readonly now: () => Date;
  readonly stopping: AbortSignal;
  /** False while nothing may be sent: without a license, or at the end of the process. */
  readonly mayRun: () => boolean;
  readonly tell: (error: unknown) => void;
  /** Time allowed for the game's reply. */
  readonly answerMs: number;
}

const prefix = 'ban';
const retry = { firstMs: 15_000, mostMs: 3_600_000, jitter: 0.2 } as const;

interface Place {
  readonly id: string;
  readonly serverId: string;
  readonly playerId: string;
  readonly game: GameId;
  readonly wanted: Tables['ban_places']['wanted'];
  readonly known: 'never' | 'unsure' | 'banned' | 'free';
  readonly certainty: Tables['ban_places']['certainty'];
  readonly tries: number;
  readonly isSent: boolean;
  readonly isSettled: boolean;
  readonly change: Tables['ban_places']['change'];
  readonly commandId: string | null;
  readonly command: string | null;
  readonly nextTryAt: Date;
  readonly listedAs: string | null;
  readonly name: string;
  readonly platformId: string | null;
  /** The name that this game's commands last used for the player. */
  readonly lastHandle: string | null;
  /** The name belongs to this game. */
  readonly isNamed: boolean;
  /** The reason of the newest ban that holds there. */
  readonly why: string | null;
}

const readPlace = async (trx: Kysely<Tables>, id: string): Promise<Place | null> => {
  const { rows } = await sql<Place>`
    select place.id, place.server_id as "serverId", place.player_id as "playerId", server.game, place.wanted, place.known,
           place.certainty, place.tries, place.is_sent as "isSent", place.is_settled as "isSettled", place.change,
           place.command_id as "commandId", place.command, place.next_try_at as "nextTryAt", place.listed_as as "listedAs",
           player.name, player.platform_id as "platformId", ${lastHandleIn(sql`server.game`)} as "lastHandle",
           ${isOfGame(sql`server.game`)} as "isNamed",
           (select ban.reason from bans as ban join players as banned on banned.id = ban.player_id
              left join ban_servers as listed on listed.ban_id = ban.id and listed.server_id = server.id
             where banned.member_id = player.member_id and ban.game = server.game and ban.ended_at is null and ${isMeantFor}
             order by (banned.id = player.id) desc, ban.id desc limit 1) as why
      from ban_places as place
      join game_servers as server on server.id = place.server_id
      join players as player on player.id = place.player_id
     where place.id = ${id} for update of place`.execute(trx);
  return rows[0] ?? null;
};

/** Sends bans, and their ends, to the servers, and finds out how that went. */
export const createSendBans = (options: SendBansOptions) => {
  const { db, ways, servers, sessions, now, answerMs } = options;

  const referenceTo = (place: Place): PlayerReference => {
    const { playerId, serverId, name, platformId, isNamed, lastHandle, listedAs } = place;
    const session = sessions().find((one) => one.serverId === serverId && one.playerId === playerId);
    const handle = session?.handle || lastHandle;
    return {
      name: session?.name ?? (isNamed ? name : undefined),
      platformId: platformId ?? undefined,
      handle: handle ?? undefined,
      ...(listedAs !== null && { listedAs }),
    };
  };

  const render = (place: Place, change: 'ban' | 'unban'): Rendered => {
    const { actions } = gameOf(place.game);
    const player = referenceTo(place);
    if (change === 'unban')
      return actions.unban?.render({ player }) ?? { refused: reasons['command-unknown'] };
    return (
      actions.ban?.render({ player, reason: place.why ?? '' }) ?? { refused: reasons['command-unknown'] }
    );
  };

  const read = (place: Place, result: CommandResult | null): Verdict | null => {
    if (result?.outcome !== 'answered' || place.change === null) return null;
    const { actions } = gameOf(place.game);
    const player = referenceTo(place);
    const reply = result.reply ?? '';
    const verdict =
      place.change === 'ban'
        ? actions.ban?.read(reply, { player, reason: place.why ?? '' })
        : actions.unban?.read(reply, { player });
    return verdict ?? null;
  };

  const waitMs = (next: 'at-once' | 'rest' | 'back-off', tries: number): number =>
    next === 'at-once' ? 0 : next === 'rest' ? restMs : backOffDelay(retry, tries, Math.random());

  const claim = ({ id }: { readonly id: string }) =>
    retryDeadlocks(db, async (trx) => {
      const place = await readPlace(trx, id);
      if (!place || place.isSent || place.isSettled || place.nextTryAt > now()) return null;
      const way = ways.open(place.serverId)?.way;
      if (way === undefined) return null;
      const change = place.wanted === 'banned' ? 'ban' : 'unban';
      const rendered = render(place, change);
      const row = trx.updateTable('ban_places').where('id', '=', place.id);
      if ('refused' in rendered) {
        const tries = place.tries + 1;
        await row
          .set({
            is_refused: true,
            tries,
            detail: rendered.refused,
            next_try_at: new Date(now().getTime() + waitMs('back-off', tries)),
          })
          .execute();
        return null;
      }
      const { command } = rendered;
      return storeSending(trx, ways, { prefix, place, way, command, answerMs, now: now() }, (columns) =>
        row.set({ ...columns, change }).execute(),
      );
    });

  const settle = ({ id }: { readonly id: string }, commandId: string, result: CommandResult | null) =>
    retryDeadlocks(db, async (trx) => {
      const place = await readPlace(trx, id);
      if (!place || place.change === null || place.commandId !== commandId) return;
      // Its end was stored: only a lost one needs another command.
      if (!place.isSent && place.known !== 'unsure') return;
      const verdict = read(place, result);
      const { change, known, certainty } = place;
      const decision = decideBanPlace({
        change,
        known,
        certainty,
        result,
        verdict: verdict?.verdict ?? null,
      });
      const game = gameOf(place.game);
      const isHelped = decision.next !== 'back-off';
      const tries = decision.next === 'at-once' ? 0 : isHelped ? place.tries : place.tries + 1;
      const isProven = verdict?.verdict === 'done';
      const said =
        change === 'ban' && isProven
          ? (game.bannedAs?.(result?.reply ?? '', referenceTo(place)) ?? null)
          : null;
      const listedAs = !isProven
        ? place.listedAs
        : // An earlier ban that was lost may be there under another id.
          change === 'ban' && known === 'unsure' && said !== place.listedAs
          ? null
          : said;
      await trx
        .updateTable('ban_places')
        .set({
          ...endColumns(place.game, place.command, result),
          known: decision.known,
          certainty: decision.certainty,
          ...(decision.next === 'at-once' && { known_at: now() }),
          is_refused: decision.isRefused,
          tries,
          next_try_at: new Date(now().getTime() + waitMs(decision.next, tries)),
          detail: decision.isLost ? reasons['taking-lost'] : (verdict?.reason ?? null),
          ...(decision.next === 'at-once' && { listed_as: listedAs }),
        })
        .where('id', '=', place.id)
        .execute();
    });

  const sender = createPlaceSender<{ readonly id: string }>({
    ...options,
    prefix,
    table: 'ban_places',
    columns: sql`id`,
    isOpen: sql`not is_settled`,
    clockMarginMs: answerMs + settleMarginMs,
    claim,
    settle,
  });
  return {
    ...sender,
    /** Starts with what is due on servers that are there, and does not wait for its end. */
    async sendDue(): Promise<void> {
      const there = servers.all().filter(({ id }) => ways.open(id) !== null);
      if (there.length === 0) return;
      // One index lookup for each: servers that are away may have very many places.
      const { rows } = await sql<{ readonly id: string }>`
        select server.id from unnest(${there.map(({ id }) => id)}::text[]) as server (id)
         where exists (select from ban_places as place
                        where place.server_id = server.id and not place.is_settled and not place.is_sent
                          and place.next_try_at <= ${now()})`.execute(db);
      sender.sendDue(rows.map(({ id }) => id));
    },
  };
};
