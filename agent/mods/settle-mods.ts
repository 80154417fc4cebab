import { realpath } from 'node:fs/promises';
import type { AgentConfig } from '../configuration/config.ts';
import { configuredWhyNotStopped } from '../saves/server-saves.ts';
import { type ChangeJournal, freeReserve, openChange, writeChange } from './change-journal.ts';
import { writeManifest } from './manifest.ts';
import { modsWords } from './mods-error.ts';
import { keepSwap, removeStage, swapBack } from './swap-files.ts';

/** Held by the change that is at work in this process. */
export interface ChangeTurn {
  isTaken: boolean;
  /** The game was stopped for it. */
  isGameDown: boolean;
}

export const changeTurn = (): ChangeTurn => ({ isTaken: false, isGameDown: false });

/**
 * Ends what a change that was cut off has begun with files; before anything starts the game. Starting and watching the game again
 * is its task's.
 * @param turn null at the start of the agent, when no change is at work
 * @returns why the game must not be started now, for people; null: it may
 */
export const settleMods = async (
  config: Pick<AgentConfig, 'stateFolder' | 'server' | 'console'>,
  turn: ChangeTurn | null,
): Promise<string | null> => {
  const { stateFolder, server } = config;
  try {
    if (turn?.isTaken) {
      if (turn.isGameDown) return 'Its mods are being changed. It is started again by itself.';
      return null;
    }
    const journal = await openChange(stateFolder);
    if (!journal) return null;
    if (journal.stage === 'keeping') {
      await finishKeeping(stateFolder, await realpath(server?.folder ?? ''), journal);
      return null;
    }
    if (journal.stage !== 'swapping' && journal.stage !== 'rolling-back') return null;
    const why = await configuredWhyNotStopped(config as AgentConfig);
    if (why !== null) return `A change of its mods was cut off. ${why}`;
    await putBack(stateFolder, journal);
    return null;
  } catch (error) {
    return `A change of its mods was cut off, and could not be finished: ${modsWords(error)}`;
  }
};

/** Files of the new set may be in their places. */
export const isTouched = ({ stage }: ChangeJournal): boolean =>
  ['swapping', 'watching', 'rolling-back'].includes(stage);

/** The old set, whole; whatever the journal's stage before the commit. */
export const putBack = async (stateFolder: string, journal: ChangeJournal): Promise<ChangeJournal> => {
  if (isTouched(journal)) {
    // A kill between two renames leaves a mixture: from here on nothing starts it.
    await writeChange(stateFolder, { ...journal, stage: 'rolling-back' });
    await swapBack(journal);
  }
  const back: ChangeJournal = { ...journal, stage: 'back' };
  await writeChange(stateFolder, back);
  return back;
};

/** From the commit on; repeating it does no harm. */
export const finishKeeping = async (
  stateFolder: string,
  root: string,
  journal: ChangeJournal,
): Promise<void> => {
  if (journal.next === null) throw new Error('a change is kept that has no set');
  await keepSwap(root, journal);
  await writeManifest(stateFolder, journal.next);
  await removeStage(journal);
};

/** Nothing is left to do but to tell the result. */
export const endChange = async (
  stateFolder: string,
  journal: ChangeJournal,
  result: NonNullable<ChangeJournal['result']>,
): Promise<void> => {
  await removeStage(journal);
  await writeChange(stateFolder, {
    ...journal,
    stage: 'ended',
    moves: [],
    made: [],
    next: null,
    notes: [],
    result,
  });
  await freeReserve(stateFolder);
};
