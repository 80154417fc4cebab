import { type ComponentName, stackControl } from '#contracts/operations/stack.ts';
import { callSupervisor, untilReleased } from '../control/control-client.ts';
import type { CommandContext } from './command-context.ts';
import { CommandFailure } from './exit-codes.ts';
import { notSupervised } from './not-supervised.ts';
import { describeComponent } from './status.ts';

/** `castellan stop`: returns when the data folder is free for another start. */
export const stop = async ({ home, terminal }: CommandContext): Promise<void> => {
  if (!(await callSupervisor(home, stackControl.stop))) throw await notSupervised(home);
  await untilReleased(home);
  terminal.say('Stopped.');
};

/** `castellan restart`: returns when what was restarted answers again. */
export const restart = async (
  { home, terminal }: CommandContext,
  component: ComponentName | undefined,
): Promise<void> => {
  const stack = await callSupervisor(home, stackControl.restart, { component });
  if (!stack) throw await notSupervised(home);
  const restarted = stack.components.filter(({ name }) => component === undefined || name === component);
  for (const each of restarted) terminal.say(describeComponent(each));
  if (restarted.some(({ state }) => state === 'failed'))
    throw new CommandFailure('The restart failed. See the last lines of the log with: castellan status');
};
