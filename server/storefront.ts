import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { ApiRoutes } from './access/authorize.ts';
import { createChatCommands } from './chat-commands/chat-commands.ts';
import { createLinkCommand } from './chat-commands/link-command.ts';
import type { Tables } from './database/tables.ts';
import type { GameServices } from './game-services.ts';
import type { MaintenanceTask } from './maintenance/maintenance.ts';
import { moveBetweenWallets } from './points/ledger-entries.ts';
import { bindRewardsRoutes } from './rewards/rewards.routes.ts';
import { createRewards } from './rewards/rewards.ts';
import type { Settings } from './settings/settings.ts';
import type { Store } from './store.ts';

export interface StorefrontOptions {
  readonly db: Kysely<Tables>;
  readonly games: Pick<GameServices, 'news' | 'whisper'>;
  readonly store: Pick<Store, 'members'>;
  readonly settings: Settings;
  readonly licenseHolds: () => boolean;
  readonly log: Log;
}

/** Where players buy, and what gives them points. */
export interface Storefront extends AsyncDisposable {
  readonly maintenance: readonly MaintenanceTask[];
  bind(routes: ApiRoutes): void;
  /** Once the schema stands and the queues run. */
  prepare(): Promise<void>;
}

export const createStorefront = (options: StorefrontOptions): Storefront => {
  const { db, games, store, settings, licenseHolds, log } = options;
  const owned = new AsyncDisposableStack();

  const rewards = owned.use(
    createRewards({
      db,
      members: store.members,
      move: moveBetweenWallets,
      giftSettings: async () => {
        const { giftsEnabled, giftMin, giftMostPerDay } = await settings.values('rewards');
        return { giftsEnabled, giftMin, giftMostPerDay };
      },
      timeZone: async () => (await settings.values('general')).timeZone,
      licenseHolds,
      log,
    }),
  );

  const chatCommands = owned.use(
    createChatCommands({
      commands: [createLinkCommand({ members: store.members, whisper: games.whisper, log })],
      mayAct: licenseHolds,
      log,
    }),
  );
  games.news.on('spoken', chatCommands.take);

  return {
    maintenance: [rewards.maintenance],
    bind(routes) {
      bindRewardsRoutes(routes, rewards);
    },
    async prepare() {
      rewards.payer.begin();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
