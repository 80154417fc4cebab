import type { AgentTaskKind } from '#contracts/servers/agent-tasks.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { within } from '#runtime/within.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { SavesList } from '../../kernel/database/stored-values.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { AgentTasks } from '../agent-tasks.ts';
import type { ServerDirectory } from '../game-servers/server-directory.ts';
import { listEvents } from './list-events.ts';
import { readSavesList } from './saves-list.ts';

/** What agents last reported about their backups, kept with its time, since an agent may be away. */
export type KeptLists = ReturnType<typeof createKeptLists>;

const kind: AgentTaskKind = 'list-saves';
/** A list up to this age is shown without asking. */
const freshMs = 10_000;
/** A reader waits no longer than this. */
const patienceMs = 3000;
const expiresInMs = 10_000;
const waitMs = 20_000;
/** A nightly backup is reported even if no one looks. */
const usualMs = 15 * 60_000;
const lookMs = 60_000;
/** An agent that reconnects repeatedly is asked no more often than this. */
const connectRestMs = 2000;

export const savesActor: Actor = {
  kind: 'local',
  id: 'saves',
  name: 'Castellan',
  permissions: new Set(),
  serverPermissions: new Map(),
};

export const createKeptLists = ({
  db,
  directory,
  tasks,
  log,
}: Pick<Kernel, 'db' | 'log'> & {
  readonly directory: ServerDirectory;
  readonly tasks: AgentTasks;
}) => {
  /** One request at a time, however many wait for it. */
  const asking = new Map<string, Promise<void>>();
  /** When the last request began, on a monotonic clock. */
  const askedMs = new Map<string, number>();
  /** Servers whose list no longer counts: the next reader asks again, or the current request is repeated once answered. */
  const outdated = new Set<string>();
  const writing = new Set<Promise<void>>();
  /** The machine frames seen so far, by server. */
  const seen = new Map<string, string>();
  const listeners = new Set<(serverId: string) => void>();
  let isStopping = false;

  const ageMs = (serverId: string) => performance.now() - (askedMs.get(serverId) ?? Number.NEGATIVE_INFINITY);
  const canAsk = (serverId: string): boolean => {
    const { takesTasks, machine } = tasks.machineOf(serverId);
    return !isStopping && takesTasks && machine?.facts.tasks.includes(kind) === true;
  };

  const keep = (serverId: string, list: SavesList) =>
    db.transaction().execute(async (trx) => {
      const name = directory.get(serverId)?.name;
      if (name === undefined) return;
      const before = await trx
        .selectFrom('server_saves')
        .selectAll()
        .where('server_id', '=', serverId)
        .forUpdate()
        .executeTakeFirst();
      const now = new Date();
      const { made, nightlyFailure, told } = listEvents(before ?? null, list, now);
      const row = { list: JSON.stringify(list), listed_at: now, ...told };
      await trx
        .insertInto('server_saves')
        .values({ server_id: serverId, ...row })
        .onConflict((conflict) => conflict.column('server_id').doUpdateSet(row))
        .execute();
      const notAhead = (at: Date) => (at > now ? now : at);
      for (const { name: backup, bytes, notes, takenAt } of made)
        await recordEvent(
          trx,
          'saves.backed-up',
          { name, backup, bytes, notes: notes.length },
          { serverId, at: notAhead(new Date(takenAt)) },
        );
      if (nightlyFailure)
        await recordEvent(
          trx,
          'saves.nightly-failed',
          { name, detail: nightlyFailure.detail },
          { serverId, at: notAhead(nightlyFailure.at) },
        );
    });
  const ask = async (serverId: string): Promise<void> => {
    const { outcome, detail, value } = await tasks.run(
      serverId,
      { kind },
      { by: savesActor, expiresInMs, waitMs },
    );
    if (isStopping) return;
    const list = outcome === 'done' ? readSavesList(value) : null;
    if (!list) return log.debug({ serverId, outcome, detail }, 'a Game Agent returned no backup list');
    const work = keep(serverId, list);
    writing.add(work);
    await work.finally(() => writing.delete(work));
    for (const listener of listeners) listener(serverId);
  };
  const begin = (serverId: string): Promise<void> => {
    const known = asking.get(serverId);
    if (known) return known;
    askedMs.set(serverId, performance.now());
    outdated.delete(serverId);
    const work = ask(serverId)
      .catch((error: unknown) => {
        log.debug({ err: error, serverId }, 'could not list the backups of a server; will retry');
      })
      .finally(() => {
        asking.delete(serverId);
        if (outdated.has(serverId) && canAsk(serverId)) void begin(serverId);
      });
    asking.set(serverId, work);
    return work;
  };

  const stop = tasks.onChange((serverId) => {
    const at = tasks.machineOf(serverId).machine?.at;
    if (at === undefined || seen.get(serverId) === at || !canAsk(serverId)) return;
    seen.set(serverId, at);
    if (ageMs(serverId) > connectRestMs) void begin(serverId);
    else outdated.add(serverId);
  });
  const looking = runPeriodically({
    intervalMs: lookMs,
    async work() {
      for (const { id } of directory.all()) if (ageMs(id) > usualMs && canAsk(id)) void begin(id);
    },
    failure: 'could not check the backups of game servers',
    log,
  });

  return {
    async read(serverId: string): Promise<{ readonly at: Date; readonly list: SavesList } | null> {
      const row = await db
        .selectFrom('server_saves')
        .select(['list', 'listed_at'])
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      // Kept by a release that knew no schedules.
      return row ? { at: row.listed_at, list: { ...row.list, schedule: row.list.schedule ?? null } } : null;
    },
    /** Called when a list has been kept. @returns how to stop listening */
    onKept(listener: (serverId: string) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Asks the agent unless it has just reported. Returns after a moment even without an answer, which is kept when it comes. */
    async refresh(serverId: string): Promise<void> {
      const underWay = asking.get(serverId);
      const isFresh = ageMs(serverId) < freshMs && !outdated.has(serverId);
      if (!underWay && (isFresh || !canAsk(serverId))) return;
      await within(patienceMs, underWay ?? begin(serverId), () => undefined);
    },
    /** Its backups have changed: an earlier list no longer counts as fresh. */
    changed(serverId: string): void {
      outdated.add(serverId);
      if (!asking.has(serverId) && canAsk(serverId)) void begin(serverId);
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      stop();
      looking[Symbol.dispose]();
      await Promise.allSettled(writing);
    },
  };
};
