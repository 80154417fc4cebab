import type { TaskHandler } from '../tasks/task-handlers.ts';
import type { LineHistory } from './line-history.ts';

/** Answers the API's requests for older lines; they change nothing, so one that a dead agent had received is repeated. */
export const historyHandler = (history: LineHistory): TaskHandler<'console-history'> => {
  const run: TaskHandler<'console-history'>['run'] = async (
    { before, search, limit },
    { signal, upload },
  ) => {
    const page = await history.read({ before, search, limit, signal });
    if (!page) return { outcome: 'refused', detail: 'This is no place in the history.', value: null };
    await upload(Buffer.from(JSON.stringify(page)));
    return { outcome: 'done', detail: null, value: { lines: page.lines.length } };
  };
  return { run, recover: run };
};
