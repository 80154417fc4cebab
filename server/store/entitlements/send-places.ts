import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { CommandResult, GameId } from '#contracts/servers/games.ts';
import type { PlaceState } from '#contracts/store/entitlements.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';
import { gameOf } from '#games/games.ts';
import type { TemplateValues } from '#games/store-forms.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { createPlaceSender, endColumns, restMs, storeSending } from '../../kernel/commands/place-sender.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import type { StoreContext } from '../store-context.ts';
import { addUp, type Group, lockGroup } from './add-up.ts';
import { decidePlace } from './decide-place.ts';

interface PlaceKey {
  readonly id: string;
  readonly entitlementId: string;
}

const prefix = 'lasting';
/** Ten tries take about a day. */
const retry = { firstMs: 60_000, mostMs: 6 * 3_600_000, jitter: 0.2 } as const;

interface SentPlace extends PlaceKey {
  readonly serverId: string;
  readonly state: PlaceState;
  readonly tries: number;
  readonly sends: number;
  readonly isSent: boolean;
  readonly commandId: string | null;
  /** Masked. */
  readonly command: string | null;
  readonly game: GameId;
  readonly line: DeliveryLine;
  /** Null: the receiver was erased, and the values with them. */
  readonly values: TemplateValues | null;
}

/** Names change, and games know players by them: the current name counts, if it is known in this game. */
const readPlace = async (trx: Kysely<Tables>, id: string): Promise<SentPlace | null> => {
  const { rows } = await sql<SentPlace & { readonly nameToday: string | null }>`
    select place.id, place.entitlement_id as "entitlementId", place.server_id as "serverId", place.state, place.tries, place.sends,
           place.is_sent as "isSent", place.command_id as "commandId", place.command, deliveries.game, deliveries.line,
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

/** Sends what takes things back, and finds out how it ended. */
export const createSendPlaces = ({
  db,
  ways,
  servers,
  now: clock,
  ...terms
}: Pick<StoreContext, 'db' | 'ways' | 'servers' | 'now'> & {
  readonly stopping: AbortSignal;
  /** False while nothing may be sent: without a license, during a pause, or at the end of the process. */
  readonly mayRun: () => boolean;
  readonly tell: (error: unknown) => void;
  /** Time allowed for the game's reply. */
  readonly answerMs: number;
}) => {
  const { answerMs } = terms;
  const now = () => new Date(clock());

  /** Under the lock of its entitlement: what it needs now is what its grants say now. */
  const withPlace = async <Result>(
    { id, entitlementId }: PlaceKey,
    work: (
      trx: Kysely<Tables>,
      locked: { readonly place: SentPlace; readonly group: Group; readonly lasts: boolean },
    ) => Promise<Result>,
  ): Promise<Result | null> =>
    retryDeadlocks(db, async (trx) => {
      const group = await lockGroup(trx, entitlementId);
      if (!group) return null;
      const lasts = await addUp(trx, group, { now: now() });
      const place = await readPlace(trx, id);
      return place && work(trx, { place, group, lasts });
    });

  const claim = (key: PlaceKey) =>
    withPlace(key, async (trx, { place, group }) => {
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
      return storeSending(trx, ways, { prefix, place, way, command, answerMs, now: now() }, (columns) =>
        row.set({ ...columns, sends: place.sends + 1 }).execute(),
      );
    });

  const settle = (key: PlaceKey, commandId: string, result: CommandResult | null) =>
    withPlace(key, async (trx, { place, group, lasts }) => {
      const wasUnknown = !place.isSent && place.state === 'unknown';
      if (place.commandId !== commandId || !(place.isSent || wasUnknown)) return;
      // A place waits for a person only after its counter-command, or one that it sent.
      const change = place.state === 'giving' ? 'giving' : 'taking';
      const sent = { ...place, state: change } as const;
      const { reply, isProvable } = readReply(sent, result);
      const tries = place.tries + 1;
      const decision = decidePlace({ change, result, reply, isProvable, tries, lasts });
      const isSame = decision.state === change;
      const waitMs = isSame ? (decision.isRefused ? backOffDelay(retry, tries, Math.random()) : restMs) : 0;
      await trx
        .updateTable('entitlement_places')
        .set({
          ...endColumns(place.game, place.command, result),
          state: decision.state,
          // On a retry, it counts as due since it was first due.
          ...(decision.state !== place.state && { changed_at: now() }),
          tries: decision.isRefused ? tries : isSame ? place.tries : 0,
          next_try_at: new Date(now().getTime() + waitMs),
          certainty: decision.certainty,
          detail: decision.detail && reasons[decision.detail],
        })
        .where('id', '=', place.id)
        .execute();
      if (decision.state === 'unknown' && !wasUnknown) await tellUnknown(trx, group, place);
    });

  const sender = createPlaceSender<PlaceKey>({
    ...terms,
    ...{ db, ways, now },
    prefix,
    table: 'entitlement_places',
    columns: sql`id, entitlement_id as "entitlementId"`,
    isOpen: sql`state in ('taking', 'giving')`,
    clockMarginMs: 0,
    claim,
    settle,
  });
  return {
    ...sender,
    /** Starts with what is due on servers that are there, and does not wait for its end. */
    async sendDue(): Promise<void> {
      const { rows } = await sql<{ readonly serverId: string }>`
        select distinct server_id as "serverId" from entitlement_places
         where state in ('taking', 'giving') and not is_sent and next_try_at <= ${now()}`.execute(db);
      const inUse = new Set(servers.all().map(({ id }) => id));
      const ids = rows.map(({ serverId }) => serverId);
      sender.sendDue(ids.filter((id) => inUse.has(id) && ways.open(id) !== null));
      for (const id of ids) if (!inUse.has(id)) await giveUpArchived(db, id, now());
    },
  };
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
