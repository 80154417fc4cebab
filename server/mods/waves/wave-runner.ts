import { type Kysely, type Selectable, sql } from 'kysely';
import { type ProblemCode, problems } from '#contracts/kernel/problems.ts';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { ModsJob, ModsPlan, PlanFault } from '#contracts/mods/mods.ts';
import type { Log } from '#runtime/log.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { thisMachine } from '../../kernel/access/authorize.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { withdrawJobs } from '../changes/end-job.ts';
import { waveActor } from './wave-actor.ts';
import { decideWave, type WaveDecision, type WaveServerState } from './wave-decision.ts';
import type { WaveRequest, WaveServers } from './wave-servers.ts';

type Wave = Selectable<Tables['mod_waves']>;
type Line = Awaited<ReturnType<typeof readLines>>[number];
interface Standing extends Line {
  readonly job: ModsJob | null;
  readonly standing: WaveServerState;
}
/** Why a server was not begun; `isForNow`: it is tried again. */
interface Hindrance {
  readonly isForNow: boolean;
  readonly detail: string | null;
  readonly faults?: readonly PlanFault[];
}

const lookEveryMs = 2000;
const tryAgainSeconds = 10;
/** As long as a job waits; ended jobs, which show what a wave has begun, are kept longer. */
const longestWaitMs = 24 * 3_600_000;

/** Problems that pass by themselves. */
const passing: readonly ProblemCode[] = [
  'MODS_AGENT_AWAY',
  'MODS_BUSY',
  'MOD_PLAN_OUTDATED',
  'MOD_SOURCE_AWAY',
  'MOD_SOURCE_LIMITED',
  'SHUTTING_DOWN',
  'DATABASE_UNAVAILABLE',
];
const passingFaults: readonly PlanFault['code'][] = ['SOURCE_AWAY', 'SOURCE_LIMITED'];

/**
 * Advances waves. Everything about a wave is in the database, so any process can do this at any time; each server begins
 * once because a wave has one job per server.
 */
export const createWaveRunner = ({
  db,
  servers,
  log,
}: {
  readonly db: Kysely<Tables>;
  readonly servers: WaveServers;
  readonly log: Log;
}) => {
  /** Planning takes minutes when a source is slow. */
  const ended = new AbortController();
  let isPrepared = false;
  let isAskedAgain = false;

  const hindered = async (wave: Wave, position: number, hindrance: Hindrance) => {
    const { isForNow, detail, faults = [] } = hindrance;
    await db
      .updateTable('mod_wave_servers')
      .set({
        state: isForNow ? 'waiting' : 'blocked',
        detail,
        faults: JSON.stringify(faults),
        next_try_at: sql<Date>`now() + make_interval(secs => ${tryAgainSeconds})`,
      })
      .where('wave_id', '=', wave.id)
      .where('position', '=', position)
      .where('state', '=', 'waiting')
      .execute();
  };
  const isOpen = async ({ id }: Wave) =>
    (await db
      .selectFrom('mod_waves')
      .select('id')
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()) !== undefined;
  /** Only the set that the first server has proven. */
  const isSetUnchanged = async ({ wish }: WaveRequest, { set_version }: Wave) => {
    if (wish.do !== 'set') return true;
    const set = await db
      .selectFrom('mod_sets')
      .select('version')
      .where('id', '=', wish.set)
      .executeTakeFirst();
    return set?.version === set_version;
  };

  /** @param first the server that has proven the set; null: this server is to prove it */
  const tryBegin = async (
    wave: Wave,
    line: Standing,
    first: string | null,
  ): Promise<Hindrance | 'begun' | 'nothing'> => {
    if (Date.now() - wave.requested_at.getTime() > longestWaitMs)
      return lasting(reasons['mods-not-begun'](24));
    const actor = await waveActor(db, wave);
    const serverId = line.server_id;
    if (!actor || !may(actor, 'mods.write', serverId))
      return lasting(reasons['mods-right-lost'](wave.actor_name));
    const request = JSON.parse(wave.request) as WaveRequest;
    if (!(await isSetUnchanged(request, wave))) return lasting(reasons['mods-set-changed']);
    const by: AuditContext = { actor, address: wave.address };
    const proven = first === null ? null : await servers.provenSet(wave.id, first);
    if (first !== null && !proven) return lasting(reasons['mods-proof-lost']);
    const plan = await servers.plan(serverId, [request.wish], by, { signal: ended.signal, proven });
    if (isRefusal(plan)) return hindranceOf(plan);
    const blocking = plan.faults.filter(({ isBlocking }) => isBlocking);
    if (blocking.length > 0)
      return {
        isForNow: blocking.every(({ code }) => passingFaults.includes(code)),
        detail: null,
        faults: plan.faults,
      };
    if (plan.lines.length === 0) {
      await noteNothing(wave, line, plan);
      return 'nothing';
    }
    if (!(await isOpen(wave))) return 'nothing';
    const { watch, countdownSeconds } = request;
    const job = await servers.begin(
      serverId,
      {
        plan: plan.id,
        backup: true,
        rehearse: false,
        ...(watch && { watch }),
        ...(countdownSeconds !== undefined && { countdownSeconds }),
      },
      { key: `wave:${wave.id}:${serverId}`, wave: wave.id },
      by,
    );
    if (!isRefusal(job)) return 'begun';
    // Another process was first, with its own plan.
    return job.refused === 'IDEMPOTENCY_MISMATCH' ? 'begun' : hindranceOf(job);
  };
  const noteNothing = (wave: Wave, { position }: Line, { faults }: ModsPlan) =>
    db
      .updateTable('mod_wave_servers')
      .set({ state: 'nothing', detail: null, faults: JSON.stringify(faults) })
      .where('wave_id', '=', wave.id)
      .where('position', '=', position)
      .where('state', '=', 'waiting')
      .execute();

  const end = (wave: Wave, { state, stoppedBy }: WaveDecision, lines: readonly Standing[]) =>
    db.transaction().execute(async (trx) => {
      const stopper = stoppedBy === null ? undefined : lines[stoppedBy];
      const detail = stopper ? whyStopped(stopper) : null;
      const ended = await trx
        .updateTable('mod_waves')
        .set({
          state,
          detail: stopper ? `${stopper.name}: ${detail}` : null,
          ended_at: sql<Date>`now()`,
        })
        .where('id', '=', wave.id)
        .where('ended_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (!ended) return;
      const count = (...states: WaveServerState[]) =>
        lines.filter(({ standing }) => states.includes(standing)).length;
      const by = wave.actor_name;
      if (stopper)
        await recordEvent(
          trx,
          'mods.wave-stopped',
          { by, name: stopper.name, detail: detail ?? '', left: count('waiting') },
          { serverId: stopper.server_id },
        );
      else
        await recordEvent(trx, 'mods.wave-done', {
          by,
          changed: count('proven', 'changed'),
          blocked: count('blocked'),
        });
      await recordAudit(trx, {
        actor: thisMachine,
        address: wave.address,
        action: 'mod-waves.end',
        target: `mod-wave:${wave.id}`,
        after: { state, detail, by: wave.actor },
      });
    });

  /** @returns whether there may be more to do immediately */
  const bringOn = async (wave: Wave): Promise<boolean> => {
    const [lines, jobs] = await Promise.all([readLines(db, wave.id), servers.jobs([wave.id], null)]);
    const standings = lines.map((line): Standing => {
      const job = jobs.find(({ serverId }) => serverId === line.server_id) ?? null;
      return { ...line, job, standing: job ? standingOf(job) : line.state };
    });
    const decision = decideWave(standings.map(({ standing: state, isReady }) => ({ state, isReady })));
    if (decision.state === 'done' || decision.state === 'stopped') {
      await end(wave, decision, standings);
      return false;
    }
    if (decision.stoppedBy !== null)
      await db.transaction().execute((trx) => withdrawJobs(trx, wave.id, reasons['mods-other-failed']));
    if (decision.state !== wave.state)
      await db
        .updateTable('mod_waves')
        .set({ state: decision.state })
        .where('id', '=', wave.id)
        .where('ended_at', 'is', null)
        .execute();
    const first = standings.find(({ standing }) => standing !== 'nothing')?.server_id ?? null;
    const tried = await Promise.all(
      decision.begin.map(async (position) => {
        const line = standings[position];
        if (!line) return false;
        const result = await tryBegin(wave, line, decision.state === 'others' ? first : null);
        if (typeof result === 'object') await hindered(wave, line.position, result);
        // The server after a skipped one is checked without delay.
        return result === 'nothing' || (typeof result === 'object' && !result.isForNow);
      }),
    );
    return tried.includes(true) && (await isOpen(wave));
  };
  const lookAtAll = async () => {
    do {
      isAskedAgain = false;
      const waves = await db
        .selectFrom('mod_waves')
        .selectAll()
        .where('ended_at', 'is', null)
        .orderBy('number')
        .execute();
      const more = await Promise.all(
        waves.map((wave) =>
          bringOn(wave).catch((error: unknown) => {
            if (ended.signal.aborted) return false;
            log.warn({ err: error, wave: wave.id }, 'could not advance a rolling update; will retry');
            return false;
          }),
        ),
      );
      if (more.includes(true)) isAskedAgain = true;
    } while (isAskedAgain && isPrepared);
  };
  const lookOnce = singleFlight(() =>
    lookAtAll().catch((error: unknown) =>
      log.debug({ err: error }, 'could not check rolling updates; will retry'),
    ),
  );
  const look = () => {
    isAskedAgain = true;
    if (isPrepared) void lookOnce();
  };
  const stop = servers.onChange(look);
  const timer = setInterval(look, lookEveryMs).unref();

  return {
    /** Checks soon what there is to do. */
    look,
    async prepare(): Promise<void> {
      isPrepared = true;
      look();
    },
    async [Symbol.asyncDispose]() {
      isPrepared = false;
      ended.abort();
      clearInterval(timer);
      stop();
      await lookOnce.underWay();
    },
  };
};

const readLines = (db: Kysely<Tables>, wave: string) =>
  db
    .selectFrom('mod_wave_servers as line')
    .innerJoin('game_servers as server', 'server.id', 'line.server_id')
    .selectAll('line')
    .select(['server.name', sql<boolean>`line.next_try_at <= now()`.as('isReady')])
    .where('line.wave_id', '=', wave)
    .orderBy('line.position')
    .execute();

const standingOf = ({ state, outcome, result }: ModsJob): WaveServerState => {
  if (state === 'waiting' || state === 'running') return 'under-way';
  if (state === 'cancelled' && outcome === 'refused') return 'blocked';
  if (state !== 'done' || result?.set !== 'new') return 'failed';
  return result.health === 'proven' ? 'proven' : 'changed';
};

const whyStopped = ({ standing, job, detail, faults }: Standing): string => {
  if (standing === 'changed') return reasons['mods-not-running'];
  if (standing === 'blocked') {
    const mods = faults.flatMap(({ isBlocking, mod }) => (isBlocking && mod !== null ? [mod] : []));
    const blocked =
      mods.length > 0 ? reasons['mods-blocked-by']([...new Set(mods)].join(', ')) : reasons['mods-blocked'];
    return detail ?? blocked;
  }
  if (job?.state === 'cancelled') return reasons['mods-change-cancelled'];
  return job?.detail ?? reasons['mods-not-started'];
};

const lasting = (detail: string): Hindrance => ({ isForNow: false, detail });
const hindranceOf = ({ refused, detail }: Refusal): Hindrance => ({
  isForNow: passing.includes(refused),
  detail: detail ?? problems[refused].meaning,
});
