import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import {
  type CommandResult,
  type GameId,
  longestLogLine,
  longestReply,
  withoutReply,
} from '#contracts/games.ts';
import { reasons } from '#contracts/reasons.ts';
import type { PlayerReference, Rendered, Verdict } from '#games/game.ts';
import { gameOf } from '#games/games.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import type { DeliveryRoutes } from '../console-router/console-router.ts';
import type { PreparedSending } from '../console-router/routes.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { retryDeadlocks } from '../database/retry-deadlocks.ts';
import { storableText } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import type { BanPlacesTable } from './bans.tables.ts';
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
  readonly answerMs?: number | undefined;
}

/** Sends bans, and their ends, to the servers, and finds out how that went. */
export interface SendBans {
  /** Starts with what is due on servers that are there, and does not wait for its end. */
  sendDue(): Promise<void>;
  /** Does the same with what an earlier process has sent. */
  recover(): Promise<void>;
  /** Sends one place immediately, if its server is there, and waits for the reply. */
  bring(placeId: string): Promise<void>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
  /** @returns whether the command is one of these */
  takeLate(serverId: string, commandId: string, result: CommandResult): Promise<boolean>;
}

/** Per round and server. */
const mostAtOnce = 50;
const usualAnswerMs = 15_000;
const lookMs = 500;
const retry = { firstMs: 15_000, mostMs: 3_600_000, jitter: 0.2 } as const;
/** For a server that is there and took nothing. */
const restMs = 15_000;
/** During this time, the process that sent a command may still store how it ended. */
const marginMs = 5000;

/** Random, not counted: after a restore of the database an agent would know a repeated number. At most 64 characters. */
const newCommandId = (placeId: string): string => `ban.${placeId}.${randomBytes(8).toString('hex')}`;
const commandIdShape = /^ban\.([0-9a-f-]{36})\.[0-9a-f]{16}$/;

interface Place {
  readonly id: string;
  readonly serverId: string;
  readonly playerId: string;
  readonly game: GameId;
  readonly wanted: BanPlacesTable['wanted'];
  readonly known: 'never' | 'unsure' | 'banned' | 'free';
  readonly certainty: BanPlacesTable['certainty'];
  readonly tries: number;
  readonly isSent: boolean;
  readonly isSettled: boolean;
  readonly change: BanPlacesTable['change'];
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

export const createSendBans = (options: SendBansOptions): SendBans => {
  const { db, ways, servers, sessions, now, stopping, mayRun, tell, answerMs = usualAnswerMs } = options;
  /** Sent by this process, which waits for their ends. */
  const underWay = new Map<string, Promise<boolean>>();
  /** A game that replies late delays no other one. */
  const lanes = new Map<string, Promise<void>>();
  const recovering = new Map<string, Promise<void>>();
  const begin = (into: Map<string, Promise<void>>, key: string, work: () => Promise<void>) => {
    if (into.has(key)) return;
    const guarded = work()
      .catch(tell)
      .finally(() => into.delete(key));
    into.set(key, guarded);
  };

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

  const claim = (placeId: string) =>
    retryDeadlocks(db, async (trx) => {
      const place = await readPlace(trx, placeId);
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
      const id = newCommandId(place.id);
      // Before it leaves: a process that dies here may have sent it.
      await row
        .set({
          is_sent: true,
          change,
          command_id: id,
          way,
          sent_at: now(),
          command: gameOf(place.game).maskCommand(command),
          outcome: null,
          reply: null,
        })
        .execute();
      const [sending] = await ways.prepare(trx, [
        { id, serverId: place.serverId, way, command, timeoutMs: answerMs },
      ]);
      return sending ? { id, sending } : null;
    });

  const settle = (placeId: string, commandId: string, result: CommandResult | null) =>
    retryDeadlocks(db, async (trx) => {
      const place = await readPlace(trx, placeId);
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
      const kept = (text: string | null | undefined, most: number) =>
        text == null ? null : storableText(game.maskReply(place.command ?? '', text), most);
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
          is_sent: false,
          known: decision.known,
          certainty: decision.certainty,
          ...(decision.next === 'at-once' && { known_at: now() }),
          is_refused: decision.isRefused,
          tries,
          next_try_at: new Date(now().getTime() + waitMs(decision.next, tries)),
          outcome: result?.outcome ?? 'unknown',
          reply: kept(result?.reply, longestReply) ?? kept(result?.logLine, longestLogLine),
          detail: decision.isLost ? reasons['taking-lost'] : (verdict?.reason ?? null),
          ...(decision.next === 'at-once' && { listed_as: listedAs }),
        })
        .where('id', '=', place.id)
        .execute();
    });

  /** Only this process holds the reply, so it waits for the database rather than lose it. */
  const whenThere = async (work: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        if (!isDatabaseUnavailable(error) || stopping.aborted) throw error;
        await delay(lookMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  };

  const send = async (placeId: string): Promise<boolean> => {
    const claimed = await claim(placeId);
    if (!claimed) return false;
    const result = await run(claimed.sending);
    // Cut off by our own shutdown: the next process recovers it.
    if (stopping.aborted && result.outcome !== 'answered' && result.sent) return true;
    await whenThere(() => settle(placeId, claimed.id, result));
    return true;
  };

  /** @returns whether a command was sent */
  const carryOut = (placeId: string): Promise<boolean> => {
    const running = underWay.get(placeId);
    if (running) return running;
    const sending = send(placeId).finally(() => underWay.delete(placeId));
    underWay.set(placeId, sending);
    return sending;
  };

  const readDue = (serverId: string) =>
    db
      .selectFrom('ban_places')
      .select('id')
      .where('is_settled', '=', false)
      .where('is_sent', '=', false)
      .where('server_id', '=', serverId)
      .where('next_try_at', '<=', now())
      .orderBy('next_try_at')
      .orderBy('id')
      .limit(mostAtOnce)
      .execute();

  /** Until nothing is due there. */
  const sendOn = async (serverId: string): Promise<void> => {
    for (let hasSent = true; hasSent; ) {
      hasSent = false;
      for (const { id } of await readDue(serverId)) {
        if (!mayRun() || ways.open(serverId) === null) return;
        if (await carryOut(id)) hasSent = true;
      }
    }
  };

  return {
    async sendDue() {
      const there = servers.all().filter(({ id }) => ways.open(id) !== null);
      if (there.length === 0) return;
      // One index lookup for each: servers that are away may have very many places.
      const { rows } = await sql<{ readonly id: string }>`
        select server.id from unnest(${there.map(({ id }) => id)}::text[]) as server (id)
         where exists (select from ban_places as place
                        where place.server_id = server.id and not place.is_settled and not place.is_sent
                          and place.next_try_at <= ${now()})`.execute(db);
      for (const { id } of rows) begin(lanes, id, () => sendOn(id));
    },
    async recover() {
      const at = now().getTime();
      const patienceMs = answerMs + marginMs;
      const sent = await db
        .selectFrom('ban_places')
        .select(['id', 'server_id', 'command_id', 'way'])
        .where('is_sent', '=', true)
        // A time far ahead was left behind by a clock that was set back; a little ahead comes from another process's clock.
        .where((row) =>
          row.or([
            row('sent_at', '<=', new Date(at - patienceMs)),
            row('sent_at', '>', new Date(at + patienceMs)),
          ]),
        )
        .execute();
      for (const { id, server_id, command_id, way } of sent) {
        if (underWay.has(id) || command_id === null || way === null) continue;
        begin(recovering, id, async () => {
          await settle(id, command_id, await ways.resultOf(server_id, way, command_id));
        });
      }
    },
    async bring(placeId) {
      if (mayRun()) await carryOut(placeId);
    },
    async idle() {
      while (lanes.size + recovering.size > 0) await Promise.all([...lanes.values(), ...recovering.values()]);
    },
    async takeLate(serverId, commandId, result) {
      const [, placeId] = commandIdShape.exec(commandId) ?? [];
      if (placeId === undefined) return false;
      const place = await db
        .selectFrom('ban_places')
        .select('id')
        .where('id', '=', placeId)
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      // What it says is known already, or its sender is waiting for it.
      if (place && !underWay.has(place.id) && !recovering.has(place.id))
        await settle(place.id, commandId, result);
      return true;
    },
  };
};

const lostInside = withoutReply('unknown', true);
const run = (sending: PreparedSending): Promise<CommandResult> => sending.run().catch(() => lostInside);
