import { workAction } from '../mods/folder/work-action.ts';
import { workActionName } from '../mods/folder/worker-wire.ts';
import { holdAction } from '../power/holder/hold-action.ts';
import type { Action } from './action.ts';
import { allow } from './allow.ts';
import { enrolAction } from './enrol.ts';
import { install } from './install.ts';
import { run } from './run.ts';
import { savesAction } from './saves.ts';
import { start, status, stop } from './service-control.ts';
import { setup } from './setup.ts';
import { uninstall } from './uninstall.ts';

/** By name, in the order of the help. */
export const actions: Readonly<Record<string, Action>> = {
  enrol: enrolAction,
  setup,
  allow,
  install,
  start,
  stop,
  status,
  uninstall,
  saves: savesAction,
  run,
  hold: holdAction,
  [workActionName]: workAction,
};
