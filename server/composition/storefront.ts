import type { Kysely } from 'kysely';
import { publicOrigin } from '#contracts/operations/public-address.ts';
import type { Log } from '#runtime/log.ts';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { isRefusal } from '../kernel/http/refusal.ts';
import type { JobSender } from '../kernel/queues/job-sender.ts';
import type { QueuePauses } from '../kernel/queues/queue-pauses.ts';
import { deliveryQueue } from '../kernel/queues/queues.ts';
import type { Secrets } from '../kernel/secrets/secrets.ts';
import type { CommunityProfile } from '../operations/community/community.ts';
import type { MaintenanceTask } from '../operations/maintenance.ts';
import type { Settings } from '../operations/settings.ts';
import { readMemberNames } from '../people/members/member-names.ts';
import type { People } from '../people/people.ts';
import type { Servers } from '../servers/servers.ts';
import { readProductNames } from '../store/catalogue/product-names.ts';
import { createAddDeliveries } from '../store/deliveries/new-deliveries.ts';
import { createIsSurvivorKnown, createSurvivorLookup } from '../store/deliveries/survivor-lookup.ts';
import { setSurvivorNumber } from '../store/deliveries/survivor-numbers.ts';
import { bindEntitlementsRoutes } from '../store/entitlements/entitlements.routes.ts';
import { createEntitlements, type Entitlements } from '../store/entitlements/entitlements.ts';
import { moveBetweenWallets } from '../store/points/ledger-entries.ts';
import { claimedText } from '../store/rewards/claimed-text.ts';
import { bindRewardsRoutes } from '../store/rewards/rewards.routes.ts';
import { createRewards } from '../store/rewards/rewards.ts';
import { bindSeasonsRoutes } from '../store/seasons/seasons.routes.ts';
import { createSeasons } from '../store/seasons/seasons.ts';
import { actingPlayer } from '../storefronts/chat-commands/chat-actor.ts';
import { createChatShop } from '../storefronts/chat-commands/chat-shop.ts';
import { bindChatTrustRoutes } from '../storefronts/chat-trust/chat-trust.routes.ts';
import { createChatTrusts } from '../storefronts/chat-trust/chat-trust.ts';
import { createSendTestEvent } from '../storefronts/shops/send-test-event.ts';
import { createWithRefusals } from '../storefronts/shops/shop-refusals.ts';
import { bindShopsRoutes } from '../storefronts/shops/shops.routes.ts';
import { createShops, type Shops } from '../storefronts/shops/shops.ts';
import type { Store } from './store.ts';

/** Where players buy and get rewards, their timed purchases, and its seasons. */
export interface Storefront extends AsyncDisposable {
  readonly entitlements: Pick<Entitlements, 'inspect' | 'round'>;
  readonly shops: Pick<Shops, 'sweep'>;
  readonly maintenance: readonly MaintenanceTask[];
  /** Resolves when every line of chat that was heard is answered. */
  chatIdle(): Promise<void>;
  bind(routes: ApiRoutes): void;
  /** Called once the schema is in place, before deliveries go out. */
  prepare(): void;
  /** Called once the store is prepared. */
  begin(): void;
}

export const createStorefront = (options: {
  readonly db: Kysely<Tables>;
  readonly games: Pick<Servers, 'directory' | 'observations' | 'say' | 'tasks'> &
    Pick<People, 'news' | 'whisper'>;
  readonly store: Pick<Store, 'catalogue' | 'deliveries' | 'members' | 'orders' | 'roles' | 'ways'>;
  readonly jobs: JobSender;
  readonly pauses: QueuePauses;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly checkAddress: CommunityProfile['checkAddress'];
  readonly licenseHolds: () => boolean;
  /** How long players are newcomers on a server. */
  readonly newcomerMs?: number | undefined;
  readonly log: Log;
}): Storefront => {
  const { db, games, store, jobs, pauses, settings, secrets, checkAddress, licenseHolds, log } = options;
  const { catalogue, deliveries, members, orders } = store;
  const owned = new AsyncDisposableStack();
  const timeZone = async () => (await settings.values('general')).timeZone;
  const language = async () => (await settings.values('general')).language;
  const memberNames = (ids: readonly string[]) => readMemberNames(db, ids);

  const rewards = owned.use(
    createRewards({
      db,
      members,
      move: moveBetweenWallets,
      giftSettings: async () => {
        const { giftsEnabled, giftMin, giftMostPerDay } = await settings.values('rewards');
        return { giftsEnabled, giftMin, giftMostPerDay };
      },
      timeZone,
      licenseHolds,
      log,
    }),
  );

  const { newcomerMs } = options;
  const trusts = createChatTrusts({ db, ...(newcomerMs !== undefined && { newcomerMs }) });
  const chatShop = owned.use(
    createChatShop({
      db,
      settings,
      server: games.directory.get,
      forSale: catalogue.forSale,
      members,
      orders,
      deliveries: { countOpen: deliveries.reading.countOpen, wake: deliveries.wake },
      async claimExtras({ id }, line) {
        const claim = await rewards.claimDaily(id, actingPlayer(line));
        return isRefusal(claim) ? null : claimedText(claim, await language());
      },
      redeem: rewards.redeem,
      survivor: {
        isKnown: createIsSurvivorKnown({ db, find: createSurvivorLookup({ db, tasks: games.tasks }) }),
        store: (playerId, survivor, by, alongside) =>
          setSurvivorNumber(db, playerId, survivor, by, { source: 'player', alongside }),
      },
      statusOf: trusts.statusOf,
      whisper: games.whisper,
      say: games.say,
      licenseHolds,
      log,
    }),
  );
  games.news.on('spoken', chatShop.take);

  const shops = owned.use(
    createShops({
      db,
      secrets,
      orders,
      memberNames,
      holdMembers: members.hold,
      productNames: (ids) => readProductNames(db, ids),
      licenseHolds,
      log,
    }),
  );
  games.news.on('playersPresent', shops.onPlayersPresent);

  const entitlements = owned.use(
    createEntitlements({
      db,
      ways: store.ways,
      servers: games.directory,
      addDeliveries: createAddDeliveries(jobs),
      timeZone,
      wakeDeliveries: deliveries.wake,
      onEnded: store.roles.reconsider,
      licenseHolds,
      isPaused: () => pauses.isPaused(deliveryQueue),
      log,
    }),
  );
  games.observations.on('lateResult', async (serverId, commandId, result) => {
    await entitlements.takeLate(serverId, commandId, result);
  });

  const seasons = owned.use(
    createSeasons({
      db,
      orders,
      sold: catalogue.sold,
      memberNames,
      deliveries,
      say: games.say,
      servers: games.directory,
      licenseHolds,
      log,
    }),
  );

  return {
    entitlements,
    shops,
    chatIdle: chatShop.idle,
    maintenance: [
      rewards.maintenance,
      shops.maintenance,
      { name: 'questions in chat', run: chatShop.deleteExpired },
    ],
    bind(routes) {
      bindShopsRoutes(routes, shops, {
        withRefusals: createWithRefusals(db),
        sendTestEvent: createSendTestEvent({
          ...{ db, secrets, checkAddress },
          async publicAddress() {
            const { publicAddress } = await settings.values('general');
            return publicOrigin(publicAddress);
          },
        }),
      });
      bindRewardsRoutes(routes, rewards);
      bindEntitlementsRoutes(routes, entitlements);
      bindSeasonsRoutes(routes, seasons);
      bindChatTrustRoutes(routes, trusts, members.ofDiscord);
    },
    prepare: seasons.prepare,
    begin() {
      shops.begin();
      rewards.payer.begin();
      entitlements.begin();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
