import type { ModStep, ModsChange, ModsChanged } from '#contracts/agent-mods.ts';
import type { TaskResult } from '#contracts/agent-tasks.ts';
import type { Game } from '#games/game.ts';
import type { GameMods } from '#games/mods-layout.ts';
import type { Log } from '#runtime/log.ts';
import { type PowerConsole, waitFor } from '../power/bring-down.ts';
import type { Power } from '../power/power.ts';
import type { WhyNotStopped } from '../saves/proven-stopped.ts';
import { LeftForNextStart, type TaskRun } from '../tasks/task-handlers.ts';
import { RehearsalError } from './change-faults.ts';
import { type ChangeJournal, writeChange } from './change-journal.ts';
import type { FolderWorker } from './folder/folder-worker.ts';
import type { GameLines } from './game-lines.ts';
import { readManifest } from './manifest.ts';
import { ModsError, modsWords } from './mods-error.ts';
import { type ChangeTurn, endChange, finishKeeping, isTouched, putBack } from './settle-mods.ts';
import { startAndWatch, untilAborted, type WatchOptions } from './watch-health.ts';

export interface ChangeEndsOptions {
  readonly game: Pick<Game, 'listPlayers'>;
  readonly mods: GameMods;
  readonly stateFolder: string;
  readonly worker: FolderWorker;
  /** The server's folder, without links. @throws {ModsError} */
  readonly root: () => Promise<string>;
  /** Null where nothing on the machine says how the game is started. */
  readonly power: Power | null;
  /** The machine's owner allows the panel to start and stop it. */
  readonly mayPower: boolean;
  /** Null: nothing is known of the game's console. */
  readonly console: PowerConsole | null;
  readonly lines: GameLines;
  readonly maskLine: (line: string) => string;
  readonly whyNotStopped: WhyNotStopped;
  readonly turn: ChangeTurn;
  readonly log: Log;
  readonly pollMs?: number;
}

const never = new AbortController().signal;
const mostLines = 50;
const betweenTriesMs = 500;
const longestWaitMs = 30_000;

/** How a change of mods ends: with the new set, proven, or with the old one, whole. */
export const createChangeEnds = (options: ChangeEndsOptions) => {
  const { mods, stateFolder, worker, power, mayPower, turn, whyNotStopped, log } = options;
  const places = { stateFolder, worker };

  const changed = (revision: number, parts: Partial<ModsChanged>): ModsChanged => ({
    set: 'old',
    revision,
    isRolledBack: false,
    health: null,
    failedAt: null,
    lines: [],
    ...parts,
    notes: (parts.notes ?? []).slice(0, 50).map((note) => note.slice(0, 500)),
  });
  const resultOf = (
    outcome: TaskResult['outcome'],
    detail: string | null,
    value: ModsChanged,
  ): TaskResult => ({
    outcome,
    detail: detail?.slice(0, 2000) || null,
    value: { ...value },
  });
  const refused = (revision: number, detail: string): TaskResult =>
    resultOf('refused', detail, changed(revision, {}));

  const leaveIfStopping = (run: TaskRun) => {
    if (run.stopping.aborted) throw new LeftForNextStart();
  };
  const act = async (
    run: TaskRun,
    action: 'start' | 'stop' | 'kill',
    countdown: ModsChange['countdown'] = null,
  ): Promise<TaskResult> => {
    if (!power) throw new ModsError('Nothing on the machine says how the game is started.');
    const acted = power.act({
      ...{ action, countdown, task: run.id, signal: countdown ? run.cancelled : never },
      onStep: (_step, done, total) =>
        run.progress({ step: action === 'start' ? 'start' : 'stop', done, total }),
    });
    // What the power has begun goes on by itself, and the next agent joins it.
    return untilAborted(acted, run.stopping).catch((error: unknown) => {
      leaveIfStopping(run);
      throw error;
    });
  };

  const progressOf = (run: TaskRun) => (step: ModStep, done: number, total: number | null) =>
    run.progress({ step, done, total });

  /** The old set is whole: starts the game again where it ran, and says why. */
  const endWithOld = async (journal: ChangeJournal, run: TaskRun, isRefused = false): Promise<TaskResult> => {
    const { revision } = await readManifest(stateFolder);
    const { failure, isRolledBack, isRestarted } = journal;
    const notes = [...journal.notes];
    turn.isGameDown = false;
    let detail = failure?.why ?? '';
    if (isRestarted && power) {
      const started = await act(run, 'start');
      leaveIfStopping(run);
      if (started.outcome !== 'done')
        notes.push(`The game did not start again with the old mods: ${started.detail ?? started.outcome}`);
    }
    detail += isRolledBack ? ' The old mods were put back.' : ' Nothing was changed.';
    const value = changed(revision, {
      isRolledBack,
      health: isRolledBack ? 'failed' : null,
      failedAt: failure?.at ?? 'swap',
      lines: (failure?.lines ?? []).slice(-mostLines).map((line) => line.slice(0, 1000)),
      notes,
    });
    const outcome = failure?.isCancelled ? 'cancelled' : isRefused ? 'refused' : 'failed';
    const result = resultOf(
      outcome,
      failure?.isCancelled && !isRolledBack ? 'Nothing was changed.' : detail,
      value,
    );
    await endChange(places, journal, result);
    return result;
  };

  /** The new set stays: what is left to do does not change that. */
  const endKept = async (journal: ChangeJournal, result: TaskResult): Promise<TaskResult> => {
    try {
      await finishKeeping(places, await options.root(), journal);
      await endChange(places, journal, result);
    } catch (error) {
      // The next start of the agent, or of the game, writes the rest down.
      log.error({ err: error }, 'the new mods are in place, but that could not be written down yet');
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
    return endKept(keeping, result);
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

  /** Joins a stop that is going on, and outlasts a start or a restart. @returns whether the game is wanted afterwards */
  const downForOld = async (journal: ChangeJournal, run: TaskRun): Promise<boolean> => {
    let { isRestarted } = journal;
    for (;;) {
      const state = power?.report().state ?? 'stopped';
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

  /** Files that another program holds free themselves in the end; until then nothing may start a mixture. */
  const putBackAtLast = async (journal: ChangeJournal, run: TaskRun): Promise<ChangeJournal> => {
    for (let waitMs = betweenTriesMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        return await putBack(places, journal);
      } catch (error) {
        if (!isTouched(journal)) throw error;
        log.error({ err: error }, 'the old mods could not be put back yet');
      }
      run.progress({ step: 'roll-back', done: 0, total: null });
      await waitFor(waitMs, [run.stopping]);
      leaveIfStopping(run);
    }
  };

  const goBack = async (journal: ChangeJournal, run: TaskRun): Promise<TaskResult> => {
    const notes = [...journal.notes];
    const isRestarted = await downForOld(journal, run);
    const why = await whyNotStopped();
    // The old files lie beside their places: a mixture would be worse than a game that has to be started again.
    if (why !== null) notes.push(`The old mods were put back while the game was running: restart it. ${why}`);
    return endWithOld(await putBackAtLast({ ...journal, isRestarted, notes }, run), run);
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

  /** The new set is in place. */
  const prove = async (journal: ChangeJournal, change: ModsChange, run: TaskRun): Promise<TaskResult> => {
    if (!power) return keepOrBack(journal, run, 'unmanaged', []);
    if (!journal.isRestarted) return keepOrBack(journal, run, 'down', []);
    turn.isGameDown = false;
    const watched: WatchOptions = {
      ...{ power, console: options.console, game: options.game, mods, lines: options.lines },
      ...{ maskLine: options.maskLine, watch: change.watch, task: run.id, onStep: progressOf(run) },
      ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
      signal: run.stopping,
    };
    const health = await startAndWatch(watched).catch((error: unknown) => {
      leaveIfStopping(run);
      throw error;
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
    changed,
    endKept,
    endWithOld,
    failureOf,
    goBack,
    keep,
    leaveIfStopping,
    prove,
    putBackAtLast,
    refused,
    resultOf,
  };
};
