import type { Kysely } from 'kysely';
import { type EventKindName, type EventPayload, severityOf } from '#contracts/event-kinds.ts';
import type { EventLogsTable } from './events.tables.ts';

export interface EventOptions {
  /** The game server that it happened to. */
  readonly serverId?: string;
  /** When it happened, if not now. */
  readonly at?: Date;
}

/** Writes an event. Where there is a change that it tells of, call it with the transaction that makes the change. */
export const recordEvent = async <Name extends EventKindName>(
  trx: Pick<Kysely<{ event_logs: EventLogsTable }>, 'insertInto'>,
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
