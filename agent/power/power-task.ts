import type { AgentTaskOf, TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { TaskHandler, TaskRun } from '../tasks/task-handlers.ts';
import type { Power } from './power.ts';

const refused = (detail: string): TaskResult => ({ outcome: 'refused', detail, value: null });

/** The power record keeps the running action; the next agent resumes it, along with the task. */
const agentStops = (signal: AbortSignal, cancelled: AbortSignal): Promise<TaskResult> =>
  new Promise((resolve) => {
    const stop = () => {
      if (!cancelled.aborted) resolve({ outcome: 'cancelled', detail: null, value: null });
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

/** @param power null when nothing on the machine says how the game is started */
export const powerTask = (power: Power | null, isAllowed: boolean): TaskHandler<'power'> => {
  const act = ({ action, countdown }: AgentTaskOf<'power'>, { id, signal, cancelled, progress }: TaskRun) => {
    if (!power)
      return refused("Nothing on the game's machine says how this server is started. Set it up there.");
    if (!isAllowed)
      return refused("The owner of the game's machine does not allow starting and stopping from the panel.");
    const acted = power.act({
      action,
      countdown,
      task: id,
      signal: cancelled,
      onStep: (step, done, total) => progress({ step, done, total }),
    });
    return Promise.race([acted, agentStops(signal, cancelled)]);
  };
  return {
    run: async (task, run) => act(task, run),
    async recover(task, run) {
      const known = power?.resultOf(run.id);
      if (known) return known;
      // Cancelled before anything was done, or so long ago that nothing is left to undo.
      if (run.cancelled.aborted && !power?.isUnderWay(run.id))
        return { outcome: 'cancelled', detail: null, value: null };
      // Joins an action that was resumed, with the rest of its countdown.
      return act(task, run);
    },
  };
};
