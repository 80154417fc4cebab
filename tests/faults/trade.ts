import { setTimeout as delay } from 'node:timers/promises';
import type { GameId } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import { createCopiedDatabase } from './copied-database.ts';
import type { Crowd } from './crowd.ts';
import { type AcceptedOrder, type PlannedOrder, placeOrder, type Shop } from './customers.ts';
import type { FaultStack } from './fault-stack.ts';
import { createKills, type Host, type Victim } from './kills.ts';
import { createMerge } from './merges.ts';
import { openStates } from './open-states.ts';
import { createStop } from './stops.ts';

const customersAtOnce = 10;
const mostOpen = 60;
/** A customer waits at most this long for earlier customers. */
const mostGateMs = 20_000;
const connectMs = 60_000;
const pollMs = 300;

export interface TradeOptions {
  readonly deliveries: number;
  /** Number of kills, spread over all orders. */
  readonly kills: number;
  readonly victims: readonly Victim[];
  /** Number of members with open deliveries that are merged into others, spread over all orders. */
  readonly merges: number;
  /** How often an API process is stopped for longer than its leases, spread over all orders. */
  readonly stops: number;
  /** Empties every table of pg-boss in the middle of the run. */
  readonly emptyQueues: boolean;
  /** Restores a copy of the database of this age, after two thirds of the orders. */
  readonly restoreAfterMs: number | null;
  readonly say: (line: string) => void;
}

interface TradeParts {
  readonly stack: FaultStack;
  readonly hosts: readonly Host[];
  readonly crowds: readonly Crowd[];
  readonly orders: readonly PlannedOrder[];
  readonly apiKey: string;
  readonly random: () => number;
}

/** Places orders without a pause, while faults happen at random instants. */
export const createTrade = (options: TradeOptions, parts: TradeParts) => {
  const { stack, apiKey, random } = parts;
  const orders = [...parts.orders];
  const accepted: AcceptedOrder[] = [];
  const mostOpenNow = Math.min(mostOpen, Math.max(10, Math.ceil(options.deliveries / options.kills)));
  let begun = 0;
  let underWay = 0;
  let isClosed = false;
  let merges = 0;
  let stoppedGifts = 0;
  let events: Promise<void> = Promise.resolve();
  let stops: Promise<void> = Promise.resolve();

  const say = (line: string) => options.say(`${accepted.length} orders, ${line}`);
  const countOpen = async (): Promise<number> => {
    const [row] = await stack.query<{ count: number }>(
      'select count(*)::int as count from deliveries where state = any($1)',
      [openStates],
    );
    return row?.count ?? 0;
  };

  const kills = createKills(options.victims, parts);
  const kill = async () => {
    const victim = await kills?.one();
    say(`kill ${kills?.count}: ${victim}`);
  };
  /** The next order is one of theirs: it wakes the member while the gift of the merged one may be in flight. */
  const bringForward = (players: readonly Pick<PlannedOrder, 'player' | 'game'>[]) => {
    const isTheirs = ({ player, game }: { readonly player: string; readonly game: GameId }) =>
      players.some((one) => one.player === player && one.game === game);
    const found = orders.findIndex((order, number) => number >= begun && isTheirs(order));
    const [order] = found < 0 ? [] : orders.splice(found, 1);
    if (order) orders.splice(begun, 0, order);
  };
  const mergeOne = createMerge(stack, {
    random,
    say,
    onMerged: (players) => bringForward(players.map(({ name, game }) => ({ player: name, game }))),
  });
  const merge = async () => {
    if (await mergeOne()) merges += 1;
  };
  const stopOne = createStop(stack, { random, say });
  /** No one takes over from the only process. */
  const stopCount = stack.apis.length > 1 ? options.stops : 0;
  /** Takes longer than a minute, in which other faults go on. */
  const stop = async () => {
    stops = stops.then(async () => {
      stoppedGifts += await stopOne();
    });
    // It is awaited at the end.
    stops.catch(() => undefined);
  };
  const emptyQueues = async () => {
    const tables = await stack.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname = 'queue' and tablename <> 'version'`,
    );
    await stack.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
    say(`${tables.length} tables of the queues were emptied`);
  };
  const copy = createCopiedDatabase(stack, async (work) => {
    isClosed = true;
    await eventually(() => {
      if (underWay > 0) throw new Error(`${underWay} orders are under way`);
    }, connectMs);
    await work();
    isClosed = false;
    say('the database was copied, or the copy put back');
  });

  /** The faults to run before the order of this number. */
  const due = (number: number): (() => Promise<void>)[] => {
    const at = (share: number) => number === Math.floor(orders.length * share);
    /** Of as many that are spread over all orders. */
    const spread = (count: number, event: () => Promise<void>) =>
      Array.from(
        {
          length:
            Math.floor(((number + 1) * count) / orders.length) - Math.floor((number * count) / orders.length),
        },
        () => event,
      );
    const { restoreAfterMs } = options;
    return [
      // The first ones, so that something is left to sell while an API stands still.
      ...Array.from({ length: stopCount }, (_, index) => index / (stopCount + 1) + 1 / 10)
        .filter(at)
        .map(() => stop),
      ...spread(kills ? options.kills : 0, kill),
      ...spread(options.merges, merge),
      ...(options.emptyQueues && at(1 / 2) ? [emptyQueues] : []),
      ...(restoreAfterMs !== null && at(1 / 3) ? [copy.take] : []),
      ...(restoreAfterMs !== null && at(2 / 3) ? [() => copy.putBack(restoreAfterMs)] : []),
    ];
  };

  const passGate = async () => {
    const until = performance.now() + mostGateMs;
    // Checked last: the gate may close during the database query.
    while ((performance.now() < until && (await countOpen()) > mostOpenNow) || isClosed) await delay(pollMs);
    underWay += 1;
  };
  const shop: Shop = {
    apiUrls: stack.apis.map(({ url }) => url),
    apiKey,
    random,
    async memberOf(game, player) {
      const [row] = await stack.query<{ member_id: string }>(
        'select member_id from players where game = $1 and name = $2',
        [game, player],
      );
      if (!row) throw new Error(`${player} has no member`);
      return row.member_id;
    },
  };
  const customer = async () => {
    for (let number = begun++; number < orders.length; number = begun++) {
      const order = orders[number];
      if (!order) return;
      const incidents = due(number);
      for (const event of incidents) events = events.then(event);
      if (incidents.length > 0) await events;
      await passGate();
      try {
        const { id } = await placeOrder(shop, order);
        accepted.push({ ...order, orderId: id, acceptedMs: performance.now() });
      } finally {
        underWay -= 1;
      }
    }
  };

  return {
    accepted,
    counts: () => ({ kills: kills?.count ?? 0, merges, stopped_gifts: stoppedGifts }),
    inFlight: () => kills?.inFlight ?? 0,
    isForgotten: copy.isForgotten,
    run: async () => {
      await Promise.all(Array.from({ length: customersAtOnce }, customer));
      await events;
      await stops;
    },
  };
};
