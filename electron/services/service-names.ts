import { type ComponentName, componentNames } from '#contracts/operations/stack.ts';

/** They stop in the reverse order of their start. */
export const stopOrder: readonly ComponentName[] = componentNames.toReversed();
