import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, silentFolder } from '#runtime/answering-folder.ts';
import type { FolderWorker } from '../mods/folder/folder-worker.ts';
import { modsWords } from '../mods/mods-error.ts';
import type { TaskHandler } from '../tasks/task-handlers.ts';
import type { FoundSurvivor, SurvivorSearch } from './find-survivor.ts';

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
    // The worlds may be the account's where the server's folder is root's.
    const saved = join(folder, 'ShooterGame', 'Saved');
    const owned = await access(saved).then(
      () => saved,
      () => folder,
    );
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
