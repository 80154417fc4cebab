import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Log } from '#runtime/log.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import type { Tables } from '../database/tables.ts';

/** The leases of commands in flight: only the process that holds a command's lease may send it or end it. */
export interface Leases extends AsyncDisposable {
  /** The id of this API process. */
  readonly processId: string;
  /** Called once the schema is in place. Ends what the named processes held. Safe to call twice. */
  begin(): Promise<void>;
  /** Leases commands to this process, in the transaction in which they leave. */
  take(trx: Kysely<Tables>, commandIds: readonly string[]): Promise<void>;
  /** Asked right before the first byte leaves: whether at least 5 s of this process's lease are left. */
  maySend(commandId: string): boolean;
  /** While this process works on the command: resolves when it has ended. Null: it does not. */
  untilReleased(commandId: string): Promise<void> | null;
  /**
   * Leases commands in flight that no living process holds, among them those without a lease. The caller reads their
   * rows again before it ends them, and releases them.
   * @returns the ids of those that this process holds now
   */
  takeOver(commandIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Asked before a command without an answer is ended, since this process may have slept: renews the lease.
   * @returns whether this process still holds it
   */
  holds(commandId: string): Promise<boolean>;
  /** The end is stored, or this process no longer works on it. */
  release(commandIds: Iterable<string>): void;
  /** These processes have ended: no one waits for their deadlines. */
  endProcesses(processIds: readonly string[]): Promise<void>;
  /** Other API processes that live, as far as anyone can know. */
  otherProcesses(): Promise<string[]>;
}

export interface LeasesOptions {
  readonly db: Kysely<Tables>;
  /** Given by the supervisor; a process that was started alone makes its own. */
  readonly processId?: string | undefined;
  /** Processes that the supervisor saw end. */
  readonly endedProcesses?: readonly string[] | undefined;
  readonly log: Log;
  readonly timing?: Partial<LeaseTiming>;
}

/** In milliseconds. */
interface LeaseTiming {
  readonly leaseMs: number;
  /** How long after a lease was taken or renewed it is renewed. */
  readonly renewMs: number;
  /** How often to look for what must be renewed or has been released. */
  readonly tickMs: number;
  /** With less than this left, nothing is sent. */
  readonly leastMs: number;
}

const usualTiming: LeaseTiming = { leaseMs: 30_000, renewMs: 8000, tickMs: 2000, leastMs: 5000 };
/** A deadline further ahead was written by a database clock that has been set back since. */
const longestLease = sql`interval '10 minutes'`;

interface Lease {
  /** Both clocks before the lease was written: one may stand still while the machine sleeps, the other may be set. */
  takenAt: Clocks;
  /** It ran out at least once, so others may have ended the command: nothing is sent any more. */
  hasLapsed: boolean;
  readonly released: PromiseWithResolvers<void>;
}
interface Clocks {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

const readClocks = (): Clocks => ({ monotonicMs: performance.now(), wallMs: Date.now() });
const msSince = ({ monotonicMs, wallMs }: Clocks): number =>
  Math.max(performance.now() - monotonicMs, Date.now() - wallMs);

export const createLeases = (options: LeasesOptions): Leases => {
  const { db, processId = randomUUID(), endedProcesses = [], log } = options;
  const { leaseMs, renewMs, tickMs, leastMs } = { ...usualTiming, ...options.timing };
  const until = sql<Date>`clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`;
  const held = new Map<string, Lease>();
  /** Their rows are still to be deleted. */
  const released = new Set<string>();
  /** What they had sent to the database may still be carried out after their end. */
  const ended = new Set<string>();
  /** The statement that deletes them: beside it, a row that this process takes over again would be deleted, too. */
  let deleting: Promise<unknown> = Promise.resolve();
  let aliveAt: Clocks | null = null;
  let timer: NodeJS.Timeout | undefined;

  const newLease = (): Lease => ({
    takenAt: readClocks(),
    hasLapsed: false,
    released: Promise.withResolvers<void>(),
  });
  const drop = (commandId: string) => {
    const lease = held.get(commandId);
    held.delete(commandId);
    lease?.released.resolve();
  };

  const sayAlive = async () => {
    const now = readClocks();
    await sql`
      insert into api_processes (id, leased_until) values (${processId}, ${until})
      on conflict (id) do update set leased_until = excluded.leased_until`.execute(db);
    await sql`
      delete from api_processes
       where leased_until < clock_timestamp() - ${longestLease} or leased_until > clock_timestamp() + ${longestLease}`.execute(
      db,
    );
    aliveAt = now;
  };

  const renew = async (due: readonly (readonly [string, Lease])[]) => {
    if (due.length === 0) return;
    for (const [, lease] of due) lease.hasLapsed ||= msSince(lease.takenAt) >= leaseMs;
    const renewedAt = readClocks();
    const ids = due.map(([id]) => id).sort();
    const { rows } = await sql<{ command_id: string }>`
      with own as (
        select command_id from commands_in_flight
        where command_id = any (${ids}::text[]) and process_id = ${processId} order by command_id for update)
      update commands_in_flight set leased_until = ${until} from own
      where commands_in_flight.command_id = own.command_id returning commands_in_flight.command_id`.execute(
      db,
    );
    const renewed = new Set(rows.map(({ command_id }) => command_id));
    for (const [id, lease] of due) {
      if (renewed.has(id)) lease.takenAt = renewedAt;
      // Another process has taken it over, or its transaction never committed.
      else if (held.get(id) === lease) drop(id);
    }
  };

  const deleteReleased = async () => {
    const ids = [...released];
    if (ids.length === 0) return;
    deleting = db
      .deleteFrom('commands_in_flight')
      .where('command_id', '=', sql<string>`any (${ids}::text[])`)
      .where('process_id', '=', processId)
      .execute();
    await deleting;
    for (const id of ids) released.delete(id);
  };

  const tick = singleFlight(async () => {
    try {
      if (aliveAt === null || msSince(aliveAt) >= renewMs) await sayAlive();
      await renew([...held].filter(([, { takenAt }]) => msSince(takenAt) >= renewMs));
      await deleteReleased();
    } catch (err) {
      if (isDatabaseUnavailable(err)) log.debug({ err }, 'leases are waiting for the database');
      else log.error({ err }, 'could not renew the leases of commands');
    }
  });

  const endProcesses = async (processIds: readonly string[]) => {
    const others = processIds.filter((id) => id !== processId);
    if (others.length === 0) return;
    for (const id of others) ended.add(id);
    const named = sql<string>`any (${others}::text[])`;
    await db.deleteFrom('commands_in_flight').where('process_id', '=', named).execute();
    await db.deleteFrom('api_processes').where('id', '=', named).execute();
  };

  return {
    processId,
    async begin() {
      await endProcesses(endedProcesses);
      await sayAlive();
      timer ??= setInterval(() => void tick(), tickMs).unref();
    },
    async take(trx, commandIds) {
      if (commandIds.length === 0) return;
      for (const id of commandIds) {
        drop(id);
        held.set(id, newLease());
      }
      await sql`
        insert into commands_in_flight (command_id, process_id, leased_until)
        select id, ${processId}, ${until} from unnest(${[...commandIds]}::text[]) as id order by id`.execute(
        trx,
      );
    },
    maySend(commandId) {
      const lease = held.get(commandId);
      return lease !== undefined && !lease.hasLapsed && leaseMs - msSince(lease.takenAt) >= leastMs;
    },
    untilReleased: (commandId) => held.get(commandId)?.released.promise ?? null,
    async takeOver(commandIds) {
      const wanted = [...new Set(commandIds)].filter((id) => !held.has(id)).sort();
      if (wanted.length === 0) return new Set();
      // Before the statement: of two callers in this process only one gets it.
      for (const id of wanted) held.set(id, newLease());
      const own = wanted.filter((id) => released.delete(id));
      const taken = new Set<string>();
      try {
        await Promise.allSettled([deleting]);
        const { rows } = await sql<{ command_id: string }>`
          insert into commands_in_flight as flight (command_id, process_id, leased_until)
          select id, ${processId}, ${until} from unnest(${wanted}::text[]) as id order by id
          on conflict (command_id) do update
            set process_id = excluded.process_id, leased_until = excluded.leased_until
            where flight.process_id = any (${[processId, ...ended]}::text[])
              or flight.leased_until <= clock_timestamp()
              or flight.leased_until > clock_timestamp() + ${longestLease}
          returning command_id`.execute(db);
        for (const { command_id } of rows) taken.add(command_id);
      } finally {
        for (const id of wanted) if (!taken.has(id)) drop(id);
        for (const id of own) if (!taken.has(id)) released.add(id);
      }
      return taken;
    },
    async holds(commandId) {
      const lease = held.get(commandId);
      if (lease) await renew([[commandId, lease]]);
      return held.has(commandId);
    },
    release(commandIds) {
      for (const id of commandIds) {
        if (!held.has(id)) continue;
        drop(id);
        released.add(id);
      }
    },
    endProcesses,
    async otherProcesses() {
      const rows = await db
        .selectFrom('api_processes')
        .select('id')
        .where('id', '<>', processId)
        .where('leased_until', '>', sql<Date>`clock_timestamp()`)
        .where('leased_until', '<=', sql<Date>`clock_timestamp() + ${longestLease}`)
        .execute();
      return rows.map(({ id }) => id);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await tick.underWay();
      if (aliveAt === null) return;
      // What is still in flight is recovered by the next process at once.
      for (const id of [...held.keys()]) drop(id);
      await db
        .deleteFrom('commands_in_flight')
        .where('process_id', '=', processId)
        .execute()
        .then(() => db.deleteFrom('api_processes').where('id', '=', processId).execute())
        .catch((err: unknown) => log.debug({ err }, 'could not give the leases back'));
    },
  };
};
