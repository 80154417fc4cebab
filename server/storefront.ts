import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { ApiRoutes } from './access/authorize.ts';
import { actingPlayer } from './chat-commands/chat-actor.ts';
import { createChatShop } from './chat-commands/chat-shop.ts';
import type { Tables } from './database/tables.ts';
import { createSurvivorLookup } from './deliveries/survivor-lookup.ts';
import { setSurvivorNumber } from './deliveries/survivor-numbers.ts';
import type { GameServices } from './game-services.ts';
import { isRefusal } from './http/refusal.ts';
import type { MaintenanceTask } from './maintenance/maintenance.ts';
import { moveBetweenWallets } from './points/ledger-entries.ts';
import { claimedText } from './rewards/claimed-text.ts';
import { bindRewardsRoutes } from './rewards/rewards.routes.ts';
import { createRewards } from './rewards/rewards.ts';
import type { Settings } from './settings/settings.ts';
import type { Store } from './store.ts';

export interface StorefrontOptions {
  readonly db: Kysely<Tables>;
  readonly games: Pick<GameServices, 'directory' | 'news' | 'say' | 'tasks' | 'whisper'>;
  readonly store: Pick<Store, 'catalogue' | 'deliveries' | 'members' | 'orders'>;
  readonly settings: Settings;
  readonly licenseHolds: () => boolean;
  readonly log: Log;
}

const openStates = ['pending', 'waiting', 'sending'] as const;
/** More than a player is told of. */
const mostCounted = 100;

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

  const language = async () => (await settings.values('general')).language;
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

  const findSurvivor = createSurvivorLookup({ db, tasks: games.tasks });
  const chatShop = owned.use(
    createChatShop({
      db,
      settings: () => settings.values('chat-shop'),
      language,
      server: games.directory.get,
      forSale: store.catalogue.forSale,
      members: store.members,
      orders: store.orders,
      deliveries: {
        async countOpen(memberId) {
          const pages = await Promise.all(
            openStates.map((state) => store.deliveries.reading.list({ memberId, state, limit: mostCounted })),
          );
          return pages.reduce((sum, { rows }) => sum + rows.length, 0);
        },
        wake: store.deliveries.wake,
      },
      survivor: {
        async isKnown({ playerId, serverId }) {
          const player = await db
            .selectFrom('players')
            .select('platform_id')
            .where('id', '=', playerId)
            .executeTakeFirst();
          const platformId = player?.platform_id ?? null;
          return (await findSurvivor({ playerId, serverId, platformId })).number !== null;
        },
        store: (playerId, survivor, by, alongside) =>
          setSurvivorNumber(db, playerId, survivor, by, { source: 'player', alongside }),
      },
      async claimExtras({ id }, line) {
        const claim = await rewards.claimDaily(id, actingPlayer(line));
        return isRefusal(claim) ? null : claimedText(claim, await language());
      },
      whisper: games.whisper,
      say: games.say,
      licenseHolds,
      log,
    }),
  );
  games.news.on('spoken', chatShop.take);

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
