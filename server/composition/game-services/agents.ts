import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import type { Leases } from '../../kernel/commands/leases.ts';
import type { Notifications } from '../../kernel/database/notifications.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { EventRecorder } from '../../kernel/events/event-recorder.ts';
import type { Secrets } from '../../kernel/secrets/secrets.ts';
import type { Settings } from '../../operations/settings.ts';
import { type AgentTasksService, createAgentTasks } from '../../servers/agent-tasks.ts';
import { createReadOrigin } from '../../servers/agents/admission.ts';
import type { AgentFileSources, ReleaseOffer } from '../../servers/agents/agent-files.ts';
import { type AgentGateway, createAgentGateway } from '../../servers/agents/agent-gateway.ts';
import { type AgentObservations, createAgentObservations } from '../../servers/agents/frame-intake.ts';
import type { ServerDirectory } from '../../servers/game-servers/server-directory.ts';

export interface ServerAgentsOptions {
  readonly db: Kysely<Tables>;
  readonly leases: Leases;
  readonly config: Pick<StackConfig, 'gameAgentSecret' | 'trustProxy'>;
  readonly home: string;
  readonly secrets: Secrets;
  readonly settings: Pick<Settings, 'values'>;
  readonly notifications: Notifications;
  readonly directory: ServerDirectory;
  readonly events: EventRecorder;
  readonly offerRelease: ReleaseOffer;
  readonly fileSources?: AgentFileSources | undefined;
  readonly chatFormsOf?: ((serverId: string) => readonly string[] | null) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** The Game Agents of all servers: what they are asked to do and what they report. */
interface ServerAgents extends AsyncDisposable {
  /** The owner disposes it before the listener, which waits for its connections. */
  readonly agents: AgentGateway;
  readonly tasks: AgentTasksService;
  readonly observations: AgentObservations;
}

export const createServerAgents = (options: ServerAgentsOptions): ServerAgents => {
  const { db, leases, config, home, secrets, settings, notifications, directory, events, log } = options;
  const owned = new AsyncDisposableStack();

  const observations = createAgentObservations();
  const uploadsFolder = join(home, 'agent-uploads');
  const tasks = owned.use(createAgentTasks({ db, notifications, leases, uploadsFolder, log }));
  const agents = createAgentGateway({
    db,
    secret: config.gameAgentSecret,
    secrets,
    servers: { get: directory.get, ids: () => directory.all().map(({ id }) => id) },
    allowPlain: async () => (await settings.values('agents')).allowPlainAgents,
    readOrigin: createReadOrigin(config.trustProxy),
    events,
    offerRelease: options.offerRelease,
    fileSources: options.fileSources,
    chatFormsOf: options.chatFormsOf,
    observers: observations,
    tasks,
    wallNow: options.now,
    log,
  });
  owned.defer(
    directory.subscribe((gone) => {
      for (const serverId of gone) agents.forget(serverId);
    }),
  );
  return { agents, tasks, observations, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};
