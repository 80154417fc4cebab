import type { Kysely } from 'kysely';
import type { MachineFacts, ProcessReport } from '#contracts/agent-tasks.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../database/tables.ts';

export interface KnownReport {
  /** The agent's process that told it, by the journal of its hello. */
  readonly journal: string;
  readonly taskJournal: string;
  readonly machine: MachineFacts;
  readonly machineAt: Date;
  readonly process: ProcessReport | null;
  readonly processAt: Date | null;
}

/** What agents last told of their machines; written down a little later, however often it changes. */
export interface AgentReports {
  load(): Promise<void>;
  get(serverId: string): KnownReport | null;
  set(serverId: string, report: KnownReport): void;
  /** Writes down what has changed. Never fails: what the database does not take is written later. */
  flush(): Promise<void>;
  /** In the caller's transaction. */
  remove(db: Kysely<Tables>, serverId: string): Promise<void>;
  /** Once that has committed. */
  forget(serverId: string): void;
}

export const createAgentReports = (db: Kysely<Tables>, log: Log): AgentReports => {
  const reports = new Map<string, KnownReport>();
  const unwritten = new Set<string>();

  const write = async (serverId: string, report: KnownReport) => {
    const told = {
      journal: report.journal,
      task_journal: report.taskJournal,
      machine: JSON.stringify(report.machine),
      machine_at: report.machineAt,
      process: report.process && JSON.stringify(report.process),
      process_at: report.processAt,
    };
    await db
      .insertInto('agent_reports')
      .values({ server_id: serverId, ...told })
      .onConflict((conflict) => conflict.column('server_id').doUpdateSet(told))
      .execute();
  };

  return {
    async load() {
      const rows = await db.selectFrom('agent_reports').selectAll().execute();
      for (const row of rows)
        reports.set(row.server_id, {
          journal: row.journal,
          taskJournal: row.task_journal,
          machine: row.machine,
          machineAt: row.machine_at,
          process: row.process,
          processAt: row.process_at,
        });
    },
    get: (serverId) => reports.get(serverId) ?? null,
    set(serverId, report) {
      reports.set(serverId, report);
      unwritten.add(serverId);
    },
    async flush() {
      for (const serverId of [...unwritten]) {
        const report = reports.get(serverId);
        unwritten.delete(serverId);
        if (!report) continue;
        try {
          await write(serverId, report);
        } catch (err) {
          log.debug({ err }, 'what a Game Agent told of its machine is not written down yet');
          unwritten.add(serverId);
        }
      }
    },
    async remove(trx, serverId) {
      await trx.deleteFrom('agent_reports').where('server_id', '=', serverId).execute();
    },
    forget(serverId) {
      reports.delete(serverId);
      unwritten.delete(serverId);
    },
  };
};
