import { setTimeout as delay } from 'node:timers/promises';
import { createSwarmAgent, type SwarmAgent } from './swarm-agent.ts';

/** An order from the bench to the swarm over IPC. */
export interface SwarmOrder {
  readonly port: number;
  readonly secret: string;
  readonly serverIds: readonly string[];
  readonly heartbeatMs: number;
  readonly connectionsPerSecond: number;
  readonly playersOfEach: number;
}

export interface SwarmNews {
  readonly connected: number;
  readonly lost: number;
  readonly acknowledged: number;
}

const mostTries = 20;
const retryMs = 1000;
let lost = 0;
const agents: SwarmAgent[] = [];

const beat = async (agent: SwarmAgent, index: number, count: number, heartbeatMs: number) => {
  await delay((index / count) * heartbeatMs);
  setInterval(agent.heartbeat, heartbeatMs);
};

/** Retries as an agent does: a flooded API makes some wait. */
const connectPatiently = async (agent: SwarmAgent, port: number) => {
  for (let tries = 1; ; tries += 1)
    try {
      return await agent.connect(port);
    } catch (error) {
      if (tries === mostTries) throw error;
      await delay(retryMs * (1 + Math.random()));
    }
};

/** Connects the agents at a steady pace, then keeps them sending heartbeats, spread over the interval. */
const raise = async (order: SwarmOrder) => {
  const { port, secret, serverIds, heartbeatMs, connectionsPerSecond, playersOfEach } = order;
  const began = performance.now();
  const onClose = () => {
    lost += 1;
  };
  const players = Array.from({ length: playersOfEach }, (_, index) => {
    const handle = `7656119${String(index).padStart(10, '0')}`;
    return { name: `Player ${index}`, platformId: `steam:${handle}`, handle };
  });
  const connecting = serverIds.map(async (serverId, index) => {
    await delay(Math.max(0, began + (index * 1000) / connectionsPerSecond - performance.now()));
    const agent = createSwarmAgent({ serverId, secret, players, onClose });
    await connectPatiently(agent, port);
    agents.push(agent);
    void beat(agent, index, serverIds.length, heartbeatMs);
  });
  await Promise.all(connecting);
};

const news = (): SwarmNews => ({
  connected: agents.length,
  lost,
  acknowledged: agents.reduce((sum, agent) => sum + agent.acknowledged(), 0),
});

process.on('message', (message) => {
  const ready = message === 'news' ? Promise.resolve() : raise(message as SwarmOrder);
  ready.then(
    () => process.send?.(news()),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
