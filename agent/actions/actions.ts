import { holdAction } from '../power/holder/hold-action.ts';
import type { Action } from './action.ts';
import { enrolAction } from './enrol.ts';
import { run } from './run.ts';
import { setup } from './setup.ts';

/** By name, in the order of the help. */
export const actions: Readonly<Record<string, Action>> = {
  enrol: enrolAction,
  setup,
  run,
  hold: holdAction,
};
