import type { Action } from './action.ts';
import { run } from './run.ts';
import { setup } from './setup.ts';

/** By name, in the order of the help. */
export const actions: Readonly<Record<string, Action>> = { setup, run };
