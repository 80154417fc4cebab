import { agentHome } from '../configuration/agent-home.ts';
import { exitCodes } from '../configuration/exit-codes.ts';
import { isFolderHeld } from '../configuration/state-folder.ts';
import { agentService } from '../service/agent-service.ts';
import { NeedsRightsError, ServiceError } from '../service/service-error.ts';
import type { Action, ActionContext } from './action.ts';
import { readHomeArguments } from './home-arguments.ts';

/** The LSB's exit codes for `status`. */
const statusCodes = { running: 0, stopped: 3, unknown: 4 } as const;

/** Prints a ServiceError's message and returns an exit code. */
export const reportingFaults = async (
  { complain }: ActionContext,
  work: () => Promise<number>,
): Promise<number> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    complain(error.message);
    return error instanceof NeedsRightsError ? exitCodes.noPermission : exitCodes.failure;
  }
};

const action = (
  name: string,
  summary: string,
  more: string,
  work: (context: ActionContext, home: string | null) => Promise<number>,
): Action => ({
  usage: '[--home <folder>]',
  summary,
  async run(args, context) {
    const values = readHomeArguments(args, {});
    if (values === null) {
      context.complain(`These arguments are wrong. See castellan-agent ${name} --help.`);
      return exitCodes.usage;
    }
    if (values.help) {
      context.say(`castellan-agent ${name}: ${summary}.\n${more}\n`);
      return 0;
    }
    return reportingFaults(context, () => work(context, values.home ?? null));
  },
});

export const start = action(
  'start',
  'start the service',
  'A service that is already running is left alone.',
  async ({ say }) => {
    await agentService().start();
    say('The service is running.\n');
    return 0;
  },
);

export const stop = action(
  'stop',
  'stop the service; games keep running',
  'A service that is not running counts as stopped.',
  async ({ say }) => {
    await agentService().stop();
    say('The service was stopped. Games that it held keep running.\n');
    return 0;
  },
);

export const status = action(
  'status',
  'show whether the agent is running',
  'Exit codes: 0 running, 3 stopped or not installed, 4 unknown.',
  async ({ say, complain, environment }, folder) => {
    const home = agentHome(folder, environment);
    try {
      const { is, detail } = await agentService().state();
      // An agent that a person or a container started also holds the data folder.
      const isHeld = await isFolderHeld(home.folder);
      // The data folder is closed to other accounts.
      const ids = await home.serverIds().catch(() => null);
      say(`${detail}\n`);
      if (isHeld && is !== 'running') say(`An agent is running with ${home.folder}, without the service.\n`);
      if (ids !== null)
        say(ids.length === 0 ? 'No game server is connected.\n' : `Game servers: ${ids.join(', ')}\n`);
      return is === 'running' || isHeld ? statusCodes.running : statusCodes.stopped;
    } catch (error) {
      complain((error as Error).message);
      return statusCodes.unknown;
    }
  },
);
