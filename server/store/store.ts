import type { ApiRoutes } from '../kernel/access/authorize.ts';
import { bindStoreRoutes } from './catalogue/catalogue.routes.ts';
import { createCatalogue } from './catalogue/catalogue.ts';
import { bindDeliveriesRoutes } from './deliveries/deliveries.routes.ts';
import { createDeliveries } from './deliveries/deliveries.ts';
import { followGames } from './deliveries/follow-games.ts';
import { bindDiscountsRoutes } from './discounts/discounts.routes.ts';
import { createDiscounts } from './discounts/discounts.ts';
import { createCodeGuesses } from './discounts/quote-order.ts';
import { bindEntitlementsRoutes } from './entitlements/entitlements.routes.ts';
import { createEntitlements } from './entitlements/entitlements.ts';
import { bindOrdersRoutes } from './orders/orders.routes.ts';
import { createOrders } from './orders.ts';
import { bindPointsRoutes } from './points/points.routes.ts';
import { createPoints } from './points/points.ts';
import { bindRewardsRoutes } from './rewards/rewards.routes.ts';
import { createRewards } from './rewards/rewards.ts';
import { bindSeasonsRoutes } from './seasons/seasons.routes.ts';
import { createSeasons } from './seasons/seasons.ts';
import type { StoreContext } from './store-context.ts';
import { bindStoreFiguresRoutes } from './store-figures/store-figures.routes.ts';

/** What is sold, what is paid in points, and how it reaches the game or Discord; with what all of it is built. */
export type Store = ReturnType<typeof createStore>;

export const createStore = (context: StoreContext) => {
  const owned = new AsyncDisposableStack();
  const deliveries = owned.use(createDeliveries(context));
  owned.use(followGames(context, deliveries));
  const orders = createOrders({ ...context, codeGuesses: createCodeGuesses(context.now), deliveries });
  const rewards = owned.use(createRewards(context));
  const entitlements = owned.use(createEntitlements({ ...context, deliveries }));
  context.onLateResult(async (serverId, commandId, result) => {
    await entitlements.takeLate(serverId, commandId, result);
  });
  const catalogue = createCatalogue(context);
  const points = createPoints(context);
  const seasons = owned.use(createSeasons({ ...context, orders, deliveries }));

  return {
    ...context,
    catalogue,
    points,
    deliveries,
    orders,
    rewards,
    entitlements,
    seasons,
    maintenance: [rewards.maintenance],
    bind(routes: ApiRoutes): void {
      bindPointsRoutes(routes, points);
      bindStoreRoutes(routes, catalogue);
      bindOrdersRoutes(routes, orders);
      bindDiscountsRoutes(routes, createDiscounts(context.db));
      bindStoreFiguresRoutes(routes, context);
      bindDeliveriesRoutes(routes, context, deliveries);
      bindRewardsRoutes(routes, rewards);
      bindEntitlementsRoutes(routes, entitlements);
      bindSeasonsRoutes(routes, seasons);
    },
    /** Called once the schema is in place and the queues run. */
    async prepare(): Promise<void> {
      // Before deliveries go out, which a running season may hold.
      seasons.prepare();
      await deliveries.prepare();
    },
    /** Called once everything is prepared. */
    begin(): void {
      rewards.payer.begin();
      entitlements.begin();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
