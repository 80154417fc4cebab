import type { ModStep, ModsChange, ModsChanged } from '#contracts/servers/agent-mods.ts';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { Game } from '#games/game.ts';
import type { GameMods } from '#games/mods-layout.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import type { Log } from '#runtime/log.ts';
import { untilAborted } from '#runtime/until-aborted.ts';
import { type PowerConsole, waitFor } from '../power/bring-down.ts';
import type { Power } from '../power/power.ts';
import { isOfThisBoot, sinceBootMs } from '../power/process/process-identity.ts';
import type { WhyNotStopped } from '../saves/proven-stopped.ts';
import { LeftForNextStart, type TaskRun } from '../tasks/task-handlers.ts';
import { RehearsalError } from './change-faults.ts';
import { type ChangeJournal, writeChange } from './change-journal.ts';
import { changed, resultOf } from './change-result.ts';
import type { FolderWorker } from './folder/folder-worker.ts';
import type { GameLines } from './game-lines.ts';
import { readManifest } from './manifest.ts';
import { ModsError, modsWords } from './mods-error.ts';
import { type ChangeTurn, endChange, finishKeeping, isTouched, putBack } from './settle-mods.ts';
import { startWithSet } from './start-with-set.ts';
import { type Health, startAndWatch } from './watch-health.ts';

const never = new AbortController().signal;
const startedMeanwhile =
  'The game was started while its mods changed places, so that it may run with some of both sets: restart it.';
const betweenTriesMs = 500;
const putBackRetry = { firstMs: betweenTriesMs, mostMs: 30_000 };

/** How a change of mods ends: with the new set, proven, or with the old one, whole. */
export const createChangeEnds = (options: {
  readonly game: Pick<Game, 'listPlayers'>;
  readonly mods: GameMods;
  readonly stateFolder: string;
  readonly worker: FolderWorker;
  /** The server's folder, without links. @throws {ModsError} */
  readonly root: () => Promise<string>;
  /** Null when nothing on the machine says how the game is started. */
  readonly power: Power | null;
  /** The machine's owner allows the panel to start and stop it. */
  readonly mayPower: boolean;
  /** Null: the game's console is unknown. */
  readonly console: PowerConsole | null;
  readonly lines: GameLines;
  readonly maskLine: (line: string) => string;
  readonly whyNotStopped: WhyNotStopped;
  readonly turn: ChangeTurn;
  readonly log: Log;
  readonly pollMs?: number;
}) => {
  const { mods, stateFolder, worker, power, mayPower, turn, whyNotStopped, log } = options;
  const places = { stateFolder, worker };

  const leaveIfStopping = (run: TaskRun) => {
    if (run.stopping.aborted) throw new LeftForNextStart();
  };
  const act = async (
    run: TaskRun,
    action: 'start' | 'stop' | 'kill',
    countdown: ModsChange['countdown'] = null,
    signal: AbortSignal = countdown ? run.cancelled : never,
  ): Promise<TaskResult> => {
    if (!power) throw new ModsError('Nothing on the machine says how the game is started.');
    const acted = power.act({
      action,
      countdown,
      task: run.id,
      signal,
      onStep: (_step, done, total) =>
        run.progress({ step: action === 'start' ? 'start' : 'stop', done, total }),
    });
    // An action that the power has begun continues, and the next agent joins it.
    return untilAborted(acted, run.stopping).catch((error: unknown) => {
      leaveIfStopping(run);
      throw error;
    });
  };

  /** Joins a stop that an earlier agent began, with the rest of its countdown. */
  const joinStop = (run: TaskRun): Promise<TaskResult> => act(run, 'stop', null, run.cancelled);

  const progressOf = (run: TaskRun) => (step: ModStep, done: number, total: number | null) =>
    run.progress({ step, done, total });

  /**
   * The old set is whole: starts the game again if it was running, and says why.
   * @param sinceMs when the old set was put back, in milliseconds since the start of the machine; null: it was in place all the
   * time
   */
  const endWithOld = async (
    journal: ChangeJournal,
    run: TaskRun,
    {
      sinceMs = null,
      isRefused = false,
    }: { readonly sinceMs?: number | null; readonly isRefused?: boolean } = {},
  ): Promise<TaskResult> => {
    const { revision } = await readManifest(stateFolder);
    const { failure, isRolledBack, isRestarted } = journal;
    const notes = [...journal.notes];
    turn.isGameDown = false;
    let detail = failure?.why ?? '';
    if (isRestarted && power) {
      run.progress({ step: 'start', done: 0, total: null });
      const fault = await startWithSet({
        power,
        task: run.id,
        sinceMs,
        isResumed: false,
        signal: run.stopping,
      }).catch((error: unknown) => {
        leaveIfStopping(run);
        throw error;
      });
      leaveIfStopping(run);
      if (fault) notes.push(`The game did not start again with the old mods: ${fault.why}`);
    }
    detail += isRolledBack ? ' The old mods were put back.' : ' Nothing was changed.';
    const value = changed(revision, {
      isRolledBack,
      health: isRolledBack ? 'failed' : null,
      failedAt: failure?.at ?? 'swap',
      lines: failure?.lines ?? [],
      notes,
    });
    const outcome = failure?.isCancelled ? 'cancelled' : isRefused ? 'refused' : 'failed';
    const result = resultOf(
      outcome,
      failure?.isCancelled && !isRolledBack ? 'Nothing was changed.' : detail,
      value,
    );
    await endChange(places, journal, result).catch((error: unknown) =>
      log.error({ err: error }, 'the old mods are in place, but could not record the end of the change'),
    );
    return result;
  };

  /** The new set is kept: what cannot be written now is written at the next start of the agent or of the game. */
  const endKeeping = async (keeping: ChangeJournal, result: TaskResult): Promise<TaskResult> => {
    try {
      await finishKeeping(places, await options.root(), keeping);
      await endChange(places, keeping, result);
    } catch (error) {
      log.error({ err: error }, 'the new mods are in place, but could not record that yet');
    }
    return result;
  };

  const keep = async (
    journal: ChangeJournal,
    health: ModsChanged['health'],
    notes: readonly string[],
  ): Promise<TaskResult> => {
    const keeping: ChangeJournal = { ...journal, stage: 'keeping', notes: [...journal.notes, ...notes] };
    const revision = keeping.next?.revision ?? 0;
    const result = resultOf('done', null, changed(revision, { set: 'new', health, notes: keeping.notes }));
    await writeChange(stateFolder, { ...keeping, result });
    return endKeeping(keeping, result);
  };

  const rollBack = async (
    journal: ChangeJournal,
    run: TaskRun,
    failure: NonNullable<ChangeJournal['failure']>,
    isRestarted: boolean,
  ): Promise<TaskResult> => {
    run.progress({ step: 'roll-back', done: 0, total: null });
    turn.isGameDown = true;
    const rolling: ChangeJournal = {
      ...journal,
      stage: 'rolling-back',
      isRolledBack: true,
      failure,
      isRestarted,
    };
    await writeChange(stateFolder, rolling);
    return goBack(rolling, run);
  };

  /** Joins a running stop, and outlasts a start or a restart. @returns whether the game is wanted afterwards */
  const downForOld = async (journal: ChangeJournal, run: TaskRun): Promise<boolean> => {
    let { isRestarted } = journal;
    for (;;) {
      const { state = 'stopped' } = (await power?.lookNow()) ?? {};
      // Started by people after it was stopped.
      isRestarted ||= mayPower && (state === 'running' || state === 'starting');
      if (!isRestarted && state !== 'stopping') return isRestarted;
      const { outcome } = await act(run, 'stop');
      leaveIfStopping(run);
      if (outcome === 'failed') await act(run, 'kill');
      leaveIfStopping(run);
      if (outcome === 'done' || outcome === 'failed') return isRestarted;
      await waitFor(betweenTriesMs, [run.stopping]);
      leaveIfStopping(run);
    }
  };

  /** Other programs release the files that they hold in the end; until then nothing may start a mixture. */
  const putBackAtLast = async (journal: ChangeJournal, run: TaskRun): Promise<ChangeJournal> => {
    for (let failures = 1; ; failures += 1) {
      try {
        return await putBack(places, journal);
      } catch (error) {
        if (!isTouched(journal)) throw error;
        log.error({ err: error }, 'could not restore the old mods yet');
      }
      run.progress({ step: 'roll-back', done: 0, total: null });
      await waitFor(backOffDelay(putBackRetry, failures), [run.stopping]);
      leaveIfStopping(run);
    }
  };

  const goBack = async (journal: ChangeJournal, run: TaskRun): Promise<TaskResult> =>
    endWithPutBack({ ...journal, isRestarted: await downForOld(journal, run) }, run);

  const endWithPutBack = async (
    journal: ChangeJournal,
    run: TaskRun,
    isRefused = false,
  ): Promise<TaskResult> => {
    if (!isTouched(journal)) return endWithOld(await putBackAtLast(journal, run), run, { isRefused });
    const before = await whyNotStopped();
    const back = await putBackAtLast(journal, run);
    const sinceMs = sinceBootMs();
    const why = before ?? (await whyNotStopped());
    // The old files are beside their places: a mixture would be worse than a game that has to be started again.
    const notes = [...back.notes];
    if (why !== null && !(power && back.isRestarted))
      notes.push(`The old mods were put back while the game was running: restart it. ${why}`);
    return endWithOld({ ...back, notes }, run, { sinceMs, isRefused });
  };

  const keepOrBack = async (
    journal: ChangeJournal,
    run: TaskRun,
    health: ModsChanged['health'],
    notes: readonly string[],
  ): Promise<TaskResult> => {
    try {
      return await keep(journal, health, notes);
    } catch (error) {
      return rollBack(journal, run, failureOf('watch', error), journal.isRestarted);
    }
  };

  /** The new set is in place. @param isResumed by another agent */
  const prove = async (
    journal: ChangeJournal,
    change: ModsChange,
    run: TaskRun,
    isResumed: boolean,
  ): Promise<TaskResult> => {
    if (!power || !journal.isRestarted) {
      const why = isResumed ? null : await whyNotStopped();
      const notes = why === null ? [] : [`${startedMeanwhile} ${why}`];
      return keepOrBack(journal, run, power ? 'down' : 'unmanaged', notes);
    }
    turn.isGameDown = false;
    const { newSince } = journal;
    const watched: Parameters<typeof startAndWatch>[0] = {
      power,
      console: options.console,
      game: options.game,
      mods,
      lines: options.lines,
      maskLine: options.maskLine,
      watch: change.watch,
      task: run.id,
      onStep: progressOf(run),
      ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
      sinceMs: newSince && isOfThisBoot(newSince.boot, newSince.atMs) ? newSince.atMs : null,
      isResumed,
      signal: run.stopping,
    };
    const health = await startAndWatch(watched).catch((error: unknown): Health => {
      leaveIfStopping(run);
      log.error({ err: error }, 'could not monitor the new mods');
      return { is: 'failed', at: 'watch', why: modsWords(error), lines: [], wasStopped: false };
    });
    leaveIfStopping(run);
    if (health.is === 'proven') {
      const unasked = options.console
        ? []
        : ['The game has no console here: only its process and its log were watched.'];
      return keepOrBack(journal, run, 'proven', [...health.notes, ...unasked]);
    }
    const { at, why, lines, wasStopped } = health;
    return rollBack(journal, run, { at, why, lines: [...lines], isCancelled: false }, !wasStopped);
  };

  const failureOf = (
    at: ModStep,
    error: unknown,
    isCancelled = false,
  ): NonNullable<ChangeJournal['failure']> => ({
    at,
    why: modsWords(error),
    lines: error instanceof RehearsalError ? [...error.lines] : [],
    isCancelled,
  });

  return {
    act,
    endKeeping,
    endWithOld,
    failureOf,
    endWithPutBack,
    goBack,
    joinStop,
    keep,
    leaveIfStopping,
    prove,
  };
};
