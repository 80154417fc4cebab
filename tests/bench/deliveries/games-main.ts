import { agentTiming } from '#contracts/servers/agent-protocol.ts';
import { createRecordingGame } from '../../../server/store/deliveries/testing/recording-game.ts';
import { createSwarmAgent } from '../agents/swarm-agent.ts';
import { type GamesOrder, playersOn } from './game-players.ts';

/** Connects an agent for each server, with a game that records gifts and answers immediately. */
const raise = async ({ port, secret, serverIds, playersOfEach }: GamesOrder) => {
  for (const serverId of serverIds) {
    const game = createRecordingGame();
    const players = playersOn(serverId, playersOfEach);
    for (const { name, handle } of players) game.there.set(handle, name);
    const agent = createSwarmAgent({
      serverId,
      secret,
      players,
      obey: game.run,
      onClose: () => process.exit(1),
    });
    await agent.connect(port);
    setInterval(agent.heartbeat, agentTiming.websocketHeartbeatSeconds * 1000);
  }
};

process.on('message', (order: GamesOrder) => {
  raise(order).then(
    () => process.send?.('ready'),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
