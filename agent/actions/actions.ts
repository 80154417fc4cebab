import { holdAction } from '../power/holder/hold-action.ts';
import type { Action } from './action.ts';
import { enrolAction } from './enrol.ts';

/** By name, in the order of the help. */
export const actions: Readonly<Record<string, Action>> = {
  enrol: enrolAction,
  hold: holdAction,
};
