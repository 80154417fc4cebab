import { randomUUID } from 'node:crypto';
import type { ProcessReport, TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { Game } from '#games/game.ts';
import type { Log } from '#runtime/log.ts';
import { bringDown, endAtOnce, isDown, type PowerConsole, waitFor } from './bring-down.ts';
import { openCrashReports } from './crash-reports.ts';
import {
  type CurrentAction,
  forwardAbort,
  keptAction,
  type PowerRequest,
  result,
  resumedCountdown,
  resumedRequest,
} from './current-action.ts';
import { createLauncher, lookAgainMs } from './launcher.ts';
import { openPowerRecord } from './power-record.ts';
import { type PowerTiming, powerTiming } from './power-timing.ts';
import { bootId, sinceBootMs } from './process/process-identity.ts';
import { answersElsewhere, stateOf } from './process-state.ts';
import { faultText } from './program/fault.ts';
import { createTrouble } from './trouble.ts';
import type { StartWay } from './ways/start-way.ts';

/** Starts and stops the game, and keeps it in the wanted state. */
export interface Power extends AsyncDisposable {
  report(): ProcessReport;
  /**
   * Looks once more, after any start that this agent is making on its own: the report is then no longer about to change. It does
   * not wait for a requested action; the state shows that one.
   */
  lookNow(): Promise<ProcessReport>;
  /** Names the run of the game that was seen last, even if its manager restarted it; null while none is seen. */
  runId(): string | null;
  /** How many requested starts, stops and kills this agent has begun. */
  actionsBegun(): number;
  /** Called when the report has changed. */
  onChange(listener: () => void): void;
  /** One action at a time; a kill aborts any other. Never rejects because of the game or the system. */
  act(request: PowerRequest): Promise<TaskResult>;
  /** The result of an earlier agent's task; null when it is unknown. */
  resultOf(task: string): TaskResult | null;
  /** Whether it is running, by this agent or on behalf of an earlier one. */
  isUnderWay(task: string): boolean;
}

/** The record of a game that was brought down on request. */
const isDownInOrder = { launch: null, crashes: [] as number[], hasGivenUp: false, program: null };

/** A process that is about to end, or a service that is coming up, is waited for before anything else. */
const changeMs = 5000;

/** @throws {StartupError} when the wanted state cannot be read or stored */
export const openPower = async (options: {
  readonly powerFolder: string;
  readonly way: StartWay;
  readonly game: Pick<Game, 'actions' | 'shutdown' | 'listPlayers'>;
  readonly console: PowerConsole;
  /** Why the game must not be started now, for people; null: it may. */
  readonly whyNotStart: () => Promise<string | null>;
  /** The game's last lines, without secrets, from this line of the held console on. */
  readonly lastLines: (firstLine: number) => Promise<readonly string[]>;
  readonly log: Log;
  readonly timing?: Partial<PowerTiming> | undefined;
}): Promise<Power> => {
  const { powerFolder, way, game, console, whyNotStart, lastLines, log } = options;
  const timing: PowerTiming = { ...powerTiming, ...options.timing };
  const boot = bootId();
  const record = await openPowerRecord(powerFolder, boot);
  const reports = await openCrashReports(powerFolder, boot, log);
  const stopping = new AbortController();
  const launcher = createLauncher({ way, record, reports, lastLines, timing, log });
  const { look } = launcher;
  let current: CurrentAction | null = null;
  let actions = 0;
  const trouble = createTrouble(timing.crashes.backOff, log);
  let stoppedSinceMs: number | null = null;
  let endingSinceMs: number | null = null;
  let listener: () => void = () => undefined;
  let lastTold = '';
  /** Looks and their consequences, one after the other. */
  let chain: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = chain.then(run);
    chain = turn.catch(() => undefined);
    return turn;
  };

  const report = (): ProcessReport => {
    const { wanted, crashes, hasGivenUp, program } = record.now();
    const { seen, seenAtMs, nextStartMs } = launcher;
    const running = seen?.is === 'running' ? seen : null;
    const upMs = running?.upMs ?? null;
    return {
      ...stateOf({ seen, current, hasGivenUp, nextStartMs, program, trouble: trouble.detail() }),
      wanted,
      pid: running?.pid ?? null,
      // During an action no look may follow for long.
      upMs: upMs === null ? null : upMs + sinceBootMs() - seenAtMs,
      crashes: crashes.length,
      nextStartInMs: current || nextStartMs === null ? null : Math.max(0, nextStartMs - sinceBootMs()),
      lastCrash: reports.last(),
    };
  };
  /** A game that was killed is not being stopped: only how it ended is told, unless that takes too long. */
  const endsUntold = (): boolean => {
    const { seen } = launcher;
    const isEnding = current === null && seen?.is === 'changing' && seen.hasEnded === true;
    endingSinceMs = isEnding ? (endingSinceMs ?? sinceBootMs()) : null;
    return endingSinceMs !== null && sinceBootMs() - endingSinceMs < changeMs;
  };
  const tell = () => {
    if (endsUntold()) return;
    const { upMs: _up, nextStartInMs: _next, lastCrash, ...steady } = report();
    const now = JSON.stringify([steady, lastCrash?.exitCode, lastCrash?.signal]);
    if (now === lastTold) return;
    lastTold = now;
    listener();
  };

  /** While nothing is known to run: a game that was started by hand is visible only through its console. */
  const runsElsewhere = async (signal: AbortSignal): Promise<boolean> =>
    (await console.run(game.listPlayers.command, { timeoutMs: 2000, signal })).outcome === 'answered';

  /** Acts on the current look, while no action is requested. */
  const keepAsWanted = async () => {
    const now = await look();
    const { wanted, launch, hasGivenUp, crashes, program } = record.now();
    if (now.is !== 'ended' || !now.wasStopped) stoppedSinceMs = null;
    if (now.is === 'running') {
      // Started on the machine itself, or the record of the wanted state was lost.
      if (launch === null || (now.launch !== null && now.launch !== launch))
        await record.change({ launch: now.launch ?? randomUUID(), wanted: 'running', hasGivenUp: false });
      if (crashes.length > 0 && launcher.upMs(now) >= timing.crashes.stableMs)
        await record.change({ crashes: [] });
      if (program !== null && launcher.upMs(now) >= timing.settleMs) await record.change({ program: null });
      return;
    }
    if (!isDown(now)) return;
    if (wanted === 'stopped') {
      if (launch !== null || program !== null) await record.change({ launch: null, program: null });
      return;
    }
    if (now.is === 'ended' && launch !== null && (now.launch === null || now.launch === launch)) {
      if (!now.wasStopped) return void (await launcher.recordEnd(now));
      // During a shutdown of the machine this is not the owner's wish: after the next boot, the game is still wanted.
      stoppedSinceMs ??= sinceBootMs();
      if (sinceBootMs() - stoppedSinceMs < timing.ownStopMs) return;
      log.info('the game was stopped on this machine');
      return record.change({ launch: null, wanted: 'stopped' });
    }
    const { nextStartMs } = launcher;
    if (hasGivenUp || (nextStartMs !== null && sinceBootMs() < nextStartMs)) return;
    if (launcher.isWaitingForProgram()) return;
    if (await runsElsewhere(stopping.signal)) {
      launcher.seen = { is: 'unknown', detail: answersElsewhere };
      return;
    }
    const why = await whyNotStart();
    if (why !== null) {
      launcher.seen = { is: 'unknown', detail: `The game is down and is not started. ${why}` };
      return;
    }
    if (!(await launcher.findProgram())) return;
    log.info('starting the game');
    await launcher.launch();
    await look();
  };

  const down = async (
    request: PowerRequest,
    self: CurrentAction,
  ): Promise<TaskResult | readonly string[]> => {
    const { countdown } = self;
    const onStep: PowerRequest['onStep'] = (step, done, total) => {
      self.step = step;
      request.onStep(step, done, total);
      tell();
    };
    const { signal } = self.breaking;
    const cancelled = self.cancelling.signal;
    const onCounted = () => record.change({ action: keptAction(self, null) });
    const brought = await bringDown({
      way,
      game,
      console,
      countdown,
      onCounted,
      timing,
      signal,
      cancelled,
      onStep,
    });
    if (brought.is === 'cancelled') {
      await record.change({ wanted: 'running' });
      return result('cancelled', 'The game goes on.');
    }
    if (brought.is === 'up') return result('failed', [...brought.notes, brought.why].join(' '));
    await look();
    await record.change(isDownInOrder);
    return brought.notes;
  };

  const perform = async (request: PowerRequest, self: CurrentAction): Promise<TaskResult> => {
    const { action } = request;
    const { signal } = self.breaking;
    let now = await look();
    for (let waitedMs = 0; now.is === 'changing' && waitedMs < changeMs; waitedMs += lookAgainMs) {
      await waitFor(lookAgainMs, [signal]);
      now = await look();
    }
    signal.throwIfAborted();
    const isUp = now.is === 'running';
    const isStart = action === 'start' || (action === 'restart' && (self.isStarting || isDown(now)));
    if (isStart && isUp) {
      await record.change({ wanted: 'running', hasGivenUp: false });
      return result('done', action === 'start' ? 'The game was running.' : null);
    }
    if (isStart && now.is === 'unknown')
      return result('failed', `The game is not started, because it may be running: ${now.detail}`);
    if (isStart && (await runsElsewhere(signal)))
      return result(
        'refused',
        "The game's console answers already, but this agent has not started it. Stop the game where it was started, then start it here.",
      );
    // Before the game is down: a restart must not end as a stop.
    const why = isStart || action === 'restart' ? await whyNotStart() : null;
    if (why !== null) return result('refused', why);
    const unfit = isStart || action !== 'restart' ? null : await way.inspect(null).catch(() => null);
    if (unfit !== null) return result('refused', `${faultText(unfit)} The game goes on.`, unfit);
    launcher.nextStartMs = null;
    const { countdown } = request;
    if (countdown && !isStart)
      self.countdown ??= { ...countdown, endMs: sinceBootMs() + countdown.seconds * 1000, isResumed: false };
    self.isStarting = isStart;
    const wanted = action === 'start' || action === 'restart' ? 'running' : 'stopped';
    await record.change({
      wanted,
      action: keptAction(self, self.countdown),
      ...(isStart && { crashes: [], hasGivenUp: false }),
    });
    let notes: readonly string[] = [];
    if (action === 'kill') {
      const fault = await endAtOnce(way, timing, signal);
      await look();
      if (fault !== null) return result('failed', fault);
      await record.change(isDownInOrder);
      return result('done', null);
    }
    if (action === 'stop' && isDown(now)) {
      await record.change(isDownInOrder);
      return result('done', 'The game was stopped.');
    }
    if (!isStart) {
      const ended = await down(request, self);
      if ('outcome' in ended) return ended;
      notes = ended;
      if (action === 'restart' && (await runsElsewhere(signal)))
        return result('failed', [...notes, answersElsewhere].join(' '));
      const reason = action === 'restart' ? await whyNotStart() : null;
      if (reason !== null) return result('failed', [...notes, reason].join(' '));
    }
    if (action === 'stop') return result('done', notes.join(' ') || null);
    self.isStarting = true;
    self.step = 'The game starts';
    request.onStep(self.step, 0, null);
    await record.change({ action: keptAction(self, null) });
    const fault = await launcher.bringUp(signal, tell);
    return fault === null
      ? result('done', notes.join(' ') || null)
      : result('failed', fault.detail, fault.program);
  };

  const begin = (
    request: PowerRequest,
    { isStarting, countdown }: Pick<CurrentAction, 'isStarting' | 'countdown'>,
  ): CurrentAction => {
    const { promise: ended, resolve } = Promise.withResolvers<TaskResult>();
    const breaking = new AbortController();
    const cancelling = new AbortController();
    const { action: kind, task } = request;
    const self: CurrentAction = { kind, task, breaking, cancelling, ended, step: '', isStarting, countdown };
    current = self;
    actions += 1;
    forwardAbort(request.signal, cancelling);
    const finish = async (outcome: TaskResult) => {
      if (!stopping.signal.aborted || outcome.outcome !== 'cancelled')
        await record.change({
          action: null,
          ...(task !== null && { lastTask: { id: task, result: outcome } }),
        });
      return outcome;
    };
    void inTurn(async () => {
      tell();
      try {
        resolve(await finish(await perform(request, self)));
      } catch (error) {
        const wasBroken = breaking.signal.aborted;
        if (!wasBroken) log.error({ err: error }, 'power action failed');
        resolve(
          wasBroken
            ? result('cancelled', stopping.signal.aborted ? null : 'A kill took its place.')
            : result('failed', `This agent could not do it: ${(error as Error).message}`),
        );
      } finally {
        if (current === self) current = null;
        tell();
      }
    });
    return self;
  };

  const act = async (request: PowerRequest): Promise<TaskResult> => {
    if (stopping.signal.aborted) return result('cancelled', null);
    if (current?.kind === request.action) {
      // From an earlier agent; this one continues it.
      if (request.task !== null && current.task === request.task)
        forwardAbort(request.signal, current.cancelling);
      const { task, ended, cancelling } = current;
      const joined = await ended;
      const isOthersCancel = cancelling.signal.aborted && !request.signal.aborted && task !== request.task;
      return joined.outcome === 'cancelled' && isOthersCancel ? act(request) : joined;
    }
    if (current && request.action !== 'kill')
      return result('refused', `A ${current.kind} is going on. Wait for its end, or kill the game.`);
    current?.breaking.abort();
    return begin(request, { isStarting: false, countdown: null }).ended;
  };

  const round = () =>
    current
      ? Promise.resolve()
      : inTurn(async () => {
          if (current || stopping.signal.aborted) return;
          if (trouble.isResting()) await look();
          else await keepAsWanted().then(trouble.clear, trouble.meet);
          tell();
        });
  let isRoundDue = false;
  const lookSoon = () => {
    if (isRoundDue || stopping.signal.aborted) return;
    isRoundDue = true;
    void round().finally(() => {
      isRoundDue = false;
    });
  };
  way.onChange(lookSoon);

  const { action } = record.now();
  if (action) {
    log.info({ action: action.kind }, 'resuming the action that was interrupted when the agent ended');
    const { countdown, isStarting } = action;
    begin(resumedRequest(action), { isStarting, countdown: countdown && resumedCountdown(countdown) });
  } else lookSoon();
  const timer = setInterval(lookSoon, timing.pollMs);

  return {
    report,
    onChange(next) {
      listener = next;
      // A state that was found before anyone listened.
      if (lastTold !== '') next();
    },
    act,
    async lookNow() {
      if (!current)
        await inTurn(async () => {
          if (!current && !stopping.signal.aborted) await look();
        });
      return report();
    },
    runId() {
      const { seen } = launcher;
      if (seen?.is !== 'running') return null;
      return seen.launch ?? String(seen.pid);
    },
    actionsBegun: () => actions,
    isUnderWay: (task) => current?.task === task,
    resultOf(task) {
      const { lastTask } = record.now();
      return lastTask?.id === task ? lastTask.result : null;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      stopping.abort();
      current?.breaking.abort();
      listener = () => undefined;
      await chain;
      await way[Symbol.asyncDispose]();
    },
  };
};
