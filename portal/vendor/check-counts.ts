import { type Kysely, type Selectable, sql } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import type { Log } from '#runtime/log.ts';
import type { PortalTables } from '../database/tables.ts';
import type { LicenseAnswer } from '../licenses/license-answer.ts';

export type CheckOutcome = Selectable<PortalTables['check_counts']>['outcome'];

export interface HourOfChecks extends Readonly<Record<CheckOutcome, number>> {
  /** The beginning of the hour. */
  readonly hour: Date;
}

export interface CheckCounts {
  /** Counts one answer to a daily check, in memory. */
  note(outcome: LicenseAnswer['outcome']): void;
  /** Adds the counts to the table. A killed process loses what it has not written yet: this is for a chart, not for billing. */
  write(): Promise<void>;
  /** The last hours, the current one last; includes other processes' counts, up to a minute late. */
  lastHours(count: number): Promise<readonly HourOfChecks[]>;
}

const hourMs = 3_600_000;
const keptDays = 90;
const writeIntervalMs = 60_000;
const outcomes = {
  token: 'renewed',
  refused: 'refused',
  'rate-limited': 'limited',
} as const satisfies Record<LicenseAnswer['outcome'], CheckOutcome>;

const hourOf = (at: Date): number => Math.floor(at.getTime() / hourMs) * hourMs;

export const createCheckCounts = (db: Kysely<PortalTables>, clock: Clock): CheckCounts => {
  let noted = new Map<number, Record<CheckOutcome, number>>();

  const ofHour = (hour: number) => {
    const known = noted.get(hour);
    if (known) return known;
    const fresh = { renewed: 0, refused: 0, limited: 0 };
    noted.set(hour, fresh);
    return fresh;
  };

  const add = async (rows: readonly { hour: number; outcome: CheckOutcome; checks: number }[]) => {
    // In a fixed order, so that two processes that write at the same time cannot deadlock.
    await sql`
      insert into check_counts as kept (hour, outcome, checks)
      select * from unnest(
        ${rows.map(({ hour }) => new Date(hour))}::timestamptz[],
        ${rows.map(({ outcome }) => outcome)}::text[],
        ${rows.map(({ checks }) => checks)}::bigint[]
      ) as sent(hour, outcome, checks)
      order by hour, outcome
      on conflict (hour, outcome) do update set checks = kept.checks + excluded.checks`.execute(db);
  };

  return {
    note(outcome) {
      ofHour(hourOf(clock.now()))[outcomes[outcome]] += 1;
    },

    async write() {
      const taken = noted;
      noted = new Map();
      const rows = [...taken].flatMap(([hour, counts]) =>
        (Object.entries(counts) as [CheckOutcome, number][])
          .filter(([, checks]) => checks > 0)
          .map(([outcome, checks]) => ({ hour, outcome, checks })),
      );
      if (rows.length === 0) return;
      try {
        await add(rows);
      } catch (error) {
        for (const { hour, outcome, checks } of rows) ofHour(hour)[outcome] += checks;
        throw error;
      }
      const oldest = new Date(clock.now().getTime() - keptDays * 24 * hourMs);
      await db.deleteFrom('check_counts').where('hour', '<', oldest).execute();
    },

    async lastHours(count) {
      const present = hourOf(clock.now());
      const first = present - (count - 1) * hourMs;
      const rows = await db
        .selectFrom('check_counts')
        .selectAll()
        .where('hour', '>=', new Date(first))
        .where('hour', '<=', new Date(present))
        .execute();
      const checksOf = new Map(
        rows.map((row) => [`${row.hour.getTime()} ${row.outcome}`, Number(row.checks)]),
      );
      const at = (hour: number, outcome: CheckOutcome) => checksOf.get(`${hour} ${outcome}`) ?? 0;
      return Array.from({ length: count }, (_, index) => {
        const hour = first + index * hourMs;
        return {
          hour: new Date(hour),
          renewed: at(hour, 'renewed'),
          refused: at(hour, 'refused'),
          limited: at(hour, 'limited'),
        };
      });
    },
  };
};

/** Writes every minute, and once more at the end. */
export const keepCountingChecks = (checks: CheckCounts, log: Log): AsyncDisposable => {
  const write = () =>
    checks.write().catch((error: unknown) => log.warn({ err: error }, 'could not write check counts'));
  const timer = setInterval(() => void write(), writeIntervalMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await write();
    },
  };
};
