import type { TaskHandler } from '../tasks/task-handlers.ts';
import { findSurvivor, type SurvivorSearch } from './find-survivor.ts';

/** Answers the API's questions for survivor numbers; nothing is changed by one, so a dead agent's is asked again. */
export const survivorHandler = (
  where: Omit<SurvivorSearch, 'platformId'>,
): TaskHandler<'survivor-number'> => {
  const run: TaskHandler<'survivor-number'>['run'] = async ({ platformId }) => {
    const found = await findSurvivor({ ...where, platformId });
    return found.number === null
      ? { outcome: 'done', detail: found.detail, value: { number: null } }
      : { outcome: 'done', detail: null, value: { number: found.number, from: found.from } };
  };
  return { run, recover: run };
};
