import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { PlaceState } from '#contracts/entitlements.ts';
import {
  type CommandResult,
  type GameId,
  longestLogLine,
  longestReply,
  withoutReply,
} from '#contracts/games.ts';
import { reasons } from '#contracts/reasons.ts';
import type { DeliveryLine } from '#contracts/store.ts';
import { gameOf } from '#games/games.ts';
import type { TemplateValues } from '#games/store-forms.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import type { DeliveryRoutes } from '../console-router/console-router.ts';
import type { PreparedSending } from '../console-router/routes.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { retryDeadlocks } from '../database/retry-deadlocks.ts';
import { storableText } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import { recordEvent } from '../events/record-event.ts';
import { addUp, type Group, lockGroup } from './add-up.ts';
import { decidePlace } from './decide-place.ts';

export interface SendPlacesOptions {
  readonly db: Kysely<Tables>;
  readonly ways: DeliveryRoutes;
  /** The servers in use. */
  readonly servers: { all(): readonly { readonly id: string }[] };
  readonly now: () => Date;
  readonly stopping: AbortSignal;
  /** False while nothing may be sent: without a license, during a pause, or at the end of the process. */
  readonly mayRun: () => boolean;
  readonly tell: (error: unknown) => void;
  /** Time allowed for the game's reply. */
  readonly answerMs?: number | undefined;
}

/** Sends what takes things back, and finds out how it ended. */
export interface SendPlaces {
  /** Starts with what is due on servers that are there, and does not wait for its end. */
  sendDue(): Promise<void>;
  /** Does the same with what an earlier process has sent, and with what was sent when the database went away, once no one waits for it. */
  recover(): Promise<void>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
  /** @returns whether the command is one of these */
  takeLate(serverId: string, commandId: string, result: CommandResult): Promise<boolean>;
}

/** Per round and server. */
const mostAtOnce = 50;
const usualAnswerMs = 15_000;
const lookMs = 500;
/** Ten tries take about a day. */
const retry = { firstMs: 60_000, mostMs: 6 * 3_600_000, jitter: 0.2 } as const;
/** During this time, the process that sent a command may still store how it ended. */
const marginMs = 5000;
/** For a server that is there and took nothing. */
const restMs = 15_000;

/**
 * Random, not counted: after a restore of the database a number would be repeated, and an agent answers an id that it
 * knows from its journal, without running the command. At most 64 characters.
 */
const newCommandId = (placeId: string): string => `lasting.${placeId}.${randomBytes(8).toString('hex')}`;
const commandIdShape = /^lasting\.([0-9a-f-]{36})\.[0-9a-f]{16}$/;

interface SentPlace {
  readonly id: string;
  readonly entitlementId: string;
  readonly serverId: string;
  readonly state: PlaceState;
  readonly tries: number;
  readonly sends: number;
  readonly isSent: boolean;
  readonly commandId: string | null;
  readonly way: 'agent' | 'direct' | null;
  readonly game: GameId;
  readonly line: DeliveryLine;
  /** Null: the receiver was erased, and the values with them. */
  readonly values: TemplateValues | null;
}

/** Names change, and games know players by them: the current name counts, if it is known in this game. */
const readPlace = async (trx: Kysely<Tables>, id: string): Promise<SentPlace | null> => {
  const { rows } = await sql<SentPlace & { readonly nameToday: string | null }>`
    select place.id, place.entitlement_id as "entitlementId", place.server_id as "serverId", place.state, place.tries, place.sends,
           place.is_sent as "isSent", place.command_id as "commandId", place.way, deliveries.game, deliveries.line,
           attempt.evidence -> 'values' as values, player.name as "nameToday"
      from entitlement_places as place join deliveries on deliveries.id = place.delivery_id
      left join delivery_attempts as attempt
        on attempt.delivery_id = deliveries.id and attempt.number = deliveries.attempts
      left join players as player
        on player.id = place.player_id and player.game = deliveries.game and player.platform_id is not null
     where place.id = ${id}`.execute(trx);
  const [found] = rows;
  if (!found) return null;
  const { nameToday, values, ...place } = found;
  const isRenamed = values !== null && values.player !== null && nameToday !== null && nameToday !== '';
  if (!isRenamed) return { ...place, values };
  const handle = values.handle === values.player ? nameToday : values.handle;
  return { ...place, values: { ...values, player: nameToday, handle } };
};

const renderPlace = ({ game, line, state, values }: SentPlace) => {
  const template =
    line.kind !== 'command' ? undefined : state === 'giving' ? line.command : line.counterCommand;
  if (template === undefined || values === null) return { refused: reasons['taking-impossible'] };
  return gameOf(game).store.renderTemplate(template, values);
};

const readReply = ({ game, line, state, values }: SentPlace, result: CommandResult | null) => {
  const isTaking = state === 'taking';
  const success = line.kind !== 'command' ? [] : isTaking ? (line.lasts?.taken ?? []) : line.success;
  const isProvable = success.length > 0;
  if (line.kind !== 'command' || values === null || result?.outcome !== 'answered')
    return { reply: null, isProvable };
  const text = result.reply ?? '';
  if (text.trim() === '') return { reply: 'silent' as const, isProvable };
  const { verdict } = gameOf(game).store.readTemplateReply(text, { success, failure: line.failure }, values);
  return { reply: verdict === 'later' ? ('unproven' as const) : verdict, isProvable };
};

export const createSendPlaces = (options: SendPlacesOptions): SendPlaces => {
  const { db, ways, servers, now, stopping, mayRun, tell, answerMs = usualAnswerMs } = options;
  /** Sent by this process, which waits for their ends. */
  const underWay = new Set<string>();
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

  /** Under the lock of its entitlement: what it needs now is what its grants say now. */
  const withPlace = async <Result>(
    placeId: string,
    entitlementId: string,
    work: (
      trx: Kysely<Tables>,
      locked: { readonly place: SentPlace; readonly group: Group; readonly lasts: boolean },
    ) => Promise<Result>,
  ): Promise<Result | null> =>
    retryDeadlocks(db, async (trx) => {
      const group = await lockGroup(trx, entitlementId);
      if (!group) return null;
      const lasts = await addUp(trx, group, { now: now() });
      const place = await readPlace(trx, placeId);
      return place && work(trx, { place, group, lasts });
    });

  const claim = (placeId: string, entitlementId: string) =>
    withPlace(placeId, entitlementId, async (trx, { place, group }) => {
      if (place.isSent || (place.state !== 'taking' && place.state !== 'giving')) return null;
      const way = ways.open(place.serverId)?.way;
      if (way === undefined) return null;
      const rendered = renderPlace(place);
      const row = trx.updateTable('entitlement_places').where('id', '=', place.id);
      if ('refused' in rendered) {
        await row.set({ state: 'unknown', changed_at: now(), detail: rendered.refused }).execute();
        await tellUnknown(trx, group, place);
        return null;
      }
      const { command } = rendered;
      const id = newCommandId(place.id);
      // Before it leaves: a process that dies here may have sent it.
      await row
        .set({
          is_sent: true,
          sends: place.sends + 1,
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

  const settle = (placeId: string, entitlementId: string, commandId: string, result: CommandResult | null) =>
    withPlace(placeId, entitlementId, async (trx, { place, group, lasts }) => {
      const wasUnknown = !place.isSent && place.state === 'unknown';
      if (place.commandId !== commandId || !(place.isSent || wasUnknown)) return;
      // A place waits for a person only after its counter-command, or one that it sent.
      const change = place.state === 'giving' ? 'giving' : 'taking';
      const sent = { ...place, state: change } as const;
      const { reply, isProvable } = readReply(sent, result);
      const tries = place.tries + 1;
      const decision = decidePlace({ change, result, reply, isProvable, tries, lasts });
      const { maskReply } = gameOf(place.game);
      const command = (await maskedCommand(trx, place.id)) ?? '';
      const kept = (text: string | null | undefined, most: number) =>
        text == null ? null : storableText(maskReply(command, text), most);
      const isSame = decision.state === change;
      const waitMs = isSame ? (decision.isRefused ? backOffDelay(retry, tries, Math.random()) : restMs) : 0;
      await trx
        .updateTable('entitlement_places')
        .set({
          state: decision.state,
          // On a retry, it counts as due since it was first due.
          ...(decision.state !== place.state && { changed_at: now() }),
          is_sent: false,
          tries: decision.isRefused ? tries : isSame ? place.tries : 0,
          next_try_at: new Date(now().getTime() + waitMs),
          outcome: result?.outcome ?? 'unknown',
          reply: kept(result?.reply, longestReply) ?? kept(result?.logLine, longestLogLine),
          certainty: decision.certainty,
          detail: decision.detail && reasons[decision.detail],
        })
        .where('id', '=', place.id)
        .execute();
      if (decision.state === 'unknown' && !wasUnknown) await tellUnknown(trx, group, place);
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

  /** @returns whether a command was sent */
  const carryOut = async (placeId: string, entitlementId: string): Promise<boolean> => {
    underWay.add(placeId);
    try {
      const claimed = await claim(placeId, entitlementId);
      if (!claimed) return false;
      const result = await run(claimed.sending);
      // Cut off by our own shutdown: the next process recovers it.
      if (stopping.aborted && result.outcome !== 'answered' && result.sent) return true;
      await whenThere(() => settle(placeId, entitlementId, claimed.id, result));
      return true;
    } finally {
      underWay.delete(placeId);
    }
  };

  const readDue = (serverId: string) =>
    db
      .selectFrom('entitlement_places')
      .select(['id', 'entitlement_id'])
      .where('state', 'in', ['taking', 'giving'])
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
      for (const { id, entitlement_id } of await readDue(serverId)) {
        if (!mayRun() || ways.open(serverId) === null) return;
        if (await carryOut(id, entitlement_id)) hasSent = true;
      }
    }
  };

  return {
    async sendDue() {
      const { rows } = await sql<{ readonly serverId: string }>`
        select distinct server_id as "serverId" from entitlement_places
         where state in ('taking', 'giving') and not is_sent and next_try_at <= ${now()}`.execute(db);
      const inUse = new Set(servers.all().map(({ id }) => id));
      for (const { serverId } of rows)
        if (!inUse.has(serverId)) await giveUpArchived(db, serverId, now());
        else if (ways.open(serverId) !== null) begin(lanes, serverId, () => sendOn(serverId));
    },
    async recover() {
      const sent = await db
        .selectFrom('entitlement_places')
        .select(['id', 'entitlement_id', 'server_id', 'command_id', 'way'])
        .where('is_sent', '=', true)
        // A time in the future was left behind by a clock that was set back.
        .where((row) =>
          row.or([
            row('sent_at', '<=', new Date(now().getTime() - answerMs - marginMs)),
            row('sent_at', '>', now()),
          ]),
        )
        .execute();
      for (const { id, entitlement_id, server_id, command_id, way } of sent) {
        if (underWay.has(id) || command_id === null || way === null) continue;
        begin(recovering, id, async () => {
          const result = await ways.resultOf(server_id, way, command_id);
          await settle(id, entitlement_id, command_id, result);
        });
      }
    },
    async idle() {
      while (lanes.size + recovering.size > 0) await Promise.all([...lanes.values(), ...recovering.values()]);
    },
    async takeLate(serverId, commandId, result) {
      const [, placeId] = commandIdShape.exec(commandId) ?? [];
      if (placeId === undefined) return false;
      const place = await db
        .selectFrom('entitlement_places')
        .select(['id', 'entitlement_id'])
        .where('id', '=', placeId)
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      // What it says is known already, or its sender is waiting for it.
      if (place && !underWay.has(place.id) && !recovering.has(place.id))
        await settle(place.id, place.entitlement_id, commandId, result);
      return true;
    },
  };
};

const lostInside = withoutReply('unknown', true);
const run = (sending: PreparedSending): Promise<CommandResult> => sending.run().catch(() => lostInside);

const maskedCommand = async (trx: Kysely<Tables>, placeId: string): Promise<string | null> => {
  const row = await trx
    .selectFrom('entitlement_places')
    .select('command')
    .where('id', '=', placeId)
    .executeTakeFirst();
  return row?.command ?? null;
};

const tellUnknown = (trx: Kysely<Tables>, { memberId, key }: Group, { serverId }: SentPlace): Promise<void> =>
  recordEvent(trx, 'entitlement.needs-decision', { memberId, key }, { serverId });

/** It may never come back; what it gave is left there. */
const giveUpArchived = async (db: Kysely<Tables>, serverId: string, now: Date): Promise<void> => {
  await sql`
    update entitlement_places set state = 'given-up', changed_at = ${now}, detail = ${reasons['taking-archived']}
     where server_id = ${serverId} and state in ('taking', 'giving') and not is_sent
       and exists (select from game_servers where id = ${serverId} and archived_at is not null)`.execute(db);
};
