import type { ComponentState } from '#contracts/operations/stack.ts';
import type { Tone } from '../../../kit/design/state-label.tsx';

/** The tone of each state of a component. */
export const componentTones: Readonly<Record<ComponentState, Tone>> = {
  stopped: 'idle',
  starting: 'busy',
  running: 'ok',
  unhealthy: 'warn',
  stopping: 'busy',
  crashed: 'bad',
  failed: 'bad',
};
