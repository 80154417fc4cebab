import { join } from 'node:path';
import { gameAgentStatus, healthHttp } from '#contracts/operations/health.ts';
import { startAgentBeside } from '#harness/agent-beside.ts';
import { eventually } from '#harness/eventually.ts';
import { callAsOwner } from '#harness/owner-call.ts';
import { programsFolder } from '../../build/bundle.ts';
import { startFaultGame } from './fault-game.ts';
import type { FaultStack } from './fault-stack.ts';
import type { Host } from './kills.ts';
import { enterServer, makeCluster, stalls } from './market.ts';

export const channels = ['agent', 'direct', 'all'] as const;
export type Channel = (typeof channels)[number];
export const lostAnswers = ['guarded', 'all', 'none'] as const;

export interface HostsOptions {
  readonly channel: Channel;
  readonly seed: number;
  /** Games that lose answers: those that keep a record of gifts, all, or none. */
  readonly lostAnswers: (typeof lostAnswers)[number];
  /** Share of all gifts whose answer takes 0.7 to 6 s, 0 to 1. */
  readonly slowAnswers: number;
}

const lostShare = 0.03;
const connectMs = 60_000;

/**
 * A server of each game for each channel. A game that is reached directly is reached by every API process; agents are connected
 * to the processes by turns, and what they hold can be asked for only there.
 */
export const startHosts = async (
  options: HostsOptions,
  stack: FaultStack,
  folder: string,
  owned: AsyncDisposableStack,
): Promise<readonly Host[]> => {
  const { channel, seed, slowAnswers } = options;
  const { apis, installation } = stack;
  const clusterId = await makeCluster(stack);
  const hosts: Host[] = [];
  for (const way of channel === 'all' ? (['agent', 'direct'] as const) : [channel])
    for (const [index, { game: gameId }] of stalls.entries()) {
      const isLosing =
        options.lostAnswers === 'all' || (options.lostAnswers === 'guarded' && gameId === 'minecraft');
      const game = owned.use(
        await startFaultGame({
          name: `${gameId}-${way}`,
          game: gameId,
          folder,
          lostAnswers: isLosing ? lostShare : 0,
          slowAnswers,
          seed: seed * 1000 + hosts.length * 100,
        }),
      );
      const serverId = await enterServer(stack, clusterId, game, way === 'agent');
      const agent =
        way === 'agent'
          ? owned.use(
              await startAgentBeside({
                apiUrl: apis[index % apis.length]?.url ?? '',
                secret: installation.variables.GAME_AGENT_SECRET ?? '',
                serverId,
                game: gameId,
                console: { port: game.port, password: game.password },
                folder: installation.home,
                program: join(programsFolder, 'agent.mjs'),
              }),
            )
          : null;
      hosts.push({ game, agent, serverId });
    }
  await stack.startOthers();
  const agents = hosts.filter(({ agent }) => agent !== null).length;
  await eventually(async () => {
    const known = await Promise.all(apis.map((api) => callAsOwner(api, healthHttp.gameAgent)));
    const connected = known.reduce((sum, status) => sum + gameAgentStatus.parse(status).connected, 0);
    if (connected < agents) throw new Error(`${connected} agents are connected`);
  }, connectMs);
  return hosts;
};
