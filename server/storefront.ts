import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { ApiRoutes } from './access/authorize.ts';
import { createChatCommands } from './chat-commands/chat-commands.ts';
import { createLinkCommand } from './chat-commands/link-command.ts';
import { createDeliveryWays } from './console-router/delivery-ways.ts';
import type { Tables } from './database/tables.ts';
import { createAddDeliveries } from './deliveries/new-deliveries.ts';
import { bindEntitlementsRoutes } from './entitlements/entitlements.routes.ts';
import { createEntitlements, type Entitlements } from './entitlements/entitlements.ts';
import type { GameServices } from './game-services.ts';
import type { JobSender } from './queues/job-sender.ts';
import type { QueuePauses } from './queues/queue-pauses.ts';
import { deliveryQueue } from './queues/queues.ts';
import type { Settings } from './settings/settings.ts';
import type { Store } from './store.ts';

export interface StorefrontOptions {
  readonly db: Kysely<Tables>;
  readonly games: Pick<GameServices, 'agents' | 'directory' | 'news' | 'observations' | 'pool' | 'whisper'>;
  readonly store: Pick<Store, 'deliveries' | 'members' | 'roles'>;
  readonly jobs: JobSender;
  readonly pauses: QueuePauses;
  readonly settings: Settings;
  readonly licenseHolds: () => boolean;
  readonly log: Log;
}

/** Where players buy: the chat of their game; and what they have for a time. */
export interface Storefront extends AsyncDisposable {
  readonly entitlements: Pick<Entitlements, 'round'>;
  bind(routes: ApiRoutes): void;
  /** Once the schema stands and the deliveries are prepared. */
  begin(): void;
}

export const createStorefront = (options: StorefrontOptions): Storefront => {
  const { db, games, store, jobs, pauses, settings, licenseHolds, log } = options;
  const owned = new AsyncDisposableStack();

  const chatCommands = owned.use(
    createChatCommands({
      commands: [createLinkCommand({ members: store.members, whisper: games.whisper, log })],
      mayAct: licenseHolds,
      log,
    }),
  );
  games.news.on('spoken', chatCommands.take);

  const entitlements = owned.use(
    createEntitlements({
      db,
      ways: createDeliveryWays({ agents: games.agents, links: games.pool }),
      servers: games.directory,
      addDeliveries: createAddDeliveries(jobs),
      timeZone: async () => (await settings.values('general')).timeZone,
      wakeDeliveries: store.deliveries.wake,
      onEnded: store.roles.reconsider,
      licenseHolds,
      isPaused: () => pauses.isPaused(deliveryQueue),
      log,
    }),
  );
  games.observations.on('lateResult', async (serverId, commandId, result) => {
    await entitlements.takeLate(serverId, commandId, result);
  });

  return {
    entitlements,
    bind(routes) {
      bindEntitlementsRoutes(routes, entitlements);
    },
    begin() {
      entitlements.begin();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
