import { randomBytes } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { storableText } from '#contracts/kernel/storable-text.ts';
import {
  type CommandOutcome,
  type CommandResult,
  type GameId,
  longestLogLine,
  longestReply,
  withoutReply,
} from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { sleep } from '#runtime/sleep.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import type { Tables } from '../database/tables.ts';
import type { DeliveryRoutes } from './console-router.ts';
import type { PreparedSending } from './routes.ts';

/** A command whose row says that it is sent. */
interface Claimed {
  readonly commandId: string;
  readonly sending: PreparedSending;
}

interface PlaceSenderOptions<Place extends { readonly id: string }> {
  readonly db: Kysely<Tables>;
  readonly ways: DeliveryRoutes;
  readonly now: () => Date;
  readonly stopping: AbortSignal;
  /** False while nothing may be sent. */
  readonly mayRun: () => boolean;
  readonly tell: (error: unknown) => void;
  /** Time allowed for the game's reply. */
  readonly answerMs: number;
  /** The first part of its commands' ids. */
  readonly prefix: string;
  readonly table: 'ban_places' | 'entitlement_places';
  /** What a `Place` is read from. */
  readonly columns: RawBuilder<unknown>;
  /** Which rows want a command, unless one is under way. */
  readonly isOpen: RawBuilder<unknown>;
  /** How far ahead of this process's clock another one's may be. */
  readonly clockMarginMs: number;
  /** In one transaction, checks that the place still wants a command, and stores it by `storeSending`. */
  readonly claim: (place: Place) => Promise<Claimed | null>;
  /** In one transaction, stores how a command ended. @param result null: unknown */
  readonly settle: (place: Place, commandId: string, result: CommandResult | null) => Promise<unknown>;
}

/** Sends commands for places, each a player on a server, and finds out how they ended. */
export interface PlaceSender<Place> {
  /** Starts with what is due on servers that are there, and does not wait for its end. */
  sendDue(serverIds: readonly string[]): void;
  /** Starts to find out how commands ended that an earlier process sent, or that were sent when the database went away. */
  recover(): Promise<void>;
  /** Sends one place immediately, if its server is there, and waits for the reply. */
  bring(place: Place): Promise<void>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
  /** @returns whether the command is one of these */
  takeLate(serverId: string, commandId: string, result: CommandResult): Promise<boolean>;
}

export const usualAnswerMs = 15_000;
/** For a server that is there and took nothing. */
export const restMs = 15_000;
/** During this time, a process of the previous release, which leases nothing, may still store how its command ended. */
export const settleMarginMs = 5000;
/** Per round and server. */
const placesAtOnce = 50;
const lookMs = 500;

export const createPlaceSender = <Place extends { readonly id: string }>(
  options: PlaceSenderOptions<Place>,
): PlaceSender<Place> => {
  const { db, ways, now, stopping, mayRun, tell } = options;
  const { leases } = ways;
  const { answerMs, prefix, columns, isOpen, claim, settle } = options;
  const table = sql.table(options.table);
  const commandIdShape = new RegExp(`^${prefix}\\.([0-9a-f-]{36})\\.[0-9a-f]{16}$`);
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

  /** Only this process holds the reply, so it waits for the database rather than lose it. */
  const whenThere = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isDatabaseUnavailable(error) || stopping.aborted) throw error;
        await sleep(lookMs, stopping);
      }
    }
  };

  const send = async (place: Place): Promise<boolean> => {
    const claimed = await claim(place);
    if (!claimed) return false;
    const { commandId } = claimed;
    try {
      const result = await claimed.sending.run().catch(() => lostInside);
      const isAnswered = result.outcome === 'answered';
      // Cut off by our own shutdown: the next process recovers it.
      if (stopping.aborted && !isAnswered && result.sent) return true;
      // Another process has taken it over: only an answer is still worth anything.
      if (isAnswered || (await whenThere(() => leases.holds(commandId))))
        await whenThere(() => settle(place, commandId, result));
      return true;
    } finally {
      leases.release([commandId]);
    }
  };

  /** @returns whether a command was sent */
  const carryOut = (place: Place): Promise<boolean> => {
    const running = underWay.get(place.id);
    if (running) return running;
    const sending = send(place).finally(() => underWay.delete(place.id));
    underWay.set(place.id, sending);
    return sending;
  };

  /** Until nothing is due there. */
  const sendOn = async (serverId: string): Promise<void> => {
    for (let hasSent = true; hasSent; ) {
      hasSent = false;
      const { rows } = await sql<Place>`
        select ${columns} from ${table}
         where ${isOpen} and not is_sent and server_id = ${serverId} and next_try_at <= ${now()}
         order by next_try_at, id limit ${placesAtOnce}`.execute(db);
      for (const place of rows) {
        if (!mayRun() || ways.open(serverId) === null) return;
        if (await carryOut(place)) hasSent = true;
      }
    }
  };

  return {
    sendDue(serverIds) {
      for (const id of serverIds) begin(lanes, id, () => sendOn(id));
    },
    async recover() {
      const at = now().getTime();
      const longAgo = new Date(at - answerMs - settleMarginMs);
      // A time far ahead was left behind by a clock that was set back.
      const ahead = new Date(at + options.clockMarginMs);
      const { rows } = await sql<
        Place & {
          readonly serverId: string;
          readonly commandId: string | null;
          readonly way: 'agent' | 'direct' | null;
        }
      >`
        select ${columns}, server_id as "serverId", command_id as "commandId", way from ${table}
         where is_sent and (sent_at <= ${longAgo} or sent_at > ${ahead})`.execute(db);
      const taken = await leases.takeOver(rows.flatMap(({ commandId }) => commandId ?? []));
      for (const place of rows) {
        const { id, serverId, commandId, way } = place;
        if (commandId === null || way === null || !taken.has(commandId)) continue;
        begin(recovering, id, async () => {
          try {
            await settle(place, commandId, await ways.resultOf(serverId, way, commandId));
          } finally {
            leases.release([commandId]);
          }
        });
      }
    },
    async bring(place) {
      if (mayRun()) await carryOut(place);
    },
    async idle() {
      while (lanes.size + recovering.size > 0) await Promise.all([...lanes.values(), ...recovering.values()]);
    },
    async takeLate(serverId, commandId, result) {
      const [, placeId] = commandIdShape.exec(commandId) ?? [];
      if (placeId === undefined) return false;
      const { rows } = await sql<Place>`
        select ${columns} from ${table} where id = ${placeId} and server_id = ${serverId}`.execute(db);
      const [place] = rows;
      if (place) await settle(place, commandId, result);
      return true;
    },
  };
};

const lostInside = withoutReply('unknown', true);

/** Stores a command before it leaves: a process that dies after that may have sent it. */
export const storeSending = async (
  trx: Kysely<Tables>,
  ways: DeliveryRoutes,
  {
    prefix,
    place,
    way,
    command,
    answerMs,
    now,
  }: {
    readonly prefix: string;
    readonly place: { readonly id: string; readonly serverId: string; readonly game: GameId };
    readonly way: 'agent' | 'direct';
    readonly command: string;
    readonly answerMs: number;
    readonly now: Date;
  },
  store: (columns: {
    readonly is_sent: true;
    readonly command_id: string;
    readonly way: 'agent' | 'direct';
    readonly sent_at: Date;
    /** Masked. */
    readonly command: string;
    readonly outcome: null;
    readonly reply: null;
  }) => Promise<unknown>,
): Promise<Claimed | null> => {
  // Random, not counted: after a restore of the database a number would be repeated, and an agent answers an id that it
  // knows from its journal, without running the command. At most 64 characters.
  const id = `${prefix}.${place.id}.${randomBytes(8).toString('hex')}`;
  await store({
    is_sent: true,
    command_id: id,
    way,
    sent_at: now,
    command: gameOf(place.game).maskCommand(command),
    outcome: null,
    reply: null,
  });
  const [sending] = await ways.prepare(trx, [
    { id, serverId: place.serverId, way, command, timeoutMs: answerMs },
  ]);
  return sending ? { commandId: id, sending } : null;
};

/** The columns that store a result. @param command masked */
export const endColumns = (
  game: GameId,
  command: string | null,
  result: CommandResult | null,
): { readonly is_sent: false; readonly outcome: CommandOutcome; readonly reply: string | null } => {
  const kept = (text: string | null | undefined, most: number) =>
    text == null ? null : storableText(gameOf(game).maskReply(command ?? '', text), most);
  return {
    is_sent: false,
    outcome: result?.outcome ?? 'unknown',
    reply: kept(result?.reply, longestReply) ?? kept(result?.logLine, longestLogLine),
  };
};
