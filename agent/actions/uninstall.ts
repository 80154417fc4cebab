import { agentHome } from '../configuration/agent-home.ts';
import { exitCodes } from '../configuration/exit-codes.ts';
import { agentService } from '../service/agent-service.ts';
import type { Action } from './action.ts';
import { readHomeArguments } from './home-arguments.ts';
import { reportingFaults } from './service-control.ts';

const help = `Removes the service and its program. Games that the agent holds keep running. Settings and key are kept.

  --home <folder>  the folder for the agent's settings
  --remove-data    also delete settings and key; you must then connect the machine again
`;

export const uninstall: Action = {
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
