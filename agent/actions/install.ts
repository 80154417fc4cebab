import { agentHome } from '../configuration/agent-home.ts';
import { exitCodes } from '../configuration/exit-codes.ts';
import { agentService } from '../service/agent-service.ts';
import { CancelledError, usualAnswers } from '../setup/questions.ts';
import { openTerminalQuestions } from '../setup/terminal-questions.ts';
import type { Action } from './action.ts';
import { readHomeArguments } from './home-arguments.ts';
import { reportingFaults } from './service-control.ts';

const help = `Installs this program as a service that starts with the machine, and starts it. Run it again to renew both.

  --home <folder>   the folder for the agent's settings
  --account <name>  the account it runs under (default: the owner of the games' folders; on Windows a separate account)
  --no-start        do not start it now

Stopping the service never ends a game.
`;

export const install: Action = {
  usage: '[--home <folder>] [--account <name>] [--no-start]',
  summary: 'install the agent as a service of this machine and start it',
  async run(args, context) {
    const values = readHomeArguments(args, { account: { type: 'string' }, 'no-start': { type: 'boolean' } });
    if (
      values === null ||
      (values.account !== undefined && !/^[^\s-][^\p{Cc}"]{0,255}$/u.test(values.account))
    ) {
      context.complain('These arguments are wrong. See castellan-agent install --help.');
      return exitCodes.usage;
    }
    if (values.help) {
      context.say(help);
      return 0;
    }
    const home = agentHome(values.home ?? null, context.environment);
    const request = { home, account: values.account ?? null, starts: values['no-start'] !== true };
    return reportingFaults(context, async () => {
      if (!process.stdin.isTTY) {
        await agentService().install({
          ...request,
          questions: usualAnswers((text) => context.say(`${text}\n`)),
        });
        return 0;
      }
      using questions = openTerminalQuestions({ input: process.stdin, output: process.stdout });
      try {
        await agentService().install({ ...request, questions });
        return 0;
      } catch (error) {
        if (!(error instanceof CancelledError)) throw error;
        return 130;
      }
    });
  },
};
