import { rm } from 'node:fs/promises';
import { modIdsFile } from '../power/mods-mark.ts';
import type { ChangeJournal } from './change-journal.ts';
import { adoptStage } from './folder/adopt-stage.ts';
import type { FolderWorker } from './folder/folder-worker.ts';
import { modsStateFolder } from './manifest.ts';
import { type Swap, swapBack, swapIn } from './swap-files.ts';

export interface Places {
  readonly stateFolder: string;
  readonly worker: FolderWorker;
}

/** The list of ids for a start command is in the agent's private state folder; everything else is in the server's folder. */
const split = ({ stateFolder }: Places, { folder, moves, made }: Swap): { own: Swap; server: Swap } => {
  const isOwn = ({ place }: Swap['moves'][number]) => place === modIdsFile(stateFolder);
  return {
    own: { folder: modsStateFolder(stateFolder), moves: moves.filter(isOwn), made: [] },
    server: { folder, moves: moves.filter((one) => !isOwn(one)), made },
  };
};

const adoptEarlier = async ({ worker }: Places, { folder, isOfAccount }: ChangeJournal): Promise<void> => {
  if (isOfAccount) return;
  const account = await worker.account();
  if (account) await adoptStage(folder, account);
};

/** Puts the new set in place. After a failure, `putOldBack` cleans up. @throws {ModsError} */
export const putNewIn = async (places: Places, journal: ChangeJournal): Promise<void> => {
  const { own, server } = split(places, journal);
  await places.worker.run('swapIn', server);
  await swapIn(own);
};

/** Puts the old set back from wherever `putNewIn` or an earlier `putOldBack` has stopped. */
export const putOldBack = async (places: Places, journal: ChangeJournal): Promise<void> => {
  const { own, server } = split(places, journal);
  await adoptEarlier(places, journal);
  await swapBack(own);
  await places.worker.run('swapBack', server);
};

/** Completes the new set: files that someone else has changed are moved beside their places, and empty folders are removed. */
export const keepNew = async (places: Places, root: string, journal: ChangeJournal): Promise<void> => {
  await adoptEarlier(places, journal);
  await places.worker.run('keepSwap', { ...split(places, journal).server, root });
};

/** Removes everything that is not in its place. What cannot be deleted now does no harm, and is removed with the next change. */
export const removeLeft = async (places: Places, journal: ChangeJournal): Promise<void> => {
  const { own, server } = split(places, journal);
  for (const { fresh, before } of own.moves)
    for (const path of [fresh, before]) if (path !== null) await rm(path, { force: true });
  await adoptEarlier(places, journal)
    .then(() => places.worker.run('removeStage', { folder: server.folder }))
    .catch(() => undefined);
};
