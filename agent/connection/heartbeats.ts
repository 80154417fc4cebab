import {
  agentProtocolVersion,
  type HeartbeatFrame,
  largestAgentFrame,
} from '#contracts/servers/agent-protocol.ts';
import type { ListedPlayer } from '#games/game.ts';
import { cutText } from '../game/cut-text.ts';
import type { GameView } from '../game/game-view.ts';

interface Heartbeats {
  beat(): HeartbeatFrame;
  acknowledge(number: number): void;
}

const mostPlayers = 1000;
const listBytes = largestAgentFrame / 4;

/** Lists the players only when they differ from the last heartbeat that was acknowledged on this connection. */
export const createHeartbeats = (reading: GameView['reading']): Heartbeats => {
  /** The players of each heartbeat that is not acknowledged yet. */
  const unacknowledged = new Map<number, string>();
  let known: string | null = null;
  let number = 0;

  return {
    beat() {
      const { state, detail, players } = reading();
      const frame: HeartbeatFrame = {
        v: agentProtocolVersion,
        type: 'heartbeat',
        number,
        state,
        detail: detail && cutText(detail, 500),
      };
      number += 1;
      if (players === null) return frame;
      const listed = listedWithinLimit(players);
      const text = JSON.stringify(listed);
      // A list in flight counts too: the API may already have received it.
      const isKnown = text === known && [...unacknowledged.values()].every((other) => other === text);
      unacknowledged.set(frame.number, text);
      return isKnown ? frame : { ...frame, players: listed };
    },
    acknowledge(acknowledged) {
      known = unacknowledged.get(acknowledged) ?? known;
      for (const older of unacknowledged.keys()) if (older <= acknowledged) unacknowledged.delete(older);
    },
  };
};

/** As many as fit into a part of a frame: no game has so many, but the peer may not be a game. */
const listedWithinLimit = (players: readonly ListedPlayer[]): ListedPlayer[] => {
  const listed: ListedPlayer[] = [];
  let left = listBytes;
  for (const { name, platformId, handle } of players.slice(0, mostPlayers)) {
    const player = {
      name: cutText(name, 200),
      platformId: platformId && cutText(platformId, 100),
      handle: cutText(handle, 200),
    };
    left -= Buffer.byteLength(JSON.stringify(player)) + 1;
    if (left < 0) break;
    listed.push(player);
  }
  return listed;
};
