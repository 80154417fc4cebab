import { holdAction } from '../power/holder/hold-action.ts';
import type { Action } from './action.ts';
import { enrolAction } from './enrol.ts';
import { savesAction } from './saves.ts';

/** By name, in the order of the help. */
export const actions: Readonly<Record<string, Action>> = {
  enrol: enrolAction,
  saves: savesAction,
  hold: holdAction,
};
