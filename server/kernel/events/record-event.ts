import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { type EventKindName, type EventPayload, severityOf } from '#contracts/kernel/event-kinds.ts';
import type { Tables } from '../database/tables.ts';

export interface EventOptions {
  /** The game server that it happened to. */
  readonly serverId?: string;
  /** When it happened, if not now. */
  readonly at?: Date;
}

/** Writes an event. If it reports a change, call it in the transaction that makes the change. */
export const recordEvent = async <Name extends EventKindName>(
  trx: Pick<Kysely<{ event_logs: Tables['event_logs'] }>, 'insertInto'>,
  kind: Name,
  payload: EventPayload<Name>,
  { serverId, at }: EventOptions = {},
): Promise<void> => {
  await trx
    .insertInto('event_logs')
    .values({
      kind,
      severity: severityOf(kind, payload),
      server_id: serverId ?? null,
      payload: JSON.stringify(payload),
      ...(at ? { at } : {}),
    })
    .execute();
};

type AnyEvent = {
  readonly [Name in EventKindName]: {
    readonly kind: Name;
    readonly payload: EventPayload<Name>;
    readonly at: Date;
  };
}[EventKindName];

/** The same for many events, in their order, in one statement. */
export const recordEvents = async (
  trx: QueryExecutorProvider,
  events: readonly AnyEvent[],
): Promise<void> => {
  if (events.length === 0) return;
  const severities = events.map(({ kind, payload }) => severityOf(kind, payload));
  await sql`
    insert into event_logs (kind, severity, payload, at)
    select kind, severity, payload, at
    from unnest(
      ${events.map(({ kind }) => kind)}::text[], ${severities}::text[],
      ${events.map(({ payload }) => JSON.stringify(payload))}::jsonb[], ${events.map(({ at }) => at)}::timestamptz[]
    ) with ordinality as event (kind, severity, payload, at, place)
    order by place`.execute(trx);
};
