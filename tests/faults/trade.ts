import { setTimeout as delay } from 'node:timers/promises';
import type { AgentBeside } from '#harness/agent-beside.ts';
import { eventually } from '#harness/eventually.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import type { Crowd } from './crowd.ts';
import { type AcceptedOrder, type PlannedOrder, placeOrder } from './customers.ts';
import type { FaultGame } from './fault-game.ts';
import type { FaultStack } from './fault-stack.ts';

export const victims = ['api', 'agent', 'game', 'postgres'] as const;
export type Victim = (typeof victims)[number];

/** A game server with its agent, if it has one. */
export interface Host {
  readonly game: FaultGame;
  readonly agent: AgentBeside | null;
  readonly serverId: string;
}

const customersAtOnce = 10;
const mostBeforeKillMs = 300;
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

/** Places orders without a pause, while victims are killed at random instants and started again. */
export const createTrade = (options: TradeOptions, parts: TradeParts) => {
  const { stack, hosts, crowds, orders, apiKey, random } = parts;
  const accepted: AcceptedOrder[] = [];
  const mostOpenNow = Math.min(mostOpen, Math.max(10, Math.ceil(options.deliveries / options.kills)));
  let begun = 0;
  let underWay = 0;
  let isClosed = false;
  let killed = 0;
  let inFlight = 0;
  let snapshotMs = Number.POSITIVE_INFINITY;
  let restoredMs = Number.NEGATIVE_INFINITY;
  let events: Promise<void> = Promise.resolve();

  const anyOf = <One>(all: readonly One[]): One => pickFrom(all, random);
  const countOpen = async (states: readonly string[]): Promise<number> => {
    const [row] = await stack.query<{ count: number }>(
      'select count(*)::int as count from deliveries where state = any($1)',
      [states],
    );
    return row?.count ?? 0;
  };

  const possible = options.victims.filter(
    (victim) => victim !== 'agent' || hosts.some(({ agent }) => agent !== null),
  );
  const killOne = async () => {
    const victim = anyOf(possible);
    const host = anyOf(hosts.filter(({ agent }) => victim !== 'agent' || agent !== null));
    await delay(random() * mostBeforeKillMs);
    if (victim === 'agent' || victim === 'game') inFlight += await countOpen(['sending']);
    if (victim === 'api') await stack.killApi();
    else if (victim === 'postgres') await stack.killPostgres();
    else if (victim === 'agent') await host.agent?.restart('SIGKILL');
    else {
      await host.game.kill();
      await host.game.start();
      await Promise.all(crowds.map((crowd) => crowd.comeBack(host.game)));
    }
    killed += 1;
    options.say(`${accepted.length} orders, kill ${killed}: ${victim}`);
  };

  /** Runs `work` while no order is in progress, so that it is known which orders a copy of the database holds. */
  const whileClosed = async (work: () => Promise<void>) => {
    isClosed = true;
    await eventually(() => {
      if (underWay > 0) throw new Error(`${underWay} orders are under way`);
    }, connectMs);
    await work();
    isClosed = false;
  };
  const takeSnapshot = () =>
    whileClosed(async () => {
      snapshotMs = performance.now();
      await stack.takeSnapshot();
      options.say(`${accepted.length} orders, the database was copied`);
    });
  const restore = async () => {
    await delay(Math.max(0, snapshotMs + (options.restoreAfterMs ?? 0) - performance.now()));
    await whileClosed(async () => {
      await stack.restoreSnapshot();
      restoredMs = performance.now();
      options.say(`${accepted.length} orders, the copy was put back`);
    });
  };
  const emptyQueues = async () => {
    const tables = await stack.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname = 'queue' and tablename <> 'version'`,
    );
    await stack.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
    options.say(`${accepted.length} orders, ${tables.length} tables of the queues were emptied`);
  };

  /** The faults to run before the order of this number. */
  const due = (number: number): (() => Promise<void>)[] => {
    const at = (share: number) => number === Math.floor(orders.length * share);
    const kills =
      Math.floor(((number + 1) * options.kills) / orders.length) -
      Math.floor((number * options.kills) / orders.length);
    return [
      ...Array.from({ length: possible.length === 0 ? 0 : kills }, () => killOne),
      ...(options.emptyQueues && at(1 / 2) ? [emptyQueues] : []),
      ...(options.restoreAfterMs !== null && at(1 / 3) ? [takeSnapshot] : []),
      ...(options.restoreAfterMs !== null && at(2 / 3) ? [restore] : []),
    ];
  };

  const passGate = async () => {
    const until = performance.now() + mostGateMs;
    // Checked last: the gate may close during the database query.
    while ((performance.now() < until && (await countOpen(openStates)) > mostOpenNow) || isClosed)
      await delay(pollMs);
    underWay += 1;
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
        const { id } = await placeOrder({ apiUrl: stack.installation.apiUrl, apiKey, random }, order);
        accepted.push({ ...order, orderId: id, acceptedMs: performance.now() });
      } finally {
        underWay -= 1;
      }
    }
  };

  return {
    accepted,
    kills: () => killed,
    inFlight: () => inFlight,
    isForgotten: ({ acceptedMs }: AcceptedOrder) => acceptedMs > snapshotMs && acceptedMs < restoredMs,
    run: async () => {
      await Promise.all(Array.from({ length: customersAtOnce }, customer));
      await events;
    },
  };
};

/** States of deliveries that have not ended. */
export const openStates = ['pending', 'waiting', 'sending'];
