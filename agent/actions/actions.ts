import { agentHome } from '../configuration/agent-home.ts';
import { exitCodes } from '../configuration/exit-codes.ts';
import { workAction } from '../mods/folder/work-action.ts';
import { workActionName } from '../mods/folder/worker-wire.ts';
import { holdAction } from '../power/holder/hold-action.ts';
import { agentService } from '../service/agent-service.ts';
import type { Action } from './action.ts';
import { allow } from './allow.ts';
import { enrolAction } from './enrol.ts';
import { readHomeArguments } from './home-arguments.ts';
import { install } from './install.ts';
import { run } from './run.ts';
import { savesAction } from './saves.ts';
import { reportingFaults, start, status, stop } from './service-control.ts';
import { setup } from './setup.ts';

const help = `Removes the service and its program. Games that the agent holds keep running. Settings and key are kept.

  --home <folder>  the folder for the agent's settings
  --remove-data    also delete settings and key; you must then connect the machine again
`;

const uninstall: Action = {
  usage: '[--home <folder>] [--remove-data]',
  summary: 'remove the service; games keep running',
  async run(args, context) {
    const values = readHomeArguments(args, { 'remove-data': { type: 'boolean' } });
    if (values === null || values.help) {
      if (values) context.say(help);
      else context.complain('These arguments are wrong. See castellan-agent uninstall --help.');
      return values ? 0 : exitCodes.usage;
    }
    const home = agentHome(values.home ?? null, context.environment);
    return reportingFaults(context, async () => {
      const say = (text: string) => context.say(`${text}\n`);
      await agentService().uninstall({ home, removesData: values['remove-data'] === true, say });
      return 0;
    });
  },
};

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
