import { type AgentHome, agentHome, isServerId } from '../configuration/agent-home.ts';
import { agentService } from '../service/agent-service.ts';
import { usualAnswers } from '../setup/questions.ts';
import { type SetUpOutcome, setUpServer } from '../setup/set-up-server.ts';
import { openTerminalQuestions } from '../setup/terminal-questions.ts';
import type { Action, ActionContext } from './action.ts';
import { readHomeArguments } from './home-arguments.ts';

const outcomeCodes: Readonly<Record<SetUpOutcome, number>> = {
  saved: 0,
  failed: 1,
  incomplete: 4,
  cancelled: 130,
};

const help = `Sets up a game server on this machine: finds it, tests its console, and asks what the panel may do with it.

  --server <id>    the ID of the server, if this machine has several
  --home <folder>  the folder for the agent's settings
  --yes            accept the usual answers without asking

Exit codes: 0 saved, 1 failed, 2 wrong arguments, 4 no game found, 130 cancelled. Only 0 changes anything.
`;

export const setup: Action = {
  usage: '[--server <id>] [--home <folder>] [--yes]',
  summary: 'find the game server on this machine and ask for the rest',
  async run(args, context) {
    const values = readHomeArguments(args, { server: { type: 'string' }, yes: { type: 'boolean' } });
    if (values === null || (values.server !== undefined && !isServerId(values.server))) {
      context.complain('These arguments are wrong. See castellan-agent setup --help.');
      return 2;
    }
    if (values.help) {
      context.say(help);
      return 0;
    }
    const home = agentHome(values.home ?? null, context.environment);
    const serverId = values.server ?? (await onlyServer(home, context));
    if (serverId === null) return 2;
    const agreesToAll = values.yes === true;
    if (agreesToAll || !process.stdin.isTTY) {
      const questions = usualAnswers((text) => context.say(`${text}\n`));
      return finish(await setUpServer({ home, serverId, questions, agreesToAll }), home, context);
    }
    using questions = openTerminalQuestions({ input: process.stdin, output: process.stdout });
    return finish(await setUpServer({ home, serverId, questions }), home, context);
  },
};

/** An existing service picks up the new settings. */
const finish = async (outcome: SetUpOutcome, home: AgentHome, { say }: ActionContext): Promise<number> => {
  if (outcome === 'saved') await agentService().followSettings(home, (text) => say(`${text}\n`));
  return outcomeCodes[outcome];
};

/** The server of a data folder that has one; null: the person was told why there is none. */
export const onlyServer = async (
  { folder, serverIds }: AgentHome,
  { complain }: ActionContext,
): Promise<string | null> => {
  const ids = await serverIds().catch((error: NodeJS.ErrnoException) => error);
  if (ids instanceof Error) {
    complain(`This account cannot read ${folder} (${ids.code}). Run this as root or as the agent's account.`);
    return null;
  }
  const [only, another] = ids;
  if (only !== undefined && another === undefined) return only;
  complain(
    only === undefined
      ? `No game server is connected in ${folder} yet. Use the line that the panel shows under “Add an agent”. If root installed the agent, run this as root.`
      : `This machine has several game servers. Choose one with --server: ${ids.join(', ')}`,
  );
  return null;
};
