import { holdAction } from '../power/holder/hold-action.ts';
import type { Action } from './action.ts';

/** By name, in the order of the help. */
export const actions: Readonly<Record<string, Action>> = { hold: holdAction };
