import { type Selectable, sql } from 'kysely';
import { problems } from '#contracts/kernel/problems.ts';
import { valueFault } from '#contracts/kernel/value-faults.ts';
import type { MachineFacts, SavesSchedule } from '#contracts/servers/agent-tasks.ts';
import type { RequestedSchedule, ScheduleObstacle } from '#contracts/servers/saves.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { SavesList } from '../../kernel/database/stored-values.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { AgentTasks } from '../agent-tasks.ts';
import type { ServerDirectory } from '../game-servers/server-directory.ts';
import { type KeptLists, savesActor } from './kept-lists.ts';

type Row = Pick<Selectable<Tables['saves_schedules']>, 'version' | 'at_minute' | 'keep' | 'days' | 'failure'>;

const expiresInMs = 10_000;
const waitMs = 20_000;
/** The same schedule is sent again over the same connection no more often than this. */
const restMs = 60_000;

const requestedIn = ({ at_minute: atMinute, keep, days }: Row): SavesSchedule | null =>
  atMinute === null || keep === null || days === null ? null : { atMinute, keep, days };

const isSame = (one: SavesSchedule | null, other: SavesSchedule | null): boolean =>
  one?.atMinute === other?.atMinute && one?.keep === other?.keep && one?.days === other?.days;

/** Why a schedule cannot be set; null: it can, and waits for an agent that is away. */
const obstacleTo = (
  isArchived: boolean,
  facts: MachineFacts | null,
  list: SavesList | null,
): ScheduleObstacle | null => {
  if (isArchived) return 'SERVER_ARCHIVED';
  if (facts === null) return 'SAVES_AGENT_AWAY';
  if (facts.folder === null) return 'SAVES_FOLDER_UNKNOWN';
  if (!facts.tasks.includes('schedule-saves')) return 'SAVES_AGENT_TOO_OLD';
  if (facts.allows.backups !== true) return 'SAVES_SCHEDULE_NOT_ALLOWED';
  return list?.schedule ? null : 'SAVES_AGENT_AWAY';
};

const stateOf = (
  row: Row | undefined,
  list: SavesList | null,
  obstacle: ScheduleObstacle | null,
): RequestedSchedule['state'] => {
  const requested = row ? requestedIn(row) : null;
  const panel = list?.schedule?.panel ?? null;
  if (!row || row.version === 0 || isSame(requested, panel))
    return requested === null && panel === null ? 'none' : 'applied';
  if (obstacle === 'SAVES_SCHEDULE_NOT_ALLOWED') return requested === null ? 'none' : 'ended';
  return row.failure === null ? 'waiting' : 'failed';
};

/** The machine keeps more than is asked for. */
const belowLeast = (schedule: SavesSchedule, list: SavesList | null): Refusal | null => {
  const { least } = list?.schedule ?? {};
  for (const name of ['keep', 'days'] as const) {
    if (!least || schedule[name] >= least[name]) continue;
    const fault = valueFault('machine-keeps', least[name]);
    return { refused: 'INVALID_REQUEST', detail: fault.message, field: `body.schedule.${name}`, fault };
  }
  return null;
};

/**
 * When saves are backed up, as people set it in the panel. A schedule goes to the agent whenever a list of the agent says that another
 * one applies: after a change, when the agent comes back, and when its machine allows it again.
 */
export const createSavesSchedules = ({
  db,
  directory,
  tasks,
  lists,
  log,
}: Pick<Kernel, 'db' | 'log'> & {
  readonly directory: ServerDirectory;
  readonly tasks: AgentTasks;
  readonly lists: KeptLists;
}) => {
  /** One at a time for each server. */
  const sending = new Set<string>();
  /** What was sent last to a server's agent, and when, on a monotonic clock. */
  const sent = new Map<string, { readonly what: string; readonly atMs: number }>();
  const writing = new Set<Promise<unknown>>();
  let isStopping = false;

  const find = (serverId: string) =>
    db.selectFrom('saves_schedules').selectAll().where('server_id', '=', serverId).executeTakeFirst();
  const shown = async (serverId: string, list: SavesList | null): Promise<RequestedSchedule> => {
    const row = await find(serverId);
    const facts = tasks.machineOf(serverId).machine?.facts ?? null;
    const obstacle = obstacleTo(directory.get(serverId) === null, facts, list);
    const state = stateOf(row, list, obstacle);
    const isSet = row !== undefined && row.version > 0;
    return {
      version: row?.version ?? 0,
      requested: row ? requestedIn(row) : null,
      byName: isSet ? row.changed_by : null,
      changedAt: isSet ? row.changed_at.toISOString() : null,
      state,
      detail: state === 'failed' ? (row?.failure ?? null) : null,
      platform: facts?.platform ?? null,
      obstacle,
    };
  };

  const send = async (serverId: string): Promise<void> => {
    const row = await find(serverId);
    if (!row || row.version === 0) return;
    const { machine, takesTasks } = tasks.machineOf(serverId);
    const list = (await lists.read(serverId))?.list ?? null;
    const obstacle = obstacleTo(directory.get(serverId) === null, machine?.facts ?? null, list);
    const schedule = requestedIn(row);
    if (!takesTasks || obstacle !== null || isSame(schedule, list?.schedule?.panel ?? null)) return;
    const what = `${row.version} ${machine?.at}`;
    const before = sent.get(serverId);
    if (before?.what === what && performance.now() - before.atMs < restMs) return;
    sent.set(serverId, { what, atMs: performance.now() });
    const { outcome, detail } = await tasks.run(
      serverId,
      { kind: 'schedule-saves', schedule },
      { by: savesActor, expiresInMs, waitMs },
    );
    if (isStopping) return;
    // An agent that was away for a moment is asked again; that is no failure.
    const isFailure = outcome === 'refused' || outcome === 'failed';
    const work = db
      .updateTable('saves_schedules')
      .set({ failure: isFailure ? (detail ?? outcome) : null })
      .where('server_id', '=', serverId)
      .where('version', '=', row.version)
      .execute();
    writing.add(work);
    await work.finally(() => writing.delete(work));
    lists.changed(serverId);
  };
  const sendSoon = (serverId: string) => {
    if (isStopping || sending.has(serverId)) return;
    sending.add(serverId);
    void send(serverId)
      .catch((error: unknown) => log.debug({ err: error, serverId }, 'could not send a schedule of backups'))
      .finally(() => sending.delete(serverId));
  };
  const stop = lists.onKept(sendSoon);

  return {
    read: shown,

    async change(
      serverId: string,
      { version, schedule }: { readonly version: number; readonly schedule: SavesSchedule | null },
      by: AuditContext,
    ): Promise<RequestedSchedule | Refusal> {
      const list = (await lists.read(serverId))?.list ?? null;
      const facts = tasks.machineOf(serverId).machine?.facts ?? null;
      const obstacle = obstacleTo(directory.get(serverId) === null, facts, list);
      // What has ended, or waits for an agent that never comes, can still be taken back.
      if (obstacle === 'SERVER_ARCHIVED' || (obstacle !== null && schedule !== null))
        return refuse(obstacle, problems[obstacle].remedy);
      const refusal = schedule && belowLeast(schedule, list);
      if (refusal) return refusal;
      const columns = {
        at_minute: schedule?.atMinute ?? null,
        keep: schedule?.keep ?? null,
        days: schedule?.days ?? null,
      };
      const outcome = await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('saves_schedules')
          .values({ server_id: serverId, version: 0, changed_by: by.actor.name })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const row = await trx
          .selectFrom('saves_schedules')
          .selectAll()
          .where('server_id', '=', serverId)
          .forUpdate()
          .executeTakeFirstOrThrow();
        const before = requestedIn(row);
        // Sent twice, or by two people who want the same.
        if (row.version > 0 && isSame(before, schedule)) return null;
        if (row.version !== version) return refuse('CONFLICT');
        await trx
          .updateTable('saves_schedules')
          .set({
            ...columns,
            version: row.version + 1,
            changed_by: by.actor.name,
            changed_at: sql<Date>`now()`,
            failure: null,
          })
          .where('server_id', '=', serverId)
          .execute();
        const audited = { action: 'saves.schedule', target: `server:${serverId}` } as const;
        await recordAudit(trx, { ...by, ...audited, before: { schedule: before }, after: { schedule } });
        return null;
      });
      if (isRefusal(outcome)) return outcome;
      sendSoon(serverId);
      return shown(serverId, list);
    },

    async [Symbol.asyncDispose]() {
      isStopping = true;
      stop();
      await Promise.allSettled(writing);
    },
  };
};
