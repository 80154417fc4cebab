import { setTimeout as delay } from 'node:timers/promises';

/**
 * Resolves after this time, or as soon as the signal is aborted.
 * @param options with `ref: false` the process may end meanwhile
 */
export const sleep = (
  ms: number,
  signal: AbortSignal,
  options: { readonly ref?: boolean } = {},
): Promise<void> => delay(ms, undefined, { ...options, signal }).catch(() => undefined);
