import type { EnrolmentAnswer } from '#contracts/agent-enrolment.ts';
import { games } from '#contracts/games.ts';
import type { ActionContext } from '../actions/action.ts';
import type { AgentHome } from '../configuration/agent-home.ts';
import { readAgentConfig } from '../configuration/config.ts';
import { runAgent } from '../run-agent.ts';

export interface FreshEnrolment {
  readonly home: AgentHome;
  readonly enrolled: EnrolmentAnswer;
  readonly configPath: string;
  readonly hasConsole: boolean;
  /** The agent is to run from now on. */
  readonly isStarted: boolean;
}

/** What comes behind the enrolment: says what is still missing, and runs the agent here. @returns the exit code */
export const afterEnrolment = async (
  { enrolled, configPath, hasConsole, isStarted }: FreshEnrolment,
  { say }: ActionContext,
): Promise<number> => {
  const { name } = games[enrolled.game];
  if (!hasConsole)
    say(
      `The console of ${name} is not set up yet. In that file, replace "console": null by "console": { "port": …, "password": "…" }, and start the agent again.\n`,
    );
  if (!isStarted) return 0;
  say('The agent runs in this window now. Ctrl+C stops it.\n');
  await runAgent(await readAgentConfig(configPath), configPath);
  return 0;
};
