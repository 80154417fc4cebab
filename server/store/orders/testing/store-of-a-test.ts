import type * as z from 'zod';
import type { GameId } from '#contracts/servers/games.ts';
import type { DeliveryState } from '#contracts/store/deliveries.ts';
import { type OrderDetails, orderRequest } from '#contracts/store/orders.ts';
import { type Product, productDraft } from '#contracts/store/store.ts';
import { uncontestedLeases } from '../../../kernel/commands/testing/uncontested-leases.ts';
import { openNotifications } from '../../../kernel/database/notifications.ts';
import { isRefusal, type Refusal } from '../../../kernel/http/refusal.ts';
import { createJobSender } from '../../../kernel/queues/job-sender.ts';
import { startQueueEngine, stopQueueEngine } from '../../../kernel/queues/queue-engine.ts';
import {
  type MigratedDatabase,
  migratedDatabase,
  silentLog,
  testOwner,
} from '../../../kernel/testing/feature-api.ts';
import { type Catalogue, createCatalogue } from '../../catalogue/catalogue.ts';
import { type CounterCommands, createCounterCommands } from '../../deliveries/counter-commands.ts';
import { createDiscounts, type Discounts } from '../../discounts/discounts.ts';
import { createCodeGuesses } from '../../discounts/quote-order.ts';
import { createOrders, type Orders } from '../../orders.ts';
import { type StoreContextOfATest, storeContextOfATest } from '../../testing/store-context-of-a-test.ts';
import type { OrderingContext } from '../order-terms.ts';

/** Was just confirmed. */
export const byOwner = { actor: { ...testOwner, steppedUp: true }, address: '::1' };

/** A store on a fresh database, with one Minecraft server and one of ARK. */
export interface StoreOfATest extends AsyncDisposable {
  readonly database: MigratedDatabase;
  readonly context: StoreContextOfATest;
  readonly catalogue: Catalogue;
  readonly discounts: Discounts;
  readonly orders: Orders;
  readonly counterCommands: CounterCommands;
  /** Resolves once the games were asked about everything refunded so far. */
  tried(): Promise<unknown>;
  /** As in another process on the same database. */
  newCounterCommands(): CounterCommands;
  /** The deliveries that were to be withdrawn, and the members who were woken. */
  readonly asked: { readonly withdrawn: string[]; readonly woken: string[] };
  /** The deliveries of an order that are to be removed, or were. */
  countered(orderId: string): Promise<string[]>;
  /** Moves the clock of the store. */
  advance(ms: number): void;
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** @param game in which the member has a player; by default, the member has none */
  newMember(points: number, game?: GameId): Promise<string>;
  newProduct(draft?: Partial<z.input<typeof productDraft>>): Promise<Product>;
  balance(memberId: string): Promise<number>;
  /** Sets deliveries as the engine would. */
  setState(ids: readonly string[], state: DeliveryState): Promise<void>;
  /** Adds the attempts that have sent them. */
  sent(ids: readonly string[]): Promise<void>;
}

export const granted = <Result>(result: Result | Refusal): Result => {
  if (isRefusal(result)) throw new Error(`${result.refused} ${result.detail ?? ''}`);
  return result;
};

export const orderOf = (order: z.input<typeof orderRequest>) => orderRequest.parse(order);

/** One item, enabled, at a price of 10. */
export const draftOf = (draft: Partial<z.input<typeof productDraft>> = {}) =>
  productDraft.parse({
    name: 'Diamonds',
    price: 10,
    game: 'minecraft',
    lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 3 }],
    isEnabled: true,
    ...draft,
  });

export const storeOfATest = async ({
  withdraw,
  ...changes
}: Partial<StoreContextOfATest> & {
  /** What games say about deliveries. */
  readonly withdraw?: OrderingContext['deliveries']['withdraw'];
} = {}): Promise<StoreOfATest> => {
  const owned = new AsyncDisposableStack();
  const database = owned.use(await migratedDatabase());
  const { db, pool } = database;
  const notifications = owned.use(openNotifications(database.url, silentLog));
  const boss = await startQueueEngine({ pool, notifications, leases: uncontestedLeases, log: silentLog });
  owned.defer(() => stopQueueEngine(boss));
  const jobs = createJobSender();
  jobs.attach(boss);

  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await pool.query(text, [...values])).rows as Row[];
  await query(`insert into clusters (id, name, name_key, description) values ('c', 'C', 'c', '')`);
  await query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port)
     values ('mc', 'c', 'MC', 'mc', 'minecraft', 1), ('ark', 'c', 'ARK', 'ark', 'ark-se', 1)`,
  );

  // Approvals count while their person has the right.
  await query(
    `insert into admins (id, name, name_key, password_hash, role) values ($1, 'Owner', 'owner', '', 'owner')`,
    [testOwner.id],
  );

  let offsetMs = 0;
  const context = storeContextOfATest(db, {
    jobs,
    now: () => Date.now() + offsetMs,
    memberNames: async (ids) => new Map(ids.map((id) => [id, `member ${id}`])),
    ...changes,
  });
  const asked: { withdrawn: string[]; woken: string[] } = { withdrawn: [], woken: [] };
  const stopping = new AbortController();
  owned.defer(() => stopping.abort());
  const newCounterCommands = () =>
    owned.use(
      createCounterCommands({
        ...context,
        mayRun: () => true,
        stopping: stopping.signal,
        answerMs: 10_000,
        onClaim: () => undefined,
        onChange: () => undefined,
        tell(error) {
          throw error;
        },
      }),
    );
  const counterCommands = newCounterCommands();
  const sendings: Promise<void>[] = [];
  const orders = createOrders({
    ...context,
    codeGuesses: createCodeGuesses(context.now),
    deliveries: {
      wake: (ids) => void asked.woken.push(...ids),
      changed: () => undefined,
      async withdraw(ids) {
        asked.withdrawn.push(...ids);
        return withdraw ? withdraw(ids) : new Map(ids.map((id) => [id, 'safe' as const]));
      },
      counterCommands: {
        sendFor(orderId) {
          const sent = counterCommands.sendFor(orderId);
          sendings.push(sent);
          return sent;
        },
      },
    },
  });
  return {
    database,
    context,
    catalogue: createCatalogue(context),
    discounts: createDiscounts(db),
    orders,
    counterCommands,
    tried: () => Promise.allSettled(sendings),
    newCounterCommands,
    asked,
    query,
    advance(ms) {
      offsetMs += ms;
    },
    async newMember(points, game) {
      const [member] = await query<{ id: string }>('insert into members default values returning id');
      if (points > 0)
        await query(
          `insert into ledger (kind, from_account, to_account, to_member, amount, actor)
           values ('grant', 'issued', 'wallet', $1, $2, 'test')`,
          [member?.id, points],
        );
      if (game !== undefined)
        await query(
          `insert into players (identity, game, name, name_key, member_id)
           values ('name:' || $1::text, $2, $1::text, $1::text, $1::bigint)`,
          [member?.id, game],
        );
      return member?.id ?? '';
    },
    newProduct: async (draft) => granted(await createCatalogue(context).create(draftOf(draft), byOwner)),
    async balance(memberId) {
      const [row] = await query<{ balance: string }>('select balance from wallets where member_id = $1', [
        memberId,
      ]);
      return Number(row?.balance);
    },
    async sent(ids) {
      await query(
        `insert into delivery_attempts (delivery_id, number, command_id, server_id, way, command, ended_at)
         select id, 1, id::text || '.1', 'mc', 'direct', 'say', now() from unnest($1::uuid[]) as id`,
        [ids],
      );
    },
    countered: async (orderId) =>
      (
        await query<{ id: string }>(
          `select delivery_id as id from counter_commands join deliveries on deliveries.id = delivery_id
            where order_id = $1`,
          [orderId],
        )
      ).map(({ id }) => id),
    async setState(ids, state) {
      await query(
        `update deliveries set state = $2, attempts = 1,
           certainty = case when $2 = 'delivered' then 'proven' end,
           waits_for = case when $2 = 'waiting' then 'player' end
         where id = any ($1)`,
        [ids, state],
      );
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

export const deliveryIds = ({ deliveries }: OrderDetails): string[] => deliveries.map(({ id }) => id);
