import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFile } from '#runtime/disk-sync.ts';
import { modIdsFile } from '../power/mods-mark.ts';
import type { Move } from './change-journal.ts';
import { modsStateFolder, type OwnedMod } from './manifest.ts';
import { idsOf } from './plan-moves.ts';
import { isThere } from './swap-files.ts';

/** The list of ids for the start command is in the agent's own state folder, where the game's account can neither read nor write. */
export const commandIdMoves = async (
  stateFolder: string,
  before: readonly OwnedMod[],
  after: readonly OwnedMod[],
): Promise<Move[]> => {
  const wanted = idsOf(after);
  if (idsOf(before).join() === wanted.join()) return [];
  const own = modsStateFolder(stateFolder);
  const [place, fresh] = [modIdsFile(stateFolder), join(own, 'ids.new.json')];
  await writeFile(fresh, JSON.stringify(wanted), { mode: 0o600 });
  await syncFile(fresh);
  return [{ place, fresh, before: (await isThere(place)) ? join(own, 'ids.old.json') : null, kept: null }];
};
