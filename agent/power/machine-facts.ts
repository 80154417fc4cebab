import type { MachineFacts } from '#contracts/servers/agent-tasks.ts';
import { type AgentConfig, readsLines } from '../configuration/config.ts';
import type { ServerStart } from '../configuration/server-section.ts';
import { cutText } from '../game/cut-text.ts';
import type { TaskHandlers } from '../tasks/task-handlers.ts';
import { maskArguments } from './mask-arguments.ts';

type Facing = Pick<AgentConfig, 'game' | 'server' | 'console' | 'logFile' | 'secret'>;

/** The settings of this machine, as the panel shows them. */
export const machineFactsOf = (config: Facing, tasks: TaskHandlers): MachineFacts => {
  const { server } = config;
  const start: ServerStart = server?.start ?? { by: 'none' };
  const secrets = [config.secret.reveal(), config.console?.password.reveal() ?? ''];
  const detail = startDetail(start, secrets);
  return {
    platform: process.platform === 'win32' ? 'windows' : 'linux',
    folder: server && cutText(server.folder, 1000),
    startMethod: start.by,
    startDetail: detail && cutText(detail, 500),
    account: start.by === 'holder' ? start.account : null,
    allows: server?.allow ?? { power: false, files: false, mods: false },
    tasks: Object.keys(tasks),
    hasConsole: config.console !== null,
    readsLog: readsLines(config),
  };
};

const startDetail = (start: ServerStart, secrets: readonly string[]): string | null => {
  if (start.by === 'holder') return maskArguments(start.command, secrets);
  if (start.by === 'systemd') return start.unit;
  return start.by === 'windows-service' ? start.service : null;
};
