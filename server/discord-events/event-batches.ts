import { randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import {
  type BatchEvent,
  type BotGuild,
  type EventBatch,
  mostBatchEvents,
  unnamedKinds,
} from '#contracts/discord-events.ts';
import type { Tables } from '../database/tables.ts';
import { type FeedPosition, readFeedHorizon } from '../events/event-feed.ts';
import { eventRowOf, type StoredEvent } from '../events/read-events.ts';
import type { DiscordEventLanesTable, DiscordEventRulesTable } from './discord-events.tables.ts';

export interface EventBatches {
  /**
   * What each channel of the guild that the bot can post into gets next. Handed out again, unchanged but for rules that
   * changed meanwhile, until it is settled.
   * @param inProgress batches whose lanes are left out
   */
  take(guild: BotGuild, inProgress: readonly string[]): Promise<EventBatch[]>;
  /** It is never handed out again. An id that is none, or was settled before, changes nothing. */
  settle(batch: string, outcome: 'posted' | 'unpostable'): Promise<void>;
}

export interface EventBatchesOptions {
  readonly db: Kysely<Tables>;
  readonly serverName: (id: string) => string | null;
}

/** For each lane; what waits beyond is left out, the oldest first, and the message says how much. */
export const mostWaiting = 10_000;
/** An answer. */
const mostBatches = 20;
/** A lane in which nothing waits is written anew when so many transactions lie behind it, or its readings get slow. */
const transactionsBehind = 1000n;

type Lane = Selectable<DiscordEventLanesTable>;
type Rule = Selectable<DiscordEventRulesTable>;
interface FedEvent extends StoredEvent {
  readonly written_in: string;
}

export const createEventBatches = ({ db, serverName }: EventBatchesOptions): EventBatches => {
  /** What a lane's rules want of the feed, after a position. */
  const wanted = (lane: Lane, { writtenIn, id }: FeedPosition) => sql`
    event_logs as event
    where (event.written_in, event.id) > (${writtenIn.toString()}::xid8, ${id.toString()}::bigint)
      and (event.severity = 'alert') = ${lane.lane === 'alerts'}
      and exists (
        select from discord_event_rules as rule
         where rule.channel_id = ${lane.channel_id} and rule.is_enabled
           and (event.kind = any (rule.kinds) or rule.kinds = '{}' and event.kind <> all (${unnamedKinds}::text[]))
           and (rule.severities = '{}' or event.severity = any (rule.severities))
           and (rule.server_ids = '{}' or event.server_id = any (rule.server_ids)))`;
  const columns = sql`event.id, event.at, event.kind, event.severity, event.server_id, event.payload,
    event.written_in`;

  const next = async (lane: Lane, after: FeedPosition, horizon: FeedPosition): Promise<FedEvent[]> => {
    const { rows } = await sql<FedEvent>`
      select ${columns} from ${wanted(lane, after)} and event.written_in < ${String(horizon.writtenIn)}::xid8
      order by event.written_in, event.id limit ${mostBatchEvents}`.execute(db);
    return rows;
  };
  /** Rules that were widened since want more; those begin with what comes. */
  const handedOut = async (lane: Lane): Promise<FedEvent[]> => {
    const { rows } = await sql<FedEvent>`
      select ${columns} from ${wanted(lane, positionOf(lane))}
        and (event.written_in, event.id) <= (${lane.batch_written_in}::xid8, ${lane.batch_event_id}::bigint)
      order by event.written_in, event.id limit ${mostBatchEvents}`.execute(db);
    return rows;
  };
  /** The newest event that is left out, and how many are; null while not too many wait. */
  const overflow = async (lane: Lane, horizon: FeedPosition) => {
    const { rows } = await sql<{ written_in: string; id: string; count: string }>`
      with cut as (
        select event.written_in, event.id from ${wanted(lane, positionOf(lane))}
          and event.written_in < ${String(horizon.writtenIn)}::xid8
        order by event.written_in desc, event.id desc offset ${mostWaiting} limit 1)
      select cut.written_in, cut.id, (
        select count(*) from ${wanted(lane, positionOf(lane))}
          and (event.written_in, event.id) <= (cut.written_in, cut.id)) as count
      from cut`.execute(db);
    const [cut] = rows;
    return cut && { position: { writtenIn: BigInt(cut.written_in), id: BigInt(cut.id) }, count: cut.count };
  };
  const ofLane = (lane: Lane) =>
    db
      .updateTable('discord_event_lanes')
      .where('channel_id', '=', lane.channel_id)
      .where('lane', '=', lane.lane)
      // As it was read: another round may have opened and settled a batch since.
      .where('written_in', '=', lane.written_in)
      .where('event_id', '=', lane.event_id)
      .where('batch', 'is', null);

  /** The batch is in the database before anybody has it. */
  const open = async (lane: Lane, horizon: FeedPosition) => {
    let rows = await next(lane, positionOf(lane), horizon);
    if (rows.length === 0) {
      if (horizon.writtenIn - BigInt(lane.written_in) > transactionsBehind)
        await ofLane(lane)
          .set({ written_in: String(horizon.writtenIn), event_id: '0' })
          .execute();
      return null;
    }
    const cut = rows.length === mostBatchEvents ? await overflow(lane, horizon) : undefined;
    if (cut) rows = await next(lane, cut.position, horizon);
    const [first] = rows;
    const last = rows.at(-1);
    if (!first || !last) return null;
    const opened = await ofLane(lane)
      .set({
        batch: randomBytes(9).toString('base64url'),
        batch_written_in: last.written_in,
        batch_event_id: last.id,
        batch_left_out: cut?.count ?? '0',
        batch_size: rows.length,
        batch_opened_at: new Date(),
        // What stands before the batch is not looked at again, when it is handed out once more or is left out.
        written_in: first.written_in,
        event_id: String(BigInt(first.id) - 1n),
        ...(cut && { left_out: sql<string>`left_out + ${cut.count}::bigint` }),
      })
      .returningAll()
      .executeTakeFirst();
    return opened ? { lane: opened, rows } : null;
  };

  const settle: EventBatches['settle'] = async (batch, outcome) => {
    await db
      .updateTable('discord_event_lanes')
      .set({
        written_in: sql<string>`batch_written_in`,
        event_id: sql<string>`batch_event_id`,
        batch: null,
        batch_written_in: null,
        batch_event_id: null,
        batch_opened_at: null,
        ...(outcome === 'posted'
          ? { posted_at: new Date() }
          : { left_out: sql<string>`left_out + batch_size` }),
      })
      .where('batch', '=', batch)
      .execute();
  };

  return {
    settle,
    async take({ channels, roles }, inProgress) {
      const postable = channels.filter(({ missing, isRefused }) => missing.length === 0 && !isRefused);
      if (postable.length === 0) return [];
      const ids = postable.map(({ id }) => id);
      const lanes = await db
        .selectFrom('discord_event_lanes')
        .selectAll()
        .where('channel_id', '=', sql<string>`any (${ids}::text[])`)
        .orderBy('lane')
        .orderBy('written_in')
        .execute();
      const idle = lanes.filter(({ batch }) => batch === null || !inProgress.includes(batch));
      if (idle.length === 0) return [];
      const rules = await db
        .selectFrom('discord_event_rules')
        .selectAll()
        .where('is_enabled', '=', true)
        .execute();
      const known = new Set(roles.map(({ id }) => id));
      const horizon = await readFeedHorizon(db);
      const batches: EventBatch[] = [];
      for (const lane of idle) {
        if (batches.length === mostBatches) break;
        const isRepeat = lane.batch !== null;
        const opened = isRepeat ? { lane, rows: await handedOut(lane) } : await open(lane, horizon);
        if (!opened?.lane.batch) continue;
        const { lane: given, rows } = opened;
        if (rows.length === 0) {
          // The rules want none of it any more, or its events have expired.
          await settle(opened.lane.batch, 'posted');
          continue;
        }
        const ofChannel = rules.filter(({ channel_id }) => channel_id === given.channel_id);
        batches.push({
          id: opened.lane.batch,
          channelId: given.channel_id,
          lane: given.lane,
          openedAt: (given.batch_opened_at ?? new Date()).toISOString(),
          isRepeat,
          roleIds: mentioned(ofChannel, rows).filter((id) => known.has(id)),
          leftOut: Number(given.batch_left_out),
          events: rows.map((row) => tell(row, serverName)),
        });
      }
      return batches;
    },
  };
};

const positionOf = ({ written_in, event_id }: Lane): FeedPosition => ({
  writtenIn: BigInt(written_in),
  id: BigInt(event_id),
});

const wants = ({ kinds, severities, server_ids }: Rule, { kind, severity, server_id }: FedEvent): boolean =>
  ((kinds as string[]).includes(kind) ||
    (kinds.length === 0 && !(unnamedKinds as string[]).includes(kind))) &&
  (severities.length === 0 || severities.includes(severity)) &&
  (server_ids.length === 0 || (server_id !== null && server_ids.includes(server_id)));

const mentioned = (rules: readonly Rule[], rows: readonly FedEvent[]): string[] => [
  ...new Set(
    rules.flatMap((rule) => (rule.role_id && rows.some((row) => wants(rule, row)) ? [rule.role_id] : [])),
  ),
];

/** A channel has other readers than the panel: no address of anybody goes there. */
const tell = (row: FedEvent, serverName: (id: string) => string | null): BatchEvent => {
  const event = eventRowOf(row);
  return {
    ...event,
    payload: 'address' in event.payload ? { ...event.payload, address: '' } : event.payload,
    serverName: event.serverId === null ? null : serverName(event.serverId),
  };
};
