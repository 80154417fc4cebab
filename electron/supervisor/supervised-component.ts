import type { ComponentStatus } from '#contracts/operations/stack.ts';
import type { DelayClock } from '#runtime/clock.ts';
import {
  CannotStartError,
  type Component,
  type Health,
  type ProcessEnd,
  type RunningProcess,
} from './component.ts';
import { firstPulse, type ProbeLimits, type Pulse, probeVerdict } from './probe-verdict.ts';
import { countDeath, describeCrashLoop, type RestartLimits, restartVerdict } from './restart-verdict.ts';
import type { ComponentSnapshot } from './stack-state.ts';

/** Asks a process how it is, again and again. */
const probeUntilHung = async (
  process: RunningProcess,
  {
    limits,
    clock,
    over,
    untilHurried,
    onPulse,
  }: {
    readonly limits: ProbeLimits;
    readonly clock: DelayClock;
    /** Aborted when the answer no longer matters. */
    readonly over: AbortSignal;
    /** Aborted to ask immediately; a new signal each time. */
    readonly untilHurried: () => AbortSignal;
    /** After each probe of a process that has answered before; `answer` is null when this one got none. */
    readonly onPulse: (pulse: Pulse, answer: Health | null) => void;
  },
): Promise<'hung' | 'over'> => {
  const bornMs = clock.monotonicMs();
  let pulse = firstPulse;
  for (;;) {
    const answer = await ask(process, limits.timeoutMs, clock);
    if (over.aborted) return 'over';
    const verdict = probeVerdict(pulse, answer, clock.monotonicMs() - bornMs, limits);
    if (verdict === 'hung') return 'hung';
    pulse = verdict;
    if (pulse.state !== 'starting') onPulse(pulse, answer);
    const pauseMs = pulse.state === 'starting' ? limits.startingIntervalMs : limits.intervalMs;
    await clock.delay(pauseMs, AbortSignal.any([over, untilHurried()]));
  }
};

const ask = async (process: RunningProcess, timeoutMs: number, clock: DelayClock): Promise<Health | null> => {
  const cut = new AbortController();
  const timeout = clock.delay(timeoutMs, cut.signal).then(() => null);
  try {
    return await Promise.race([process.probe(cut.signal), timeout]);
  } catch {
    // Refused, reset or cut off: all that matters is that there is no answer.
    return null;
  } finally {
    cut.abort();
  }
};

export interface SupervisionLimits {
  readonly restart: RestartLimits;
  readonly probe: ProbeLimits;
}

interface SupervisedComponent {
  readonly name: Component['name'];
  status(): ComponentStatus;
  snapshot(): ComponentSnapshot;
  /** Its last probe got no answer. */
  isSilent(): boolean;
  /** Asks it how it is without waiting for its turn. */
  probeNow(): void;
  /** Resolves when it answers for the first time, has failed, or was stopped before that. */
  start(): Promise<void>;
  /** Resolves when it is gone. A second call with `now` hurries the first. */
  stop(how: 'orderly' | 'now'): Promise<void>;
}

/** From a start to the stop or the failure that ends it, over any number of processes. */
interface Watch {
  readonly settled: Promise<void>;
  readonly over: Promise<void>;
  readonly stopping: AbortController;
}

type Shown = Omit<ComponentStatus, 'name' | 'port' | 'since' | 'restarts'> &
  Pick<ComponentSnapshot, 'condition' | 'license'> & { readonly isSilent: boolean };

const nothing: Shown = {
  state: 'stopped',
  reason: null,
  pid: null,
  lastLines: [],
  condition: null,
  license: null,
  isSilent: false,
};

/** Keeps one component alive: starts it, probes it, restarts it when it dies, and in a crash loop only slowly. */
export const superviseComponent = (options: {
  readonly component: Component;
  readonly limits: SupervisionLimits;
  readonly clock: DelayClock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly onChange: (status: ComponentStatus) => void;
}): SupervisedComponent => {
  const { component, limits, clock } = options;
  let shown = nothing;
  let since = clock.now();
  let restarts = 0;
  let watch: Watch | null = null;
  let current: RunningProcess | null = null;
  let how: 'orderly' | 'now' = 'orderly';
  let hurry = new AbortController();

  const status = (): ComponentStatus => {
    const { state, reason, blockedPort, pid, lastLines, nextTryAt } = shown;
    const port = component.port();
    return {
      name: component.name,
      state,
      reason,
      ...(blockedPort === undefined ? {} : { blockedPort }),
      pid,
      port,
      since: since.toISOString(),
      restarts,
      ...(nextTryAt === undefined ? {} : { nextTryAt }),
      lastLines: [...lastLines],
    };
  };

  const show = (next: Shown) => {
    const changed = next.state !== shown.state || next.reason !== shown.reason || next.pid !== shown.pid;
    if (next.state !== shown.state) since = clock.now();
    shown = next;
    if (changed) options.onChange(status());
  };

  /** One process, from its start to its end. */
  const oneLife = async (stopping: AbortSignal, stopped: Promise<void>, answered: () => void) => {
    const process = await component.host.start(stopping, (reason) => {
      if (shown.state === 'starting') show({ ...shown, reason });
    });
    const over = new AbortController();
    current = process;
    try {
      if (!stopping.aborted) {
        show({ ...shown, pid: process.pid });
        const probing = probeUntilHung(process, {
          limits: limits.probe,
          clock,
          over: over.signal,
          untilHurried: () => hurry.signal,
          onPulse({ state, reason }, answer) {
            const { condition, license = null } = answer ?? shown;
            const isSilent = answer === null;
            show({ ...nothing, state, reason, pid: process.pid, condition, license, isSilent });
            answered();
          },
        });
        const first = await Promise.race([process.ended, probing, stopped]);
        if (typeof first === 'object') return first;
        if (first === 'hung') {
          show({ ...shown, state: 'unhealthy', reason: 'does not answer; restarting it' });
          await process.stop('now');
          return { ...(await process.ended), reason: 'hung: it stopped answering' };
        }
      }
      // An answer that still comes would replace the state that shows its end.
      over.abort();
      show({ ...nothing, state: 'stopping', pid: process.pid });
      await process.stop(how);
      return await process.ended;
    } finally {
      over.abort();
      current = null;
    }
  };

  const failedStart = (error: unknown): ProcessEnd => ({
    reason: error instanceof Error ? error.message : String(error),
    needsConfiguration: error instanceof CannotStartError,
    lastLines: [],
    ...(error instanceof CannotStartError && {
      untilMended: error.untilMended,
      blockedPort: error.blockedPort,
    }),
  });

  const keepAlive = async (stopping: AbortSignal, stopped: Promise<void>, settle: () => void) => {
    let deaths: readonly number[] = [];
    let reason: string | null = null;
    while (!stopping.aborted) {
      show({ ...nothing, state: 'starting', reason });
      let firstAnswerMs: number | null = null;
      const answered = () => {
        firstAnswerMs ??= clock.monotonicMs();
        settle();
      };
      const end = await oneLife(stopping, stopped, answered).catch(failedStart);
      if (stopping.aborted) break;

      const { lastLines, untilMended, blockedPort } = end;
      const failed = (why: string, more: Partial<Shown> = {}) =>
        show({ ...nothing, state: 'failed', reason: why, lastLines: [...lastLines], ...more });
      if (untilMended) {
        failed(end.reason, blockedPort === undefined ? {} : { blockedPort });
        settle();
        await untilMended(stopping);
        continue;
      }
      if (end.needsConfiguration) return failed(end.reason);
      const nowMs = clock.monotonicMs();
      deaths = countDeath(deaths, nowMs, nowMs - (firstAnswerMs ?? nowMs), limits.restart);
      const verdict = restartVerdict(deaths, options.random(), limits.restart);
      if (verdict.kind === 'crash loop') {
        const nextTryAt = new Date(clock.now().getTime() + verdict.delayMs).toISOString();
        failed(describeCrashLoop(verdict, end.reason, limits.restart), { nextTryAt });
        settle();
      } else show({ ...nothing, state: 'crashed', reason: end.reason, lastLines: [...lastLines] });
      reason = `started again after: ${end.reason}`;
      await clock.delay(verdict.delayMs, stopping);
      restarts += 1;
    }
    show(nothing);
  };

  const begin = (): Watch => {
    const stopping = new AbortController();
    const stopped = Promise.withResolvers<void>();
    stopping.signal.addEventListener('abort', () => stopped.resolve());
    const settled = Promise.withResolvers<void>();
    how = 'orderly';
    const over = keepAlive(stopping.signal, stopped.promise, settled.resolve).finally(() => {
      watch = null;
      settled.resolve();
    });
    return { settled: settled.promise, over, stopping };
  };

  return {
    name: component.name,
    status,
    probeNow() {
      const before = hurry;
      hurry = new AbortController();
      before.abort();
    },
    snapshot: () => ({
      name: component.name,
      state: shown.state,
      condition: shown.condition,
      license: shown.license,
    }),
    isSilent: () => shown.isSilent,
    start() {
      watch ??= begin();
      return watch.settled;
    },
    async stop(wanted) {
      if (!watch) return show(nothing);
      const { stopping, over } = watch;
      how = wanted;
      if (stopping.signal.aborted && wanted === 'now') void current?.stop('now');
      stopping.abort();
      await over;
    },
  };
};
