import type { TaskHandler } from '../tasks/task-handlers.ts';
import { findSurvivor, type SurvivorSearch } from './find-survivor.ts';

/** Answers the API's requests for survivor numbers; they change nothing, so one that a dead agent had received is repeated. */
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
