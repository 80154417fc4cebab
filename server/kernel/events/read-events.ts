import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { EventFilter } from '#contracts/kernel/events.ts';
import { type EventRow, type Severity, severities } from '#contracts/operations/event-row.ts';
import type { Tables } from '../database/tables.ts';
import { boundsOf, type LogBounds } from '../logs/log-bounds.ts';
import type { LogSlice } from '../logs/log-page.ts';

export interface StoredEvent {
  readonly id: string;
  readonly at: Date;
  readonly kind: string;
  readonly severity: Severity;
  readonly server_id: string | null;
  readonly payload: Record<string, unknown>;
}

export const eventRowOf = ({ id, at, kind, severity, server_id, payload }: StoredEvent): EventRow => ({
  id,
  at: at.toISOString(),
  kind,
  severity,
  serverId: server_id,
  payload,
});

const columns = sql.raw('id, at, kind, severity, server_id, payload');

/** A piece of the event log. However large the log, and however rare the match: never a scan. */
export const readEvents = async (
  db: Kysely<Tables>,
  filter: EventFilter,
  retentionDays: number,
  slice: LogSlice,
): Promise<readonly StoredEvent[]> => {
  const bounds = boundsOf(filter, retentionDays, slice);
  const direction = sql.raw(slice.order === 'newest first' ? 'desc' : 'asc');
  const isFiltered = filter.kind ?? filter.severity ?? filter.serverId;
  const statement =
    filter.person !== undefined
      ? ofPerson(filter.person, filter, bounds, direction, slice.limit)
      : isFiltered
        ? filtered(filter, bounds, direction, slice.limit)
        : all(bounds, direction, slice.limit);
  const { rows } = await sql<StoredEvent>`${statement}`.execute(db);
  return rows;
};

const all = ({ lower, upper }: LogBounds, direction: RawBuilder<unknown>, limit: number) => sql`
  select ${columns} from event_logs
  where (at, id) > (${lower.at}, ${lower.id}) and (at, id) < (${upper.at}, ${upper.id})
  order by at ${direction}, id ${direction} limit ${limit}`;

/**
 * Everything about one person is read as a range of its own index, and sorted by all of it, for the reason below; the
 * other filters are applied to these rows.
 */
const ofPerson = (
  person: string,
  { kind, severity, serverId }: EventFilter,
  { lower, upper }: LogBounds,
  direction: RawBuilder<unknown>,
  limit: number,
) => {
  const field = person.slice(0, person.indexOf(':')) === 'player' ? 'playerId' : 'adminId';
  const id = person.slice(person.indexOf(':') + 1);
  const who = sql.raw(`coalesce(payload ->> 'playerId', payload ->> 'adminId')`);
  const conditions = [
    sql`(${who}, at, id) > (${id}, ${lower.at}, ${lower.id})`,
    sql`(${who}, at, id) < (${id}, ${upper.at}, ${upper.id})`,
    sql`payload ->> ${field} = ${id}`,
  ];
  if (kind) conditions.push(sql`kind = any (${kind}::text[])`);
  if (severity) conditions.push(sql`severity = any (${severity}::text[])`);
  if (serverId !== undefined) conditions.push(sql`server_id = ${serverId}`);
  return sql`
    select ${columns} from event_logs where ${who} is not null and ${sql.join(conditions, sql` and `)}
    order by ${who} ${direction}, at ${direction}, id ${direction} limit ${limit}`;
};

/**
 * Each combination of kind and severity is read by itself and the results are merged. It is read as a range of the
 * index on (kind, severity, at, id), or on the same after server_id, and sorted by all of it: no other index gives that
 * order, so the planner does not use the one on time for a kind that it believes to be common and read the whole log in
 * search of it.
 */
const filtered = (
  filter: EventFilter,
  { lower, upper }: LogBounds,
  direction: RawBuilder<unknown>,
  limit: number,
) => {
  const { index, valuesOf, isInIndex } = indexFor(filter.serverId);
  const place = [...index, 'at', 'id'].map((column) => sql.ref(column));
  const here = sql.join(place);
  const order = sql.join(place.map((column) => sql`${column} ${direction}`));
  return sql`
    with recursive ${wantedOf(filter)}
    select found.* from wanted cross join lateral (
      select ${columns} from event_logs
      where (${here}) > (${valuesOf('wanted')}, ${lower.at}, ${lower.id})
        and (${here}) < (${valuesOf('wanted')}, ${upper.at}, ${upper.id}) and ${isInIndex}
      order by ${order} limit ${limit}
    ) as found
    order by at ${direction}, id ${direction} limit ${limit}`;
};

/** The combinations of kind and severity to look for, as the table `wanted`. */
const wantedOf = (filter: EventFilter): RawBuilder<unknown> => {
  const { kind, serverId } = filter;
  const severity: readonly Severity[] = filter.severity ?? severities;
  if (kind)
    return sql`wanted as (
      select distinct kind, severity from unnest(${kind}::text[]) as kind, unnest(${severity}::text[]) as severity
    )`;
  const { index, valuesOf, isInIndex } = indexFor(serverId);
  const here = sql.join(index.map((column) => sql.ref(column)));
  const descending = sql.join(index.map((column) => sql`${sql.ref(column)} desc`));
  const [fromTop, toBottom] =
    serverId === undefined
      ? [sql`true`, sql`true`]
      : [sql`server_id <= ${serverId}`, sql`server_id >= ${serverId}`];
  // From the highest existing combination to the next lower one: as many steps as there are combinations.
  return sql`present as (
      (select kind, severity from event_logs where ${fromTop} and ${toBottom} and ${isInIndex}
       order by ${descending} limit 1)
      union all
      select lower.kind, lower.severity from present cross join lateral (
        select kind, severity from event_logs where (${here}) < (${valuesOf('present')}) and ${toBottom} and ${isInIndex}
        order by ${descending} limit 1
      ) as lower
    ), wanted as (
      select kind, severity from present where severity = any (${severity})
    )`;
};

/** The columns before (at, id) of the index to use, and their values for a combination in a row of `table`. */
const indexFor = (serverId: string | undefined) => {
  const ofKind = (table: string) => sql`${sql.ref(`${table}.kind`)}, ${sql.ref(`${table}.severity`)}`;
  return serverId === undefined
    ? { index: ['kind', 'severity'], valuesOf: ofKind, isInIndex: sql`true` }
    : {
        index: ['server_id', 'kind', 'severity'],
        valuesOf: (table: string) => sql`${serverId}, ${ofKind(table)}`,
        isInIndex: sql`server_id is not null`,
      };
};
