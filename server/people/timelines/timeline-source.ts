import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { TimelineEntry, TimelineKind } from '#contracts/people/timelines.ts';
import type { PlayerScope } from '../../kernel/access/player-scope.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** Whose timeline it is, and what of it the caller may see. */
export interface Subject {
  readonly playerIds: readonly string[];
  /** Includes the member's other players if the caller may see members: a ban means the person. */
  readonly bannedPlayerIds: readonly string[];
  /** Includes members merged into it; empty if the caller may not see members. */
  readonly memberIds: readonly string[];
  /** The remaining one of them; null if the caller may not see members. */
  readonly memberId: string | null;
  readonly discordId: string | null;
  /** Where the caller may see players. */
  readonly visits: PlayerScope;
  readonly bans: PlayerScope;
  /** Where the caller may see which commands were given. */
  readonly commands: PlayerScope;
  readonly seesChat: boolean;
  readonly seesOrders: boolean;
  readonly seesActs: boolean;
}

/** The position of an entry: entries are sorted by time, then by the rank of their source, then by id. */
export interface TimelinePosition {
  readonly at: Date;
  readonly rank: number;
  readonly id: string;
}

/** At most `limit` rows before `below` in time, none older than `since`. */
export interface SourceBounds {
  readonly below: { readonly at: Date; readonly id: string };
  readonly since: Date;
  readonly limit: number;
}

/** Every member of the union without the fields that all entries have. */
export type Told = TimelineEntry extends infer Entry
  ? Entry extends TimelineEntry
    ? Omit<Entry, 'id' | 'at'>
    : never
  : never;

/** One table with information about people. */
export interface TimelineSource {
  /** Part of cursors and ids, so it never changes. */
  readonly rank: number;
  readonly kind: TimelineKind;
  /** The newest rows as `at` and `id`; null if the caller sees none. */
  newest(subject: Subject, bounds: SourceBounds): RawBuilder<unknown> | null;
  /** The entries for these rows, by id. */
  tell(db: Kysely<Tables>, subject: Subject, ids: readonly string[]): Promise<ReadonlyMap<string, Told>>;
}

/** Per owner, so that an index on owner, time and id yields the newest rows without a sort. */
export const newestOf = (
  piece: {
    readonly table: RawBuilder<unknown>;
    /** The column, or indexed expression, that identifies the owner of a row. */
    readonly owner: RawBuilder<unknown>;
    readonly owners: readonly string[];
    readonly ownerType: 'bigint' | 'text';
    readonly at: RawBuilder<unknown>;
    readonly id: RawBuilder<unknown>;
    readonly where?: RawBuilder<unknown>;
  },
  { below, since, limit }: SourceBounds,
): RawBuilder<unknown> => {
  const { table, owner, owners, ownerType, at, id, where = sql`true` } = piece;
  return sql`
    select found.at, found.id from unnest(${owners}::${sql.raw(ownerType)}[]) as whose (id)
    cross join lateral (
      select ${at} as at, ${id} as id from ${table}
      where ${owner} = whose.id and (${at}, ${id}) < (${below.at}, ${below.id}::bigint) and ${at} >= ${since} and ${where}
      order by ${at} desc, ${id} desc limit ${limit}
    ) as found`;
};

/** Condition on a server's id. */
export const inScope = (scope: PlayerScope, serverId: RawBuilder<unknown>): RawBuilder<unknown> =>
  scope === null ? sql`true` : sql`${serverId} = any (${scope}::text[])`;

export const toldBy = (row: { readonly actor: string; readonly actor_name: string | null }) => ({
  actor: row.actor,
  name: row.actor_name,
});

export const toldById = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  tell: (row: Row) => Told,
): ReadonlyMap<string, Told> => new Map(rows.map((row) => [row.id, tell(row)]));
