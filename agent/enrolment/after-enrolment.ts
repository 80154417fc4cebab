import type { EnrolmentAnswer } from '#contracts/servers/agent-enrolment.ts';
import { games } from '#contracts/servers/games.ts';
import type { ActionContext } from '../actions/action.ts';
import type { AgentHome } from '../configuration/agent-home.ts';
import { readAgentConfig } from '../configuration/config.ts';
import { ownCommand } from '../configuration/own-command.ts';
import { runAgent } from '../run-agent.ts';
import { agentService } from '../service/agent-service.ts';
import { ServiceError } from '../service/service-error.ts';
import { CancelledError, type Questions, usualAnswers } from '../setup/questions.ts';
import { setUpServer } from '../setup/set-up-server.ts';
import { openTerminalQuestions } from '../setup/terminal-questions.ts';

/** What follows it; if no service can be installed, the agent also runs in the foreground. */
export type AfterEnrolment = 'service' | 'foreground' | 'stop';

/** Looks for the game, and gets the agent running. @returns the exit code */
export const afterEnrolment = async (
  {
    home,
    enrolled,
    configPath,
    next,
  }: {
    readonly home: AgentHome;
    readonly enrolled: EnrolmentAnswer;
    readonly configPath: string;
    readonly next: AfterEnrolment;
  },
  context: ActionContext,
): Promise<number> => {
  const { say } = context;
  const { serverId, game } = enrolled;
  if (next === 'stop') return 0;
  const isServed = await withQuestions(context, async (questions) => {
    await setUpServer({ home, serverId, questions });
    return next === 'service' && (await installService(home, questions));
  });
  const config = await readAgentConfig(configPath);
  if (config.console === null)
    say(
      `The console of ${games[game].name} is not set up yet. Run: ${ownCommand()} setup --server ${serverId}\n`,
    );
  if (isServed) return 0;
  say('The agent now runs in this window and ends with it. Press Ctrl+C to stop it.\n');
  await runAgent(config, configPath);
  return 0;
};

/** If it cannot be installed, the reason is printed. */
const installService = async (home: AgentHome, questions: Questions): Promise<boolean> => {
  try {
    await agentService().install({ home, account: null, starts: true, questions });
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof CancelledError)) throw error;
    questions.say(`The agent is not installed as a service. ${error.message}`);
    return false;
  }
};

const withQuestions = async <Result>(
  { say }: ActionContext,
  work: (questions: Questions) => Promise<Result>,
): Promise<Result> => {
  if (!process.stdin.isTTY) return work(usualAnswers((text) => say(`${text}\n`)));
  using questions = openTerminalQuestions({ input: process.stdin, output: process.stdout });
  // Without `await`, the terminal would be released before the first question.
  return await work(questions);
};
