import type { LicenseState } from '#contracts/license/license-state.ts';
import type { ComponentName, ComponentState, StackState } from '#contracts/operations/stack.ts';
import type { Health } from './component.ts';

export interface ComponentSnapshot {
  readonly name: ComponentName;
  readonly state: ComponentState;
  /** What the process said at the last probe; null when there is none. */
  readonly condition: Health['condition'] | null;
  readonly license: LicenseState | null;
}

/** Without these there is no stack; a failed bot only degrades it. */
const essential: readonly ComponentName[] = ['postgres', 'api'];

/**
 * The state of the whole, from its components.
 * @param wanted whether the stack is meant to run; distinguishes a restart from a stop
 */
export const stackState = (wanted: boolean, components: readonly ComponentSnapshot[]): StackState => {
  const some = (...states: ComponentState[]) => components.some(({ state }) => states.includes(state));
  if (!wanted)
    return some('starting', 'running', 'unhealthy', 'stopping', 'crashed') ? 'stopping' : 'stopped';
  if (components.some(({ name, state }) => state === 'failed' && essential.includes(name))) return 'failed';
  if (some('starting', 'stopping', 'stopped')) return 'starting';
  if (components.some(({ license }) => license === 'unlicensed' || license === 'rejected'))
    return 'unlicensed';
  const well = components.every(({ state, condition }) => state === 'running' && condition !== 'degraded');
  return well ? 'running' : 'degraded';
};

/** Someone has stopped the stack, or is about to: no setting that changes may start it. */
export const isStopped = (state: StackState): boolean => state === 'stopped' || state === 'stopping';
