import type { Kysely } from 'kysely';
import type { MachineFacts, ProcessReport } from '#contracts/servers/agent-tasks.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { believedProcess } from './believed-process.ts';

interface KnownReport {
  /** The agent's process that reported it, by the journal of its hello. */
  readonly journal: string;
  readonly taskJournal: string;
  readonly machine: MachineFacts;
  readonly machineAt: Date;
  readonly process: ProcessReport | null;
  readonly processAt: Date | null;
  /** The agent has reported it since it opened its lane, or continues without reporting it again. */
  readonly isProcessOfNow: boolean;
}

/** What agents last reported about their machines; written a little later, however often it changes. */
export type AgentReports = ReturnType<typeof createAgentReports>;

/** Seven values each; a statement takes 65,535. */
const mostAtOnce = 500;

export const createAgentReports = (db: Kysely<Tables>, log: Log) => {
  const reports = new Map<string, KnownReport>();
  const unwritten = new Set<string>();

  /** In one statement: many agents arrive at once after a restart. */
  const write = (told: readonly (readonly [string, KnownReport])[]) =>
    db
      .insertInto('agent_reports')
      .values(
        told.map(([serverId, report]) => ({
          server_id: serverId,
          journal: report.journal,
          task_journal: report.taskJournal,
          machine: JSON.stringify(report.machine),
          machine_at: report.machineAt,
          process: report.process && JSON.stringify(report.process),
          process_at: report.processAt,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('server_id').doUpdateSet(({ ref }) => ({
          journal: ref('excluded.journal'),
          task_journal: ref('excluded.task_journal'),
          machine: ref('excluded.machine'),
          machine_at: ref('excluded.machine_at'),
          process: ref('excluded.process'),
          process_at: ref('excluded.process_at'),
        })),
      )
      .execute();
  /** A row that the database refuses, such as one of a deleted server, must not block the others. */
  const writeEach = async (told: readonly (readonly [string, KnownReport])[]) => {
    for (const one of told) {
      try {
        await write([one]);
      } catch (err) {
        log.debug({ err }, "could not store a Game Agent's machine facts yet");
        unwritten.add(one[0]);
      }
    }
  };

  const set = (serverId: string, report: KnownReport) => {
    reports.set(serverId, report);
    unwritten.add(serverId);
  };

  return {
    async load(): Promise<void> {
      const rows = await db.selectFrom('agent_reports').selectAll().execute();
      for (const row of rows)
        reports.set(row.server_id, {
          journal: row.journal,
          taskJournal: row.task_journal,
          machine: row.machine,
          machineAt: row.machine_at,
          process: row.process && believedProcess(row.process),
          processAt: row.process_at,
          isProcessOfNow: row.process_at !== null && row.process_at >= row.machine_at,
        });
    },
    get: (serverId: string): KnownReport | null => reports.get(serverId) ?? null,
    /** @param isSameLink it was reported on this connection before, and the reported process still holds */
    tellMachine(
      serverId: string,
      told: Pick<KnownReport, 'journal' | 'taskJournal' | 'machine'>,
      isSameLink: boolean,
    ): void {
      const known = reports.get(serverId);
      const { process = null, processAt = null, isProcessOfNow = false } = known ?? {};
      // Later than what was reported before, so that a later process of the API can tell, too, even if the clock was set back.
      const machineAt = notBefore(processAt === null ? 0 : processAt.getTime() + 1);
      set(serverId, {
        ...told,
        machineAt,
        process,
        processAt,
        isProcessOfNow: isSameLink && isProcessOfNow,
      });
    },
    /** @returns false if nothing is known about the machine */
    tellProcess(serverId: string, process: ProcessReport): boolean {
      const known = reports.get(serverId);
      if (!known) return false;
      const processAt = notBefore(known.machineAt.getTime());
      set(serverId, { ...known, process: believedProcess(process), processAt, isProcessOfNow: true });
      return true;
    },
    /** Writes what has changed. Never fails: what the database does not take is written later. */
    async flush(): Promise<void> {
      const ids = [...unwritten];
      unwritten.clear();
      for (let at = 0; at < ids.length; at += mostAtOnce) {
        const told = ids.slice(at, at + mostAtOnce).flatMap((serverId) => {
          const report = reports.get(serverId);
          return report ? [[serverId, report] as const] : [];
        });
        if (told.length > 0) await write(told).catch(() => writeEach(told));
      }
    },
    /** In the caller's transaction. */
    async remove(trx: Kysely<Tables>, serverId: string): Promise<void> {
      await trx.deleteFrom('agent_reports').where('server_id', '=', serverId).execute();
    },
    /** Called once that has committed. */
    forget(serverId: string): void {
      reports.delete(serverId);
      unwritten.delete(serverId);
    },
  };
};

const notBefore = (ms: number): Date => new Date(Math.max(Date.now(), ms));
