import { setTimeout as delay } from 'node:timers/promises';
import type { AgentBeside } from '#harness/agent-beside.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import type { Crowd } from './crowd.ts';
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

const mostBeforeKillMs = 300;

interface KillParts {
  readonly stack: Pick<FaultStack, 'apis' | 'hit' | 'killApi' | 'killPostgres' | 'query'>;
  readonly hosts: readonly Host[];
  readonly crowds: readonly Crowd[];
  readonly random: () => number;
}

/** Kills a random victim at a random instant, and starts it again. */
export interface Kills {
  one(): Promise<Victim>;
  readonly count: number;
  /** Gifts in flight at kills of agents and games. */
  readonly inFlight: number;
}

/** @param of the victims that there may be; null if there is none of them */
export const createKills = (of: readonly Victim[], parts: KillParts): Kills | null => {
  const { stack, hosts, crowds, random } = parts;
  const possible = of.filter((victim) => victim !== 'agent' || hosts.some(({ agent }) => agent !== null));
  let count = 0;
  let inFlight = 0;

  const killOn = async ({ game, agent, serverId }: Host, victim: 'agent' | 'game') => {
    const [row] = await stack.query<{ count: number }>(
      `select count(*)::int as count from deliveries where state = 'sending'`,
    );
    inFlight += row?.count ?? 0;
    const since = new Date();
    if (victim === 'agent') {
      await agent?.restart('SIGKILL', () => stack.hit.onServer(serverId, since));
      return;
    }
    await game.kill();
    await stack.hit.onServer(serverId, since);
    await game.start();
    await Promise.all(crowds.map((crowd) => crowd.comeBack(game)));
  };

  if (possible.length === 0) return null;
  return {
    get count() {
      return count;
    },
    get inFlight() {
      return inFlight;
    },
    async one() {
      const victim = pickFrom(possible, random);
      const on = hosts.filter(({ agent }) => victim !== 'agent' || agent !== null);
      const host = pickFrom(on, random);
      await delay(random() * mostBeforeKillMs);
      // One that is stopped stays so.
      const running = stack.apis.filter(({ isStopped }) => !isStopped);
      if (victim === 'api') await stack.killApi(pickFrom(running, random));
      else if (victim === 'postgres') await stack.killPostgres();
      else await killOn(host, victim);
      count += 1;
      return victim;
    },
  };
};
