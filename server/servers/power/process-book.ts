import { isSameFault } from '#contracts/kernel/program-faults.ts';
import { storableValue } from '#contracts/kernel/storable-text.ts';
import type { ProcessReport } from '#contracts/servers/agent-tasks.ts';
import { isDatabaseUnavailable } from '../../kernel/database/database-fault.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { longestAgeMs } from '../agent-tasks/believed-process.ts';
import type { AgentTasks } from '../agent-tasks.ts';
import type { ServerDirectory } from '../game-servers/server-directory.ts';
import { type KnownProcess, processEvents } from './process-events.ts';

/** A report as received: the same object until another one comes. */
interface HeardProcess {
  readonly report: ProcessReport;
  readonly at: Date;
  /** False: it comes from the database, which may lack the newest report of a killed API. */
  readonly isCurrent: boolean;
}

/** How many reports of one server may wait for the database. */
const mostWaiting = 100;

/** What is known about games' processes, across absent agents and restarts of the API, and the resulting events. */
export const createProcessBook = ({
  db,
  directory,
  tasks,
  onWritten,
  log,
}: Pick<Kernel, 'db' | 'log'> & {
  readonly directory: ServerDirectory;
  readonly tasks: AgentTasks;
  /** The result of `read` for this server has changed. */
  readonly onWritten: (serverId: string) => void;
}) => {
  /** As written to the database. */
  const written = new Map<string, KnownProcess>();
  /** The newest report of each server, written or waiting. */
  const heard = new Map<string, ProcessReport>();
  /** Oldest first, so that short-lived states are reported, too. */
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
          else if (event.kind === 'server.program-fault')
            await recordEvent(trx, event.kind, { name, ...event.payload }, options);
          else await recordEvent(trx, event.kind, { name }, options);
        }
      });
    written.set(serverId, known);
  };
  const write = async (serverId: string, queue: HeardProcess[]): Promise<void> => {
    for (let next = queue[0]; next && !isStopping; next = queue[0]) {
      const name = directory.get(serverId)?.name;
      if (name === undefined) return void queue.splice(0);
      try {
        await writeOne(serverId, name, next);
      } catch (err) {
        if (mayPass(err)) throw err;
        // A second try would fail as well, and hold up everything after it.
        log.error({ err, serverId }, "lost a Game Agent's report on its game process");
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
      .catch((error: unknown) => log.debug({ err: error }, 'could not store a process report yet'))
      .finally(() => writing.delete(serverId));
    writing.set(serverId, work);
  };
  const hear = (serverId: string) => {
    const { process } = tasks.machineOf(serverId);
    if (!process || process.report === heard.get(serverId)) return;
    heard.set(serverId, process.report);
    const queue = waiting.get(serverId) ?? [];
    waiting.set(serverId, queue);
    // Not the first, which is being written.
    if (queue.push({ ...process, at: new Date(process.at) }) > mostWaiting) queue.splice(1, 1);
    writeAll(serverId);
  };

  return {
    /** Reads what was known before this process. May be called again. */
    async prepare(): Promise<void> {
      const rows = await db.selectFrom('server_processes').selectAll().execute();
      for (const { server_id: serverId, report, reported_at: at, crash_at: crashAt } of rows)
        if (!written.has(serverId)) written.set(serverId, knownOf(report, at, crashAt));
      isPrepared = true;
    },
    /** An agent has reported something about this server. */
    hear,
    /** Takes reports that were not announced, and writes what the database did not accept before. */
    look(): void {
      for (const { id } of directory.all()) {
        hear(id);
        writeAll(id);
      }
    },
    read: (serverId: string): KnownProcess | null => written.get(serverId) ?? null,
    async [Symbol.asyncDispose]() {
      isStopping = true;
      await Promise.all(writing.values());
    },
  };
};

/** The database may accept it later: the problem is not in the report. */
const mayPass = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || /^(?:40|53|55|57|58)/.test((error as { code?: string }).code ?? '');

/** With a crash time that every clock can show, whatever was stored. */
const knownOf = (report: ProcessReport, at: Date, crashAt: Date | null): KnownProcess => ({
  report,
  atMs: at.getTime(),
  crashAtMs: crashAt && Math.max(crashAt.getTime(), at.getTime() - longestAgeMs),
});

/** Whether a change is worth a write: everything but the age is. */
const isOther = (one: ProcessReport, other: ProcessReport): boolean =>
  one.state !== other.state ||
  one.wanted !== other.wanted ||
  one.pid !== other.pid ||
  one.crashes !== other.crashes ||
  one.detail !== other.detail ||
  !isSameFault(one.program ?? null, other.program ?? null) ||
  (one.lastCrash === null) !== (other.lastCrash === null);
