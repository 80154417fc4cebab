import { randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import {
  type BatchEvent,
  type BotGuild,
  type EventBatch,
  mostBatchEvents,
  unnamedKinds,
} from '#contracts/discord/discord-events.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type FeedPosition, readFeedHorizon } from '../../kernel/events/event-feed.ts';
import { eventRowOf, type StoredEvent } from '../../kernel/events/read-events.ts';
import { isAfter, isUpTo, LaneScan } from './lane-scan.ts';

export interface EventBatches {
  /**
   * The next batch for each channel of the guild that the bot can post into. Until it is settled it is handed out
   * again, unchanged except for rules that changed in between.
   * @param inProgress batches whose lanes are left out
   * @param resting channels into which only alerts may be posted for now
   */
  take(guild: BotGuild, inProgress: readonly string[], resting: readonly string[]): Promise<EventBatch[]>;
  /** It is never handed out again. An unknown id, or one that was settled before, changes nothing. */
  settle(batch: string, outcome: 'posted' | 'unpostable'): Promise<void>;
}

/** Per lane; what waits beyond this is left out, the oldest first, and the message says how much. */
export const mostWaiting = 10_000;
/** Batches per response. */
const mostBatches = 20;
/** A lane in which nothing waits is rewritten when it is this many transactions behind, or its readings get slow. */
const transactionsBehind = 1000n;

type Lane = Selectable<Tables['discord_event_lanes']>;
type Rule = Selectable<Tables['discord_event_rules']>;
interface FedEvent extends StoredEvent {
  readonly written_in: string;
}

/** Time per round, shared by the lanes that are far behind; each gets at least one step. */
const lookingMs = 400;

export const createEventBatches = ({
  db,
  serverName,
}: {
  readonly db: Kysely<Tables>;
  readonly serverName: (id: string) => string | null;
}): EventBatches => {
  /** Scans of lanes, by their channel; begun again after a start. `rules` and `position` are those that a scan is valid for. */
  const scans = new Map<string, { readonly scan: LaneScan; readonly rules: string; position: string }>();
  const keyOf = (lane: Lane) => `${lane.channel_id} ${lane.lane}`;

  /** Condition on a row of `event`: whether a lane's rules want it. */
  const wantedBy = (lane: Lane) => sql`
    (event.severity = 'alert') = ${lane.lane === 'alerts'}
      and exists (
        select from discord_event_rules as rule
         where rule.channel_id = ${lane.channel_id} and rule.is_enabled
           and (event.kind = any (rule.kinds) or rule.kinds = '{}' and event.kind <> all (${unnamedKinds}::text[]))
           and (rule.severities = '{}' or event.severity = any (rule.severities))
           and (rule.server_ids = '{}' or event.server_id = any (rule.server_ids)))`;

  const read = async (lane: Lane, after: FeedPosition, upTo: FeedPosition): Promise<FedEvent[]> => {
    const { rows } = await sql<FedEvent>`
      select event.id, event.at, event.kind, event.severity, event.server_id, event.payload, event.written_in
        from event_logs as event
       where ${isAfter(after)} and ${isUpTo(upTo)} and ${wantedBy(lane)}
       order by event.written_in, event.id limit ${mostBatchEvents}`.execute(db);
    return rows;
  };
  /** Rules that have been widened since want more; the added part begins with new events. */
  const handedOut = (lane: Lane): Promise<FedEvent[]> =>
    read(lane, positionOf(lane), {
      writtenIn: BigInt(lane.batch_written_in ?? 0),
      id: BigInt(lane.batch_event_id ?? 0),
    });
  const scanOf = (lane: Lane, rules: string) => {
    const known = scans.get(keyOf(lane));
    if (known?.rules === rules && known.position === textOf(positionOf(lane))) return known;
    const position = positionOf(lane);
    const begun = { scan: new LaneScan(db, position, wantedBy(lane)), rules, position: textOf(position) };
    scans.set(keyOf(lane), begun);
    return begun;
  };
  const ofLane = (lane: Lane) =>
    db
      .updateTable('discord_event_lanes')
      .where('channel_id', '=', lane.channel_id)
      .where('lane', '=', lane.lane)
      // Only if unchanged: another round may have opened and settled a batch since it was read.
      .where('written_in', '=', lane.written_in)
      .where('event_id', '=', lane.event_id)
      .where('batch', 'is', null);

  /** So that it is not searched again after a start. */
  const skipTo = async (lane: Lane, position: FeedPosition) => {
    await ofLane(lane)
      .set({ written_in: String(position.writtenIn), event_id: String(position.id) })
      .execute();
    const known = scans.get(keyOf(lane));
    if (known) known.position = textOf(position);
  };

  /** The batch is in the database before anyone receives it. */
  const open = async (lane: Lane, rules: string, horizon: FeedPosition, shareMs: number) => {
    const untilMs = performance.now() + shareMs;
    const known = scanOf(lane, rules);
    const { scan } = known;
    do await scan.step(horizon);
    while (!scan.isComplete && performance.now() < untilMs);
    if (scan.waiting === 0) {
      if (!scan.isComplete || scan.start.writtenIn - BigInt(lane.written_in) > transactionsBehind)
        await skipTo(lane, scan.start);
      return null;
    }
    const excess = scan.waiting - mostWaiting;
    // The first events may be left out: that is known at the end.
    if (excess > 0 && !scan.isComplete) return null;
    if (excess > 0) await scan.leaveOut(excess);
    const rows = await read(lane, scan.start, scan.near(mostBatchEvents));
    const [first] = rows;
    const last = rows.at(-1);
    if (!first || !last) {
      // What was found has expired since.
      scans.delete(keyOf(lane));
      return null;
    }
    const end = { writtenIn: BigInt(last.written_in), id: BigInt(last.id) };
    const leftOut = String(Math.max(0, excess));
    const opened = await ofLane(lane)
      .set({
        batch: randomBytes(9).toString('base64url'),
        batch_written_in: last.written_in,
        batch_event_id: last.id,
        batch_left_out: leftOut,
        batch_size: rows.length,
        batch_opened_at: new Date(),
        // Rows before the batch are not read again when it is handed out again or skipped.
        written_in: first.written_in,
        event_id: String(BigInt(first.id) - 1n),
        left_out: sql<string>`left_out + ${leftOut}::bigint`,
      })
      .returningAll()
      .executeTakeFirst();
    if (!opened) {
      scans.delete(keyOf(lane));
      return null;
    }
    scan.take(rows.length, end);
    // The lane's position once it is settled.
    known.position = textOf(end);
    return { lane: opened, rows };
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

  const take: EventBatches['take'] = async ({ channels, roles }, inProgress, resting) => {
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
    const idle = lanes.filter(({ channel_id, lane, batch }) =>
      batch === null ? lane === 'alerts' || !resting.includes(channel_id) : !inProgress.includes(batch),
    );
    if (idle.length === 0) return [];
    const rules = await db
      .selectFrom('discord_event_rules')
      .selectAll()
      .where('is_enabled', '=', true)
      .execute();
    const known = new Set(roles.map(({ id }) => id));
    const horizon = await readFeedHorizon(db);
    const present = new Set(lanes.map(keyOf));
    for (const key of scans.keys()) if (!present.has(key)) scans.delete(key);
    const shareMs = lookingMs / idle.length;
    const batches: EventBatch[] = [];
    for (const lane of idle) {
      if (batches.length === mostBatches) break;
      const isRepeat = lane.batch !== null;
      const ofChannel = rules.filter(({ channel_id }) => channel_id === lane.channel_id);
      const opened = isRepeat
        ? { lane, rows: await handedOut(lane) }
        : await open(lane, signatureOf(ofChannel), horizon, shareMs);
      if (!opened?.lane.batch) continue;
      const { lane: given, rows } = opened;
      if (rows.length === 0) {
        // The rules want none of it any more, or its events have expired.
        await settle(opened.lane.batch, 'posted');
        continue;
      }
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
  };

  let taking: Promise<unknown> = Promise.resolve();
  return {
    settle,
    // One after the other: a bot that has given up on a response may ask while it is still being computed.
    take(...asked) {
      const taken = taking.then(() => take(...asked));
      taking = taken.catch(() => undefined);
      return taken;
    },
  };
};

/** Signature of rules; another one wants other events. */
const signatureOf = (rules: readonly Rule[]): string =>
  rules
    .map(({ id, version }) => `${id} ${version}`)
    .sort()
    .join();

const textOf = ({ writtenIn, id }: FeedPosition): string => `${writtenIn}-${id}`;

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

/** A channel has other readers than the panel: no one's address goes there. */
const tell = (row: FedEvent, serverName: (id: string) => string | null): BatchEvent => {
  const event = eventRowOf(row);
  return {
    ...event,
    payload: 'address' in event.payload ? { ...event.payload, address: '' } : event.payload,
    serverName: event.serverId === null ? null : serverName(event.serverId),
  };
};
