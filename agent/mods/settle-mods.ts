import { realpath } from 'node:fs/promises';
import type { AgentConfig } from '../configuration/config.ts';
import { configuredWhyNotStopped } from '../saves/server-saves.ts';
import { type ChangeJournal, freeReserve, openChange, writeChange } from './change-journal.ts';
import type { FolderWorker } from './folder/folder-worker.ts';
import { writeManifest } from './manifest.ts';
import { modsWords } from './mods-error.ts';
import { keepNew, type Places, putOldBack, removeLeft } from './move-files.ts';

/** Held by the change that is running in this process. */
export interface ChangeTurn {
  isTaken: boolean;
  /** The game was stopped for it. */
  isGameDown: boolean;
}

export const changeTurn = (): ChangeTurn => ({ isTaken: false, isGameDown: false });

/**
 * Ends the file work of an interrupted change; runs before anything starts the game. Starting and watching the game again is up
 * to its task.
 * @param turn null at the start of the agent, when no change is running
 * @returns why the game must not be started now, for people; null: it may
 */
export const settleMods = async (
  config: Pick<AgentConfig, 'stateFolder' | 'server' | 'console'>,
  turn: ChangeTurn | null,
  worker: FolderWorker,
): Promise<string | null> => {
  const { stateFolder, server } = config;
  const places = { stateFolder, worker };
  try {
    if (turn?.isTaken) {
      if (turn.isGameDown) return 'Its mods are being changed. It is started again by itself.';
      return null;
    }
    const journal = await openChange(stateFolder);
    if (!journal) return null;
    if (journal.stage === 'keeping') {
      // The new set is whole: the game starts with it, and the next change writes down what could not be written now.
      await realpath(server?.folder ?? '')
        .then((root) => finishKeeping(places, root, journal))
        .catch(() => undefined);
      return null;
    }
    if (journal.stage !== 'swapping' && journal.stage !== 'rolling-back') return null;
    const why = await configuredWhyNotStopped(config as AgentConfig);
    if (why !== null) return `A change of its mods was cut off. ${why}`;
    await putBack(places, journal);
    return null;
  } catch (error) {
    return `A change of its mods was cut off, and could not be finished: ${modsWords(error)}`;
  }
};

/** Files of the new set may be in their places. */
export const isTouched = ({ stage }: ChangeJournal): boolean =>
  ['swapping', 'watching', 'rolling-back'].includes(stage);

/** Restores the whole old set, from any stage of the journal before the commit. */
export const putBack = async (places: Places, journal: ChangeJournal): Promise<ChangeJournal> => {
  const { stateFolder } = places;
  if (isTouched(journal)) {
    // A kill between two renames leaves a mixture: from here on nothing starts it.
    await writeChange(stateFolder, { ...journal, stage: 'rolling-back' });
    await putOldBack(places, journal);
  }
  const back: ChangeJournal = { ...journal, stage: 'back' };
  await writeChange(stateFolder, back);
  return back;
};

/** From the commit on; repeating it does no harm. */
export const finishKeeping = async (places: Places, root: string, journal: ChangeJournal): Promise<void> => {
  if (journal.next === null) throw new Error('a change is kept that has no set');
  await keepNew(places, root, journal);
  await writeManifest(places.stateFolder, journal.next);
  await removeLeft(places, journal);
};

/** Only the result is left to report. */
export const endChange = async (
  places: Places,
  journal: ChangeJournal,
  result: NonNullable<ChangeJournal['result']>,
): Promise<void> => {
  const { stateFolder } = places;
  await removeLeft(places, journal);
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
