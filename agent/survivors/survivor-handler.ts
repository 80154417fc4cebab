import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, silentFolder } from '#runtime/answering-folder.ts';
import { foreignPart } from '#runtime/owned-path.ts';
import type { FolderWorker } from '../mods/folder/folder-worker.ts';
import { modsWords } from '../mods/mods-error.ts';
import type { TaskHandler } from '../tasks/task-handlers.ts';
import type { FoundSurvivor, SurvivorSearch } from './find-survivor.ts';
import { deepest, savedFolder } from './world-folders.ts';

/** The first folder, from this one down to the worlds, that an account other than root may change; undefined: none. */
const foreignFolder = async (folder: string, depth: number): Promise<string | undefined> => {
  if ((await foreignPart(folder)) !== null) return folder;
  if (depth === 0) return undefined;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inside = entry.isDirectory() ? await foreignFolder(join(folder, entry.name), depth - 1) : undefined;
    if (inside !== undefined) return inside;
  }
  return undefined;
};

/**
 * Answers the API's requests for survivor numbers; they change nothing, so one that a dead agent had received is repeated. The
 * search follows what it finds in the folder, so it runs with the rights of the folder's account.
 */
export const survivorHandler = (
  where: Omit<SurvivorSearch, 'platformId'>,
  worker: Pick<FolderWorker, 'run'>,
): TaskHandler<'survivor-number'> => {
  const { folder } = where;
  const find = async (platformId: string): Promise<FoundSurvivor> => {
    if (!(await answers(folder))) return { number: null, detail: silentFolder(folder) };
    // The worlds may be the account's where the folders around them are root's.
    const owned = (await foreignFolder(await savedFolder(folder), deepest)) ?? folder;
    return worker
      .run('findSurvivor', { ...where, platformId }, undefined, owned)
      .catch((error: Error) => ({ number: null, detail: modsWords(error) }));
  };
  const run: TaskHandler<'survivor-number'>['run'] = async ({ platformId }) => {
    const found = await find(platformId);
    return found.number === null
      ? { outcome: 'done', detail: found.detail, value: { number: null } }
      : { outcome: 'done', detail: null, value: { number: found.number, from: found.from } };
  };
  return { run, recover: run };
};
