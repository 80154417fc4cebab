import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gameAgentStatus, healthHttp } from '#contracts/health.ts';
import { startAgentBeside } from '#harness/agent-beside.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { programsFolder } from '../../build/bundle.ts';
import { randomOf } from '../bench/harness/seeded-random.ts';
import { createCrowd } from './crowd.ts';
import type { PlannedOrder } from './customers.ts';
import { startFaultGame } from './fault-game.ts';
import { type FaultStack, startFaultStack } from './fault-stack.ts';
import { enterServer, makeApiKey, makeCluster, openStall, playersOf, stalls } from './market.ts';
import { type FaultOutcome, tally } from './tally.ts';
import { createTrade, type Host, openStates, type TradeOptions } from './trade.ts';

export const channels = ['agent', 'direct', 'all'] as const;
export type Channel = (typeof channels)[number];
export const lostAnswers = ['guarded', 'all', 'none'] as const;

export interface FaultsOptions extends TradeOptions {
  readonly channel: Channel;
  readonly seed: number;
  /** Games that lose answers: those that keep a record of gifts, all, or none. */
  readonly lostAnswers: (typeof lostAnswers)[number];
}

const lostShare = 0.03;
const connectMs = 60_000;
/** If nothing has changed for this long, nothing will: tries are at most five minutes apart, plus a quarter. */
const patienceMs = 400_000;

export const runFaults = async (options: FaultsOptions): Promise<FaultOutcome> => {
  const { seed, say } = options;
  const random = randomOf(seed);
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('faults')).path;
  const stack = owned.use(await startFaultStack(folder));
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
  await trade.run();
  for (const crowd of crowds) crowd.gather();
  await wandering;
  await settle(stack, say);
  const outcome = await tally(
    stack,
    hosts.map(({ game }) => game),
    trade.accepted,
    trade.isForgotten,
  );
  say(`in flight at kills of agents and games: ${trade.inFlight()}`);
  const { deliveries, ...found } = outcome;
  return { deliveries, kills: trade.kills(), ...found, seed };
};

const startHosts = async (
  options: FaultsOptions,
  stack: FaultStack,
  folder: string,
  owned: AsyncDisposableStack,
): Promise<readonly Host[]> => {
  const { channel, seed } = options;
  const clusterId = await makeCluster(stack);
  const { apiUrl, variables } = stack.installation;
  const hosts: Host[] = [];
  for (const way of channel === 'all' ? (['agent', 'direct'] as const) : [channel])
    for (const { game: gameId } of stalls) {
      const isLosing =
        options.lostAnswers === 'all' || (options.lostAnswers === 'guarded' && gameId === 'minecraft');
      const game = owned.use(
        await startFaultGame({
          name: `${gameId}-${way}`,
          game: gameId,
          folder,
          lostAnswers: isLosing ? lostShare : 0,
          seed: seed * 1000 + hosts.length * 100,
        }),
      );
      const serverId = await enterServer(stack, clusterId, game, way === 'agent');
      const agent =
        way === 'agent'
          ? owned.use(
              await startAgentBeside({
                apiUrl,
                secret: variables.GAME_AGENT_SECRET ?? '',
                serverId,
                game: gameId,
                console: { port: game.port, password: game.password },
                folder: stack.installation.home,
                program: join(programsFolder, 'agent.mjs'),
              }),
            )
          : null;
      hosts.push({ game, agent, serverId });
    }
  const agents = hosts.filter(({ agent }) => agent !== null).length;
  await eventually(async () => {
    const { connected } = gameAgentStatus.parse(await stack.call(healthHttp.gameAgent));
    if (connected < agents) throw new Error(`${connected} agents are connected`);
  }, connectMs);
  return hosts;
};

/** Mixes the orders of all games. */
const openStalls = async (
  { deliveries }: FaultsOptions,
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
    orders.push(...(await openStall(stack, stall, { serverIds, deliveries: count, random })));
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
    if (performance.now() - sinceMs > patienceMs) return;
    await delay(1000);
  }
};
