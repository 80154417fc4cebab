import { offlineUuid } from '../../simulators/identities.ts';
import type { SwarmPlayer } from '../agents/swarm-agent.ts';

/** An order from the bench to the games over IPC. */
export interface GamesOrder {
  readonly port: number;
  readonly secret: string;
  readonly serverIds: readonly string[];
  readonly playersOfEach: number;
}

/** Different players for every server; the handle is the UUID, by which a gift finds them. */
export const playersOn = (serverId: string, count: number): SwarmPlayer[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `P${serverId}_${index}`;
    const handle = offlineUuid(name);
    return { name, platformId: `minecraft:${handle}`, handle };
  });
