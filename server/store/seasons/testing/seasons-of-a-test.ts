import type * as z from 'zod';
import {
  type NewSeason,
  type SeasonPreview,
  seasonAnnouncement,
  seasonPlan,
  type seasonsHttp,
} from '#contracts/store/seasons.ts';
import {
  byOwner,
  granted,
  orderOf,
  type StoreOfATest,
  storeOfATest,
} from '../../orders/testing/store-of-a-test.ts';
import { createSeasons, type Seasons } from '../seasons.ts';

export interface SeasonsOfATest extends AsyncDisposable {
  readonly store: StoreOfATest;
  readonly seasons: Seasons;
  /** The lines said on servers. */
  readonly said: readonly string[];
  /** Like another process: it picks up what is running. */
  another(changes?: Partial<Parameters<typeof createSeasons>[0]> & { readonly lookMs?: number }): Seasons;
  /** Buys a product, delivered on this server. @returns the order's id */
  has(memberId: string, productId: string, quantity?: number, serverId?: string): Promise<string>;
  /** Marks an order's open deliveries as delivered now. */
  deliver(orderId: string, serverId?: string): Promise<void>;
  preview(plan?: Partial<z.input<typeof seasonPlan>>): Promise<SeasonPreview>;
  /** Begins what the current preview says. @returns the season's id */
  begin(season?: Partial<z.input<(typeof seasonsHttp)['begin']['body']>>): Promise<string>;
  /** The same, but waits until it is carried out. */
  run(season?: Partial<z.input<(typeof seasonsHttp)['begin']['body']>>): Promise<string>;
  /** Pieces by member that were ordered for a season. */
  regranted(seasonId: string): Promise<Record<string, number>>;
}

export const planOf = (plan: Partial<z.input<typeof seasonPlan>> = {}) =>
  seasonPlan.parse({ game: 'minecraft', ...plan });

export const seasonsOfATest = async (): Promise<SeasonsOfATest> => {
  const owned = new AsyncDisposableStack();
  const store = owned.use(await storeOfATest());
  const said: string[] = [];
  const another: SeasonsOfATest['another'] = ({ lookMs = 3_600_000, ...changes } = {}) =>
    owned.use(
      createSeasons(
        {
          ...store.context,
          now: Date.now,
          orders: store.orders,
          deliveries: {
            wake: () => undefined,
            sweep: async () => undefined,
          },
          say: async (serverId, text) => {
            said.push(`${serverId}: ${text}`);
            return true;
          },
          servers: {
            ...store.context.servers,
            all: () => [
              { id: 'mc', clusterId: 'c', game: 'minecraft' },
              { id: 'ark', clusterId: 'c', game: 'ark-se' },
            ],
          },
          ...changes,
        },
        // By default, only tests look for work, when they ask for it.
        lookMs,
      ),
    );
  const seasons = another();

  const deliver: SeasonsOfATest['deliver'] = async (orderId, serverId = 'mc') => {
    await store.query(
      `update deliveries set state = 'delivered', certainty = 'proven', waits_for = null, attempts = 1,
         server_id = $2, ended_at = now()
       where order_id = $1 and state in ('pending', 'waiting')`,
      [orderId, serverId],
    );
  };
  const preview: SeasonsOfATest['preview'] = async (plan) => granted(await seasons.preview(planOf(plan)));
  const begin: SeasonsOfATest['begin'] = async ({ name = 'Winter', announcement = {}, ...plan } = {}) => {
    const season: NewSeason = {
      name,
      announcement: seasonAnnouncement.parse(announcement),
      ...planOf(plan),
      digest: (await preview(plan)).digest,
    };
    return granted(await seasons.begin(season, byOwner)).id;
  };
  return {
    store,
    seasons,
    said,
    another,
    deliver,
    async has(memberId, productId, quantity = 1, serverId = 'mc') {
      const request = orderOf({ memberId, lines: [{ productId, quantity }] });
      const { id } = granted(await store.orders.place(request, null, byOwner));
      await deliver(id, serverId);
      return id;
    },
    preview,
    begin,
    async run(season) {
      const id = await begin(season);
      await seasons.idle();
      return id;
    },
    async regranted(seasonId) {
      const rows = await store.query<{ receiver_id: string; pieces: string }>(
        `select orders.receiver_id, sum(order_lines.quantity) as pieces
         from season_steps join orders on orders.id = season_steps.order_id
         join order_lines on order_lines.order_id = orders.id
         where season_id = $1 group by 1`,
        [seasonId],
      );
      return Object.fromEntries(rows.map(({ receiver_id, pieces }) => [receiver_id, Number(pieces)]));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
