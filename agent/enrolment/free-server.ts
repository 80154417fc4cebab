import type { AgentHome } from '../configuration/agent-home.ts';
import { AlreadyRunningError, isFolderHeld } from '../configuration/state-folder.ts';
import { agentService } from '../service/agent-service.ts';
import { ServiceError } from '../service/service-error.ts';
import { demandFreeFolder } from './install-enrolment.ts';

/**
 * Makes sure that no agent runs with this server's folder, by stopping the service if that has it.
 * @returns starts the service again when disposed, if it was stopped here
 * @throws {AlreadyRunningError} when an agent runs there that is not the service, or that this account may not stop
 * @throws {StartupError} when the server's config.json cannot be read
 */
export const freeServer = async ({
  home,
  serverId,
  say,
}: {
  readonly home: AgentHome;
  readonly serverId: string;
  readonly say: (text: string) => void;
}): Promise<AsyncDisposable> => {
  await using paused = new AsyncDisposableStack();
  try {
    await demandFreeFolder(home, serverId);
  } catch (error) {
    if (!(error instanceof AlreadyRunningError) || !(await isServed(home))) throw error;
    const service = agentService();
    try {
      await service.stop();
    } catch (fault) {
      if (!(fault instanceof ServiceError)) throw fault;
      throw error;
    }
    paused.defer(() => service.start());
    say('The service of the agent is stopped until this is done. Games keep running.\n');
    await demandFreeFolder(home, serverId);
  }
  return paused.move();
};

const isServed = async ({ folder }: AgentHome): Promise<boolean> => {
  const state = await agentService()
    .state()
    .catch(() => null);
  return state?.is === 'running' && (await isFolderHeld(folder));
};
