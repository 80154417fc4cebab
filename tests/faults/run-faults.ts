import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { randomOf } from '../bench/harness/seeded-random.ts';
import { createCrowd } from './crowd.ts';
import type { PlannedOrder } from './customers.ts';
import { type FaultStack, startFaultStack } from './fault-stack.ts';
import { type HostsOptions, startHosts } from './hosts.ts';
import type { Host } from './kills.ts';
import { makeApiKey, openStall, playersOf, stalls } from './market.ts';
import { openStates } from './open-states.ts';
import type { FaultOutcome } from './outcome.ts';
import { tally } from './tally.ts';
import { createTrade, type TradeOptions } from './trade.ts';

export interface FaultsOptions extends TradeOptions, HostsOptions {
  /** API processes on the one database. */
  readonly apis: number;
  /** Of each game's products, a third has the standing rule to refund, a third to send again. */
  readonly hasRules: boolean;
}

/** If nothing has changed for this long, nothing will: tries are at most five minutes apart, plus a quarter. */
const patienceMs = 400_000;
/** The game's record is asked every 30 seconds. */
const recordPatienceMs = 120_000;

export const runFaults = async (options: FaultsOptions): Promise<FaultOutcome> => {
  const { seed, say } = options;
  const random = randomOf(seed);
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('faults')).path;
  const stack = owned.use(await startFaultStack(folder, options.apis));
  const hosts = await startHosts(options, stack, folder, owned);
  const crowds = stalls.map((stall) =>
    createCrowd({
      games: hosts.filter(({ game }) => game.game === stall.game).map(({ game }) => game),
      players: playersOf(stall),
      random,
    }),
  );
  for (const crowd of crowds) crowd.gather();
  say('waiting for the games and their players');
  const orders = await openStalls(options, stack, hosts, random);
  const apiKey = await makeApiKey(stack);

  say(`${orders.length} orders of ${options.deliveries} deliveries`);
  // ARK's answers prove nothing, and a player who was offline between two lists would count as online: its players stay.
  const wandering = Promise.all(
    crowds.filter((_, index) => stalls[index]?.game !== 'ark-asa').map((crowd) => crowd.wander()),
  );
  const trade = createTrade(options, { stack, hosts, crowds, orders, apiKey, random });
  // What the games did until then is the evidence of why a deadline was met.
  const cutShort = await trade.run().then(
    () => null,
    (error: Error) => error,
  );
  if (cutShort !== null) say(`the run was cut short: ${cutShort.message}`);
  for (const crowd of crowds) crowd.gather();
  await wandering;
  await settle(stack, say);
  const { deliveries, ...found } = await tally(stack, hosts, trade.accepted, trade.isForgotten, say);
  say(`in flight at kills of agents and games: ${trade.inFlight()}`);
  return { deliveries, ...trade.counts(), ...found, cut_short: cutShort === null ? 0 : 1, seed };
};

/** Mixes the orders of all games. */
const openStalls = async (
  { deliveries, hasRules }: FaultsOptions,
  stack: FaultStack,
  hosts: readonly Host[],
  random: () => number,
): Promise<readonly PlannedOrder[]> => {
  const orders: PlannedOrder[] = [];
  let left = deliveries;
  for (const [index, stall] of stalls.entries()) {
    const count = index === stalls.length - 1 ? left : Math.round(deliveries * stall.share);
    left -= count;
    const serverIds = hosts.filter(({ game }) => game.game === stall.game).map(({ serverId }) => serverId);
    orders.push(...(await openStall(stack, stall, { serverIds, deliveries: count, hasRules, random })));
  }
  return orders
    .map((order) => ({ order, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ order }) => order);
};

/** Waits until everything that can end has ended: open deliveries end, and unknown ones are settled if the game keeps a record. */
const settle = async ({ query }: FaultStack, say: (line: string) => void): Promise<void> => {
  let last = '';
  let sinceMs = performance.now();
  for (;;) {
    const rows = await query<{ game: string; state: string; waits_for: string | null; count: number }>(
      `select game, state, waits_for, count(*)::int as count from deliveries
       where state = any($1) or state = 'unknown' group by 1, 2, 3 order by 1, 2, 3`,
      [openStates],
    );
    if (!rows.some(({ game, state }) => state !== 'unknown' || game === 'minecraft')) return;
    const now = JSON.stringify(rows);
    if (now !== last) {
      last = now;
      sinceMs = performance.now();
      say(`left: ${now}`);
    }
    const isOpen = rows.some(({ state }) => state !== 'unknown');
    if (performance.now() - sinceMs > (isOpen ? patienceMs : recordPatienceMs)) return;
    await delay(1000);
  }
};
