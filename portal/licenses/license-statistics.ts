import { type Kysely, sql } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { within } from '#runtime/within.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import type { Figures } from '../database/stored-values.ts';
import type { PortalTables } from '../database/tables.ts';

export interface LicenseStatistics {
  readonly figures: Figures;
  readonly takenAt: Date;
}

/** A machine checks once in 24 hours, rather a little earlier than later. */
const overdueHours = 25;
const maxVersions = 12;
/** Counting reads every license; a frequently viewed overview must not do so each time. */
const maxAgeMs = 60_000;

/** Counted by one statement, well within its time limit, however many licenses there are. */
const rowsPerSlice = 50_000;
/** How long a page waits for the count; a long one continues, and is there at the next view. */
const patienceMs = 2000;

/** The figures, counted at most once a minute by each process; null if they have not been counted yet. */
export const createReadLicenseStatistics = (db: Kysely<PortalTables>, clock: Clock) => {
  const count = singleFlight(() => countAnew(db, clock.now()));

  return async (): Promise<LicenseStatistics | null> => {
    const last = await readLast(db);
    const ageMs = last ? clock.now().getTime() - last.takenAt.getTime() : Infinity;
    if (last && ageMs >= 0 && ageMs < maxAgeMs) return last;
    try {
      await within(patienceMs, count(), () => undefined);
      return await readLast(db);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return last;
      throw error;
    }
  };
};

const readLast = async (db: Kysely<PortalTables>): Promise<LicenseStatistics | null> => {
  const row = await db.selectFrom('vendor_figures').selectAll().executeTakeFirst();
  return row ? { figures: row.figures, takenAt: row.taken_at } : null;
};

const countAnew = async (db: Kysely<PortalTables>, now: Date): Promise<void> => {
  const groups: Group[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const slice: readonly Group[] = await countSlice(db, after, now);
    groups.push(...slice);
    after = slice[0]?.last;
  }
  const row = { figures: JSON.stringify(figuresOf(groups)), taken_at: now };
  await db
    .insertInto('vendor_figures')
    .values(row)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
    .execute();
};

/** A number of similar licenses. */
interface Group {
  readonly state: 'active' | 'expired' | 'suspended' | 'revoked';
  /** Null: not on a machine. */
  readonly version: string | null;
  readonly is_overdue: boolean;
  readonly licenses: number;
  /** Id of the last license in the slice. */
  readonly last: string;
}

/** Empty after the last license. */
const countSlice = async (db: Kysely<PortalTables>, after: string, now: Date): Promise<readonly Group[]> => {
  const overdue = new Date(now.getTime() - overdueHours * 3_600_000);
  const { rows } = await sql<Group>`
    with slice as materialized (
      select id, status, expires_at from licenses where id > ${after} order by id limit ${rowsPerSlice}
    )
    select
      case when status = 'active' and expires_at <= ${now} then 'expired' else status end as state,
      version,
      coalesce(last_validated_at, bound_at) < ${overdue} is true as is_overdue,
      count(*)::int as licenses,
      (select max(id) from slice) as last
    from slice left join machines on machines.license_id = slice.id
    group by 1, 2, 3`.execute(db);
  return rows;
};

const figuresOf = (rows: readonly Group[]): Figures => {
  const sum = (wanted: (group: Group) => boolean) =>
    rows.filter(wanted).reduce((total, { licenses }) => total + licenses, 0);
  const isBound = ({ state, version }: Group) => state === 'active' && version !== null;
  const machinesOf = new Map<string, number>();
  for (const { version, licenses } of rows.filter(isBound))
    machinesOf.set(version ?? '', (machinesOf.get(version ?? '') ?? 0) + licenses);
  return {
    active: sum(({ state }) => state === 'active'),
    expired: sum(({ state }) => state === 'expired'),
    suspended: sum(({ state }) => state === 'suspended'),
    revoked: sum(({ state }) => state === 'revoked'),
    bound: sum(isBound),
    inGrace: sum((group) => group.is_overdue && isBound(group)),
    versions: [...machinesOf]
      .map(([version, machines]) => ({ version, machines }))
      .toSorted((one, other) => other.machines - one.machines)
      .slice(0, maxVersions),
  };
};
