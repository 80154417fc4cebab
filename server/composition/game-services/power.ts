import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { Settings } from '../../operations/settings.ts';
import type { AgentTasks } from '../../servers/agent-tasks.ts';
import type { AgentGateway } from '../../servers/agents/agent-gateway.ts';
import type { ServerDirectory } from '../../servers/game-servers/server-directory.ts';
import { createPower, type Power } from '../../servers/power/power.ts';
import { createProcessBook } from '../../servers/power/process-book.ts';
import type { ServerStatuses } from '../../servers/server-status/server-status.ts';
import type { ServerChanges } from '../../servers/tasks-topic.ts';

interface ServerPowerParts extends AsyncDisposable, ServerChanges {
  readonly power: Power;
  /** Call it once the schema is ready. */
  prepare(): Promise<void>;
}

/** The processes of games: the requests to them and the events about them. */
export const createServerPower = (options: {
  readonly db: Kysely<Tables>;
  readonly directory: ServerDirectory;
  readonly agents: Pick<AgentGateway, 'isPresent'>;
  readonly tasks: AgentTasks;
  readonly statuses: ServerStatuses;
  readonly settings: Pick<Settings, 'values'>;
  readonly log: Log;
}): ServerPowerParts => {
  const { db, directory, agents, tasks, statuses, settings, log } = options;
  const owned = new AsyncDisposableStack();
  const listeners = new Set<(serverId: string) => void>();
  /** A process or an action is recorded a little after the agent has reported it. */
  const changed = (serverId: string) => {
    for (const listener of listeners) listener(serverId);
  };
  const processes = owned.use(
    createProcessBook({
      db,
      servers: directory,
      heardOf: (serverId) => {
        const { process } = tasks.machineOf(serverId);
        return process && { ...process, at: new Date(process.at) };
      },
      onWritten: changed,
      log,
    }),
  );
  owned.defer(tasks.onChange(processes.hear));
  owned.defer(statuses.onSweep(processes.look));
  const power = owned.use(
    createPower({
      db,
      servers: directory,
      tasks,
      isAgentPresent: agents.isPresent,
      processes,
      statusOf: statuses.read,
      onEnded: changed,
      async settings() {
        const [{ language }, { countdownSeconds }] = await Promise.all([
          settings.values('general'),
          settings.values('power'),
        ]);
        return { language, countdownSeconds };
      },
      log,
    }),
  );
  return {
    power,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async prepare() {
      await processes.prepare();
      await power.prepare();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
