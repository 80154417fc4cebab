import type { ComponentName, ComponentStatus } from '#contracts/operations/stack.ts';

/** What each component needs before it can start. */
const needs: Readonly<Record<ComponentName, ComponentName | null>> = {
  postgres: null,
  api: 'postgres',
  bot: 'api',
};

/** The state of a component while everything starts. */
type PartProgress =
  | { readonly says: 'running' | 'starting' | 'next' | 'slow' | 'stopping' | 'crashed' | 'failed' }
  | { readonly says: 'waits'; readonly for: ComponentName };

export const partProgress = (
  { name, state }: Pick<ComponentStatus, 'name' | 'state'>,
  all: readonly Pick<ComponentStatus, 'name' | 'state'>[],
): PartProgress => {
  if (state === 'unhealthy') return { says: 'slow' };
  if (state !== 'stopped') return { says: state };
  const needed = needs[name];
  const isThere = all.find((other) => other.name === needed)?.state === 'running';
  return needed === null || isThere ? { says: 'next' } : { says: 'waits', for: needed };
};
