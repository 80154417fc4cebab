import type { AgentTaskOf, TaskResult } from '#contracts/agent-tasks.ts';
import type { TaskHandler, TaskRun } from '../tasks/task-handlers.ts';
import type { Power } from './power.ts';

const refused = (detail: string): TaskResult => ({ outcome: 'refused', detail, value: null });

/** @param power null where nothing on the machine says how the game is started */
export const powerTask = (power: Power | null, isAllowed: boolean): TaskHandler<'power'> => {
  const act = ({ action, countdown }: AgentTaskOf<'power'>, { id, signal, progress }: TaskRun) => {
    if (!power)
      return refused("Nothing on the game's machine says how this server is started. Set it up there.");
    if (!isAllowed)
      return refused("The owner of the game's machine does not allow starting and stopping from the panel.");
    return power.act({
      action,
      countdown,
      task: id,
      signal,
      onStep: (step, done, total) => progress({ step, done, total }),
    });
  };
  return {
    run: async (task, run) => act(task, run),
    async recover(task, run) {
      const known = power?.resultOf(run.id);
      // One that the agent's own end broke off is done again, but not what was taken back.
      if (known && (known.outcome !== 'cancelled' || run.signal.aborted)) return known;
      if (run.signal.aborted) return { outcome: 'cancelled', detail: null, value: null };
      // The countdown was heard; nobody waits for it twice.
      return act({ ...task, countdown: null }, run);
    },
  };
};
