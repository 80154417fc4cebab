import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { BotReport } from '#contracts/discord/bot.ts';
import { gameOf } from '#games/games.ts';
import type { Log } from '#runtime/log.ts';
import { bindDiscordGuildRoutes } from '../discord/discord-guild/discord-guild.routes.ts';
import { createGuildMembers, type GuildMembers } from '../discord/discord-guild/guild-members.ts';
import { bindDiscordMembersRoutes } from '../discord/discord-members/discord-members.routes.ts';
import {
  createDiscordMembers,
  type DiscordMembersOptions,
} from '../discord/discord-members/discord-members.ts';
import { bindDiscordRolesRoutes } from '../discord/discord-roles/discord-roles.routes.ts';
import { createDiscordRoles, type DiscordRoles } from '../discord/discord-roles/discord-roles.ts';
import { createKnownRoles } from '../discord/discord-roles/known-roles.ts';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import type { DeliveryRoutes } from '../kernel/commands/console-router.ts';
import type { Tables } from '../kernel/database/tables.ts';
import type { JobSender } from '../kernel/queues/job-sender.ts';
import type { QueuePauses } from '../kernel/queues/queue-pauses.ts';
import { deliveryQueue } from '../kernel/queues/queues.ts';
import type { Settings } from '../operations/settings.ts';
import { openForAll, removeEmpty } from '../people/members/discord-accounts.ts';
import { readMemberNames, readPlayersOf } from '../people/members/member-names.ts';
import { bindMembersRoutes } from '../people/members/members.routes.ts';
import { createMembers, type Members } from '../people/members/members.ts';
import type { Merging } from '../people/members/merging.ts';
import type { People } from '../people/people.ts';
import type { Servers } from '../servers/servers.ts';
import { bindStoreRoutes } from '../store/catalogue/catalogue.routes.ts';
import { type Catalogue, createCatalogue } from '../store/catalogue/catalogue.ts';
import { bindDeliveriesRoutes } from '../store/deliveries/deliveries.routes.ts';
import { createDeliveries, type Deliveries } from '../store/deliveries/deliveries.ts';
import { createAddDeliveries } from '../store/deliveries/new-deliveries.ts';
import { bindDiscountsRoutes } from '../store/discounts/discounts.routes.ts';
import { createDiscounts } from '../store/discounts/discounts.ts';
import { createQuoteOrder } from '../store/discounts/quote-order.ts';
import { bindOrdersRoutes } from '../store/orders/orders.routes.ts';
import { createOrders, type Orders } from '../store/orders/orders.ts';
import { bindPointsRoutes } from '../store/points/points.routes.ts';
import { createPoints, type Points } from '../store/points/points.ts';
import { bindStoreFiguresRoutes } from '../store/store-figures/store-figures.routes.ts';
import { readChatRules } from '../storefronts/chat-commands/chat-rules.ts';

/** Members, points, what is sold, what was ordered, and its delivery to the games. */
export interface Store extends AsyncDisposable {
  readonly catalogue: Catalogue;
  readonly members: Members;
  readonly orders: Orders;
  readonly points: Points;
  readonly ways: DeliveryRoutes;
  readonly deliveries: Deliveries;
  readonly guildMembers: GuildMembers;
  readonly roles: Pick<DiscordRoles, 'reconsider' | 'round'>;
  bind(routes: ApiRoutes): void;
  /** Called once the schema is in place and the queues run. */
  prepare(): Promise<void>;
}

export const createStore = (options: {
  readonly db: Kysely<Tables>;
  /** What the bot last reported; null: it is away. */
  readonly bot: () => BotReport | null;
  readonly merging: Merging;
  readonly games: Pick<Servers, 'directory' | 'observations' | 'onSweep' | 'router' | 'statusOf' | 'tasks'> &
    Pick<People, 'news' | 'presence' | 'whitelist'>;
  readonly jobs: JobSender;
  readonly pauses: QueuePauses;
  readonly settings: Settings;
  /** Admins, by their Discord accounts. */
  readonly discordAdmins: DiscordMembersOptions['admins'];
  readonly licenseHolds: () => boolean;
  readonly home: string;
  readonly log: Log;
}): Store => {
  const { db, merging, games, jobs, pauses, settings, discordAdmins, licenseHolds, home, log } = options;
  const { directory, news, observations, router: ways, presence } = games;
  const owned = new AsyncDisposableStack();

  const knownRoles = createKnownRoles(() => options.bot()?.obstacle === 'guild-unavailable');
  const catalogue = createCatalogue({ db, gameOf, roleFaults: knownRoles.faults });
  const deliveries = owned.use(
    createDeliveries({
      db,
      ways,
      servers: directory,
      presence,
      tasks: games.tasks,
      jobs,
      holdProduct: catalogue.holdProduct,
      licenseHolds,
      isPaused: () => pauses.isPaused(deliveryQueue),
      incarnationFile: join(home, 'store-incarnation.json'),
      log,
    }),
  );
  const discordRoles = owned.use(
    createDiscordRoles({
      db,
      roles: knownRoles,
      sold: deliveries.roles,
      isOnline: (serverId) => games.statusOf(serverId).state === 'online',
      order: games.whitelist,
      licenseHolds,
      isPaused: () => pauses.isPaused(deliveryQueue),
      language: async () => (await settings.values('general')).language,
      log,
    }),
  );
  const members = createMembers({
    db,
    merging,
    forgetPlayers: presence.forgetPlayers,
  });
  const points = createPoints({ db, members });
  const placing = createOrders({
    db,
    sold: catalogue.sold,
    quote: createQuoteOrder(),
    gameOf,
    addDeliveries: createAddDeliveries(jobs),
    expiryDays: async () => (await settings.values('store')).deliveryExpiryDays,
    playersOf: (memberId) => readPlayersOf(db, memberId),
    memberNames: (ids) => readMemberNames(db, ids),
    deliveriesOf: deliveries.reading.ofOrder,
    wake(memberIds) {
      deliveries.wake(memberIds);
      discordRoles.wake();
    },
    withdraw: deliveries.withdraw,
    counterCommands: deliveries.counterCommands,
    log,
  });
  const afterRefund = () => {
    deliveries.topic.changed();
    discordRoles.wake();
  };
  const orders: Orders = {
    ...placing,
    refund: (...asked) => placing.refund(...asked).finally(afterRefund),
    takeBack: (...asked) => placing.takeBack(...asked).finally(afterRefund),
  };

  const guildMembers = createGuildMembers({ db, members: { openForAll, removeEmpty } });
  const discordMembers = createDiscordMembers({
    members,
    admins: discordAdmins,
    forSale: catalogue.forSale,
    typedLink: async () => (await readChatRules(settings)).typed('link'),
    pictureOf: catalogue.picture,
    ledgerOf: points.ledger,
    orders,
    deliveriesOf: deliveries.reading.list,
  });
  observations.on('lateResult', async (serverId, commandId, result) => {
    await deliveries.takeLate(serverId, commandId, result);
  });
  news.on('playersPresent', deliveries.onPlayersPresent);
  owned.defer(
    directory.subscribe((gone) => {
      if (gone.length > 0) deliveries.onServersGone();
    }),
  );
  /** By server: the link to a running game that was last seen open. An agent stays while its game restarts. */
  const connections = new Map<string, object | string | null>();
  games.onSweep(() => {
    for (const { id } of directory.all()) {
      const isDown = ['offline', 'starting'].includes(games.statusOf(id).state);
      const connection = isDown ? null : (ways.open(id)?.connection ?? null);
      if (connection === (connections.get(id) ?? null)) continue;
      connections.set(id, connection);
      if (connection !== null) deliveries.onServerBack(id);
    }
  });
  let wasPaused = false;
  pauses.onChange(() => {
    const isPaused = pauses.isPaused(deliveryQueue);
    // Only then: at a start, nothing may be moved before the deliveries are prepared.
    if (wasPaused && !isPaused)
      deliveries
        .sweep()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'could not process deliveries after a pause; the next sweep will retry'),
        );
    wasPaused = isPaused;
  });

  return {
    catalogue,
    members,
    orders,
    points,
    ways,
    deliveries,
    guildMembers,
    roles: discordRoles,
    bind(routes) {
      bindMembersRoutes(routes, members);
      bindPointsRoutes(routes, points);
      bindStoreRoutes(routes, catalogue);
      bindOrdersRoutes(routes, orders);
      bindDiscountsRoutes(routes, createDiscounts(db));
      bindDiscordMembersRoutes(routes, discordMembers);
      bindDiscordGuildRoutes(routes, {
        take: (report) => guildMembers.take(report).finally(discordRoles.wake),
      });
      bindDiscordRolesRoutes(routes, discordRoles);
      bindStoreFiguresRoutes(routes, {
        db,
        timeZone: async () => (await settings.values('general')).timeZone,
      });
      const { desk } = deliveries;
      bindDeliveriesRoutes(routes, {
        ...deliveries,
        desk: {
          ...desk,
          cancel: (...asked) => desk.cancel(...asked).finally(discordRoles.wake),
          async retry(id, by) {
            const refusal = await desk.retry(id, by);
            if (refusal === null) await discordRoles.changes.retry(id);
            discordRoles.wake();
            return refusal;
          },
        },
      });
    },
    async prepare() {
      await deliveries.prepare();
      discordRoles.begin();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
