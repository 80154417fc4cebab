import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import type { PortalTables } from '../database/tables.ts';
import type { Figures } from './vendor.tables.ts';

export interface TakenFigures {
  readonly figures: Figures;
  readonly takenAt: Date;
}

/** A machine checks once in 24 hours, a little earlier rather than later. */
const overdueHours = 25;
const maxVersions = 12;
/** Counting reads every license; an overview that many look at must not do so each time. */
const maxAgeMs = 60_000;

/** Chosen at random; whoever counts holds it, and the others make do with what was counted last. */
const countingLock = 3_307_114_826;

/** The figures, counted at most once a minute for all processes together; null when they could not be counted in time. */
export const createReadFigures =
  (db: Kysely<PortalTables>, clock: Clock) => async (): Promise<TakenFigures | null> => {
    const last = await readLast(db);
    const ageMs = last ? clock.now().getTime() - last.takenAt.getTime() : Infinity;
    if (last && ageMs >= 0 && ageMs < maxAgeMs) return last;
    try {
      return (await takeAnew(db, clock.now())) ?? last;
    } catch (error) {
      if (isDatabaseUnavailable(error)) return last;
      throw error;
    }
  };

const readLast = async (db: Kysely<PortalTables>): Promise<TakenFigures | null> => {
  const row = await db.selectFrom('vendor_figures').selectAll().executeTakeFirst();
  return row ? { figures: row.figures, takenAt: row.taken_at } : null;
};

/** Null: somebody else is counting. */
const takeAnew = (db: Kysely<PortalTables>, now: Date): Promise<TakenFigures | null> =>
  db.transaction().execute(async (trx) => {
    const { rows: locks } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${countingLock}) as mine`.execute(trx);
    if (!locks[0]?.mine) return null;
    const figures = await count(trx, now);
    const row = { figures: JSON.stringify(figures), taken_at: now };
    await trx
      .insertInto('vendor_figures')
      .values(row)
      .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
      .execute();
    return { figures, takenAt: now };
  });

/** Licenses that are alike, and how many. */
interface Group {
  readonly state: 'active' | 'expired' | 'suspended' | 'revoked';
  /** Null: not on a machine. */
  readonly version: string | null;
  readonly is_overdue: boolean;
  readonly licenses: number;
}

const count = async (db: Kysely<PortalTables>, now: Date): Promise<Figures> => {
  const overdue = new Date(now.getTime() - overdueHours * 3_600_000);
  const { rows } = await sql<Group>`
    select
      case when status = 'active' and expires_at <= ${now} then 'expired' else status end as state,
      version,
      coalesce(last_validated_at, bound_at) < ${overdue} is true as is_overdue,
      count(*)::int as licenses
    from licenses left join machines on machines.license_id = licenses.id
    group by 1, 2, 3`.execute(db);
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
