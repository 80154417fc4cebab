import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type ModStep, type ModsChange, modsChanged } from '#contracts/servers/agent-mods.ts';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { LoaderFacts } from '#games/mods-layout.ts';
import { bootId, sinceBootMs } from '../power/process/process-identity.ts';
import type { BackupOptions } from '../saves/backup-saves.ts';
import type { TaskRun } from '../tasks/task-handlers.ts';
import { createChangeEnds } from './change-ends.ts';
import { cutOffAt, isRefusal, RehearsalError, stepOf, whyUnfit } from './change-faults.ts';
import {
  type ChangeJournal,
  freeReserve,
  openChange,
  readChange,
  reserveRoom,
  writeChange,
} from './change-journal.ts';
import { changed, refused, resultOf } from './change-result.ts';
import { commandIdMoves } from './command-ids.ts';
import { FolderWorkerError } from './folder/worker-errors.ts';
import { readManifest } from './manifest.ts';
import type { ModFiles } from './mod-files.ts';
import { ModsError, modsWords } from './mods-error.ts';
import { putNewIn } from './move-files.ts';
import { demandInside, idOf } from './plan-moves.ts';
import type { RehearsalOptions, Rehearsed } from './rehearsal/rehearse.ts';
import { endChange, finishKeeping, isTouched, putBack } from './settle-mods.ts';
import { stageMods } from './stage-mods.ts';

/** Starts the new set beside the old one, and reports whether it came up. */
export interface ModsRehearsal {
  /** For people; null: it can be rehearsed now. */
  whyNot(): Promise<string | null>;
  run(options: Pick<RehearsalOptions, 'moves' | 'watch' | 'signal' | 'onStep'>): Promise<Rehearsed>;
}

/** Changes a server's mods: whole, or not at all. */
export interface ModsChanger {
  change(change: ModsChange, run: TaskRun): Promise<TaskResult>;
  /** Continues what an earlier agent began, or says how it ended. */
  recover(change: ModsChange, run: TaskRun): Promise<TaskResult>;
  /** Why the game's state does not allow a change; null: it does. */
  whyGameHinders(): Promise<string | null>;
}

export const createModsChanger = (
  options: Parameters<typeof createChangeEnds>[0] & {
    readonly gameId: GameId;
    readonly facts: () => Promise<LoaderFacts>;
    readonly files: ModFiles;
    /** Null: no other work on the saves is running or interrupted; else why it is busy. */
    readonly whySavesBusy: () => Promise<string | null>;
    readonly backUp: (options: Pick<BackupOptions, 'signal' | 'onProgress'>) => Promise<unknown>;
    /** Null: it cannot be rehearsed on this machine. */
    readonly rehearsal: ModsRehearsal | null;
    /** Tries ids before the game is stopped; null: only the game itself can tell. @throws {ModsError} naming the bad ones */
    readonly proveIds:
      | ((ids: readonly string[], run: Pick<TaskRun, 'signal' | 'progress'>) => Promise<void>)
      | null;
  },
): ModsChanger => {
  const { gameId, mods, stateFolder, worker, files, power, mayPower, turn, whyNotStopped } = options;
  const places = { stateFolder, worker };

  const ends = createChangeEnds(options);
  const { act, endKeeping, endWithOld, endWithPutBack, failureOf, goBack, joinStop } = ends;
  const { keep, leaveIfStopping, prove } = ends;

  /** @returns what went wrong, for people */
  const stopGame = async (change: ModsChange, run: TaskRun): Promise<string | null> => {
    const stopped = await act(run, 'stop', change.countdown);
    if (stopped.outcome === 'cancelled') {
      run.cancelled.throwIfAborted();
      throw new ModsError('The stop of the game was broken off.');
    }
    if (stopped.outcome !== 'done') throw new ModsError(stopped.detail ?? 'The game did not stop.');
    return stopped.detail;
  };

  /** Ends a change whose task is lost, so that nothing continued it. @returns what people must know about its end */
  const endEarlier = async (run: TaskRun): Promise<readonly string[]> => {
    const journal = await openChange(stateFolder);
    if (!journal) return [];
    if (journal.stage === 'keeping' && journal.result) {
      await finishKeeping(places, await options.root(), journal);
      await endChange(places, journal, journal.result);
      return journal.notes;
    }
    const cutOff = { ...journal, failure: journal.failure ?? cutOffAt(journal, run) };
    turn.isGameDown = isTouched(journal);
    const { value } = await (turn.isGameDown
      ? goBack(cutOff, run)
      : endWithOld(await putBack(places, cutOff), run));
    return modsChanged.safeParse(value).data?.notes ?? [];
  };

  const lookThere = async () => ({
    facts: await options.facts(),
    isOfAccount: (await worker.account()) !== null,
  });

  const change = async (wanted: ModsChange, run: TaskRun): Promise<TaskResult> => {
    const earlierNotes = await endEarlier(run);
    const manifest = await readManifest(stateFolder);
    const { revision } = manifest;
    const looked = await lookThere().catch((error: unknown) => {
      if (error instanceof FolderWorkerError) return error;
      throw error;
    });
    if (looked instanceof FolderWorkerError)
      return resultOf('failed', modsWords(looked), changed(revision, { failedAt: 'download' }));
    const { facts, isOfAccount } = looked;
    const why = whyUnfit(wanted, manifest, mods.forms(facts)) ?? (await whyNotNow(wanted));
    if (why !== null) return refused(revision, why);

    const root = await options.root();
    const at = new Date().toISOString();
    const folder = join(root, '.castellan-mods', randomUUID());
    let step: ModStep = 'download';
    let hasBegunSwap = false;
    let stopNote: string | null = null;
    let journal: ChangeJournal = {
      version: 1,
      stage: 'staging',
      task: run.id,
      at,
      folder,
      moves: [],
      made: [],
      isOfAccount,
      next: null,
      notes: [...earlierNotes],
      newSince: null,
      isRestarted: false,
      isRolledBack: false,
      failure: null,
      result: null,
    };
    const onStep = (now: ModStep, done: number, total: number | null) => {
      step = now;
      run.progress({ step: now, done, total });
    };
    try {
      await reserveRoom(stateFolder, journal);
      await writeChange(stateFolder, journal);
    } catch (error) {
      await freeReserve(stateFolder);
      return resultOf('failed', modsWords(error), changed(revision, { failedAt: step }));
    }
    try {
      const folders = mods.folders(facts);
      const staged = await stageMods({
        put: wanted.put,
        game: gameId,
        folders,
        files,
        worker,
        root,
        folder,
        taskId: run.id,
        signal: run.signal,
        onStep,
      });
      const plan = async () => {
        const planned = await worker.run('planMoves', {
          root,
          game: gameId,
          manifest,
          change: wanted,
          staged,
          folders,
          folder,
          at,
        });
        demandInside(root, planned);
        if (mods.ids?.at !== 'command') return planned;
        const own = await commandIdMoves(stateFolder, manifest.items, planned.next.items);
        return { ...planned, moves: [...planned.moves, ...own] };
      };
      const ids = wanted.put.filter(({ form }) => form === 'id').map(idOf);
      if (ids.length > 0) await options.proveIds?.(ids, run);
      step = 'stage';
      let planned = await plan();
      journal = { ...journal, ...planned, notes: [...earlierNotes, ...planned.notes] };
      await reserveRoom(stateFolder, journal);
      run.signal.throwIfAborted();
      // Nothing of the game's changes: it keeps running.
      if (planned.moves.length === 0) return await keep(journal, null, []);
      if (wanted.rehearse && options.rehearsal) {
        step = 'rehearse';
        let steps = 0;
        const rehearsed = await options.rehearsal.run({
          moves: journal.moves,
          watch: wanted.watch,
          signal: run.signal,
          onStep() {
            onStep('rehearse', steps, 3);
            steps += 1;
          },
        });
        if (!rehearsed.passed) throw new RehearsalError(rehearsed.why, rehearsed.lines);
      }
      run.signal.throwIfAborted();
      step = 'stop';
      const isUp = isGameUp();
      journal = { ...journal, stage: 'stopping', isRestarted: isUp };
      await writeChange(stateFolder, journal);
      if (isUp) {
        run.progress({ step, done: 0, total: null });
        stopNote = await stopGame(wanted, run);
      }
      turn.isGameDown = true;
      run.signal.throwIfAborted();
      if (wanted.backup) {
        step = 'backup';
        await options.backUp({
          signal: run.signal,
          onProgress: ({ done, total }) => run.progress({ step: 'backup', done, total }),
        });
        run.signal.throwIfAborted();
      }
      step = 'swap';
      // The game writes its settings when it stops.
      planned = await plan();
      run.progress({ step, done: 0, total: null });
      run.signal.throwIfAborted();
      journal = {
        ...journal,
        ...planned,
        stage: 'swapping',
        notes: [...earlierNotes, ...planned.notes, ...(stopNote === null ? [] : [stopNote])],
      };
      await writeChange(stateFolder, journal);
      // From here on nothing starts the game; one that was started just before is noticed now.
      const running = (await whyStarting()) ?? (await whyNotStopped());
      if (running !== null) throw new ModsError(running);
      leaveIfStopping(run);
      hasBegunSwap = true;
      await putNewIn(places, journal);
      journal = { ...journal, stage: 'watching', newSince: { boot: bootId(), atMs: sinceBootMs() } };
      await writeChange(stateFolder, journal);
    } catch (error) {
      if (!hasBegunSwap) leaveIfStopping(run);
      const failure = failureOf(stepOf(step, error), error, run.cancelled.aborted && !hasBegunSwap);
      const stage = hasBegunSwap ? 'swapping' : 'stopping';
      return endWithPutBack({ ...journal, stage, failure }, run, isRefusal(error) && !journal.isRestarted);
    }
    return prove(journal, wanted, run, false);
  };
  /** A start that passed the gate before the change closed it has no process yet, so it is waited for. */
  const whyStarting = async (): Promise<string | null> => {
    const { state = 'stopped' } = (await power?.lookNow()) ?? {};
    return ['stopped', 'crash-looping'].includes(state)
      ? null
      : `The game is not down (${state}), so that its mods stay as they are.`;
  };
  const isGameUp = (): boolean => {
    if (!power) return false;
    const { state, wanted } = power.report();
    return (
      ['running', 'starting', 'backing-off'].includes(state) || (state === 'stopped' && wanted === 'running')
    );
  };
  const whyNotNow = async (wanted: ModsChange): Promise<string | null> => {
    const why = (await options.whySavesBusy()) ?? (await whyGameHinders());
    if (why !== null || !wanted.rehearse) return why;
    return options.rehearsal ? options.rehearsal.whyNot() : 'A new set cannot be rehearsed on this machine.';
  };
  /** Why the game's state does not allow a change. */
  const whyGameHinders = async (): Promise<string | null> => {
    if (power && isGameUp())
      return mayPower
        ? null
        : 'The game runs, and the owner of its machine does not allow stopping it from the panel. Stop it first.';
    const state = power?.report().state;
    if (state === 'unknown' || state === 'stopping')
      return `Whether the game runs cannot be told now (${power?.report().detail ?? state}). Try again later.`;
    return whyNotStopped();
  };

  return {
    whyGameHinders,
    async change(wanted, run) {
      turn.isTaken = true;
      try {
        return await change(wanted, run);
      } finally {
        turn.isTaken = false;
        turn.isGameDown = false;
      }
    },
    async recover(wanted, run) {
      turn.isTaken = true;
      try {
        const journal = await readChange(stateFolder);
        if (journal?.task !== run.id) {
          const { revision } = await readManifest(stateFolder);
          return resultOf(
            run.cancelled.aborted ? 'cancelled' : 'failed',
            'The agent ended before it began. Nothing was changed.',
            changed(revision, {}),
          );
        }
        if (journal.result && journal.stage === 'ended') return journal.result;
        if (journal.result && journal.stage === 'keeping') return await endKeeping(journal, journal.result);
        // A stop that the power has already resumed.
        if (power?.isUnderWay(run.id) && journal.stage === 'stopping') await joinStop(run);
        if (journal.stage === 'watching') return await prove(journal, wanted, run, true);
        const cutOff: ChangeJournal = { ...journal, failure: journal.failure ?? cutOffAt(journal, run) };
        turn.isGameDown = isTouched(journal);
        if (turn.isGameDown) return await goBack(cutOff, run);
        return await endWithOld(await putBack(places, cutOff), run);
      } finally {
        turn.isTaken = false;
        turn.isGameDown = false;
      }
    },
  };
};
