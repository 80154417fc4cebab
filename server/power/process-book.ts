import type { Kysely } from 'kysely';
import type { ProcessReport } from '#contracts/agent-tasks.ts';
import type { Log } from '#runtime/log.ts';
import { longestAgeMs } from '../agent-tasks/believed-process.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { storableValue } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import { recordEvent } from '../events/record-event.ts';
import { type KnownProcess, processEvents } from './process-events.ts';

/** A report as it came: the same object for as long as no other one has come. */
export interface HeardProcess {
  readonly report: ProcessReport;
  readonly at: Date;
  /** False: it stands in the database, where the newest of a killed API may be missing. */
  readonly isCurrent: boolean;
}

export interface ProcessBookOptions {
  readonly db: Kysely<Tables>;
  /** Those in use. */
  readonly servers: {
    get(id: string): { readonly name: string } | null;
    all(): readonly { readonly id: string }[];
  };
  /** What the server's agent last told, as far as it is known; null: nothing. */
  readonly heardOf: (serverId: string) => HeardProcess | null;
  /** What `read` gives of this server is another one. */
  readonly onWritten: (serverId: string) => void;
  readonly log: Log;
}

/** What is known of games' processes, across agents that are away and restarts of the API, and the events that it leads to. */
export interface ProcessBook extends AsyncDisposable {
  /** Reads what was known before this process. May be called again. */
  prepare(): Promise<void>;
  /** An agent has told something of this server. */
  hear(serverId: string): void;
  /** Takes what no one has told of, and writes what the database did not take before. */
  look(): void;
  read(serverId: string): KnownProcess | null;
}

/** Reports of one server that wait for the database. */
const mostWaiting = 100;

export const createProcessBook = (options: ProcessBookOptions): ProcessBook => {
  const { db, servers, heardOf, onWritten, log } = options;
  /** As written down. */
  const written = new Map<string, KnownProcess>();
  /** The newest of each server, written down or waiting for it. */
  const heard = new Map<string, ProcessReport>();
  /** The oldest first: what came and went at once is told, too. */
  const waiting = new Map<string, HeardProcess[]>();
  const writing = new Map<string, Promise<void>>();
  let isPrepared = false;
  let isStopping = false;

  const writeOne = async (serverId: string, name: string, heardNow: HeardProcess): Promise<void> => {
    const { report, at, isCurrent } = heardNow;
    const before = written.get(serverId) ?? null;
    if (before && !isCurrent && at.getTime() <= before.atMs) return;
    const { known, events } = processEvents(before, storableValue(report), at.getTime());
    if (before === null || events.length > 0 || isOther(before.report, report))
      await db.transaction().execute(async (trx) => {
        const crashAt = known.crashAtMs === null ? null : new Date(known.crashAtMs);
        const row = { report: JSON.stringify(known.report), reported_at: at, crash_at: crashAt };
        await trx
          .insertInto('server_processes')
          .values({ server_id: serverId, ...row })
          .onConflict((conflict) => conflict.column('server_id').doUpdateSet(row))
          .execute();
        for (const event of events) {
          const options = { serverId, at: new Date(event.atMs) };
          if (event.kind === 'server.crashed')
            await recordEvent(trx, event.kind, { name, ...event.payload }, options);
          else if (event.kind === 'server.crash-looping')
            await recordEvent(trx, event.kind, { name, ...event.payload }, options);
          else await recordEvent(trx, event.kind, { name }, options);
        }
      });
    written.set(serverId, known);
  };
  const write = async (serverId: string, queue: HeardProcess[]): Promise<void> => {
    for (let next = queue[0]; next && !isStopping; next = queue[0]) {
      const name = servers.get(serverId)?.name;
      if (name === undefined) return void queue.splice(0);
      try {
        await writeOne(serverId, name, next);
      } catch (err) {
        if (mayPass(err)) throw err;
        // Written again it would fail again, and hold up all that comes after it.
        log.error({ err, serverId }, "a Game Agent's report of its game's process is lost");
      }
      queue.shift();
      onWritten(serverId);
    }
  };
  const writeAll = (serverId: string) => {
    const queue = waiting.get(serverId) ?? [];
    if (!isPrepared || isStopping || queue.length === 0 || writing.has(serverId)) return;
    const work = write(serverId, queue)
      // The next look tries again.
      .catch((error: unknown) => log.debug({ err: error }, 'a process could not be written down yet'))
      .finally(() => writing.delete(serverId));
    writing.set(serverId, work);
  };
  const hear = (serverId: string) => {
    const now = heardOf(serverId);
    if (!now || now.report === heard.get(serverId)) return;
    heard.set(serverId, now.report);
    const queue = waiting.get(serverId) ?? [];
    waiting.set(serverId, queue);
    // Not the first, which is being written.
    if (queue.push(now) > mostWaiting) queue.splice(1, 1);
    writeAll(serverId);
  };

  return {
    async prepare() {
      const rows = await db.selectFrom('server_processes').selectAll().execute();
      for (const { server_id: serverId, report, reported_at: at, crash_at: crashAt } of rows)
        if (!written.has(serverId)) written.set(serverId, knownOf(report, at, crashAt));
      isPrepared = true;
    },
    hear,
    look() {
      for (const { id } of servers.all()) {
        hear(id);
        writeAll(id);
      }
    },
    read: (serverId) => written.get(serverId) ?? null,
    async [Symbol.asyncDispose]() {
      isStopping = true;
      await Promise.all(writing.values());
    },
  };
};

/** The database may take it later: what it lacks is not in the report. */
const mayPass = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || /^(?:40|53|55|57|58)/.test((error as { code?: string }).code ?? '');

/** With a time of the crash that every clock can show, whatever was written down. */
const knownOf = (report: ProcessReport, at: Date, crashAt: Date | null): KnownProcess => ({
  report,
  atMs: at.getTime(),
  crashAtMs: crashAt && Math.max(crashAt.getTime(), at.getTime() - longestAgeMs),
});

/** What is worth a write: all but its age. */
const isOther = (one: ProcessReport, other: ProcessReport): boolean =>
  one.state !== other.state ||
  one.wanted !== other.wanted ||
  one.pid !== other.pid ||
  one.crashes !== other.crashes ||
  one.detail !== other.detail ||
  (one.lastCrash === null) !== (other.lastCrash === null);
