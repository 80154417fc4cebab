import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { StateBeginnings } from '../../kernel/database/state-beginnings.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { EventRecorder } from '../../kernel/events/event-recorder.ts';
import type { PlayerPolling } from '../../people/players/player-polling.ts';
import type { Presence } from '../../people/players/presence.ts';
import type { AgentTasks } from '../../servers/agent-tasks.ts';
import type { AgentGateway } from '../../servers/agents/agent-gateway.ts';
import type { ConsolePool } from '../../servers/console-pool/console-pool.ts';
import type { ServerDirectory } from '../../servers/game-servers/server-directory.ts';
import { createServerStatuses, type ServerStatuses } from '../../servers/server-status/server-status.ts';
import { createStatusEvents } from '../../servers/server-status/status-events.ts';

/** The state of every game server, and the events that report when one goes online or offline. */
interface Statuses extends Disposable {
  readonly current: ServerStatuses;
  /** Call it once the schema is ready; sweeps from then on. */
  begin(): Promise<void>;
}

export const createStatuses = (options: {
  readonly db: Kysely<Tables>;
  readonly directory: ServerDirectory;
  readonly agents: Pick<AgentGateway, 'isPresent' | 'isKnown' | 'lastReport'>;
  readonly tasks: Pick<AgentTasks, 'machineOf'>;
  readonly pool: Pick<ConsolePool, 'read'>;
  readonly presence: Pick<Presence, 'count'>;
  readonly polling: Pick<PlayerPolling, 'complaint'>;
  readonly events: EventRecorder;
  readonly beginnings: StateBeginnings;
  readonly log: Log;
}): Statuses => {
  const { db, directory, agents, tasks, pool, presence, polling, events, beginnings, log } = options;
  const statuses = createServerStatuses({
    servers: directory,
    factsOf: (serverId) => ({
      nowMs: Date.now(),
      agent: agents.lastReport(serverId),
      isAgentPresent: agents.isPresent(serverId),
      isAgentKnown: agents.isKnown(serverId),
      link: pool.read(serverId),
      listComplaint: polling.complaint(serverId),
      hasAddress: directory.get(serverId)?.host != null,
    }),
    processOf: (serverId) => {
      const { process, machine } = tasks.machineOf(serverId);
      if (!process || !machine) return null;
      const { report, isCurrent } = process;
      const atMs = Date.parse(process.at);
      const lostAtMs = isCurrent ? null : Math.max(atMs, agents.lastReport(serverId)?.seenAtMs ?? 0);
      return { report, atMs, lostAtMs, hasConsole: machine.facts.hasConsole };
    },
    playersOn: presence.count,
    beginnings,
    log,
  });
  const statusEvents = createStatusEvents({
    db,
    servers: directory,
    statusOf: (serverId) => statuses.all().get(serverId)?.status,
    events,
  });
  statuses.onSweep(statusEvents.look);
  return {
    current: statuses,
    async begin() {
      await statusEvents.prepare();
      statuses.begin();
    },
    [Symbol.dispose]: () => statuses[Symbol.dispose](),
  };
};
