import type { WebSocket } from 'ws';
import { type ApiFrame, agentCloseCodes, agentProtocolVersion } from '#contracts/agent-protocol.ts';
import type { AgentLink, AgentRefused, LinkFacts } from './agent-link.ts';

/** An agent that has more than this waiting does not take what it is sent. Bytes. */
const slowBytes = 2 * 1024 * 1024;
/** A close frame stands behind all that waits; whoever does not take it by then is cut off. */
const closeDeadlineMs = 3000;

export const refusedFrame = ({ code, detail, retryAfterSeconds }: AgentRefused): ApiFrame => ({
  v: agentProtocolVersion,
  type: 'refused',
  code,
  detail,
  retryAfterSeconds,
});

/** Closes a WebSocket in the time that is left to it. */
export const closeSocket = (socket: WebSocket, code: number, reason: string): void => {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), closeDeadlineMs).unref();
};

/** The WebSocket of an agent that was let in. */
export const createSocketLink = (socket: WebSocket, facts: LinkFacts): AgentLink => {
  const isOpen = () => socket.readyState === socket.OPEN;
  const end = (code: number, reason: string, refused?: AgentRefused) => {
    if (!isOpen()) return;
    if (refused) socket.send(JSON.stringify(refusedFrame(refused)));
    closeSocket(socket, code, reason);
  };
  return {
    ...facts,
    connectedAt: new Date(),
    get isReady() {
      return isOpen();
    },
    get isOpen() {
      return isOpen();
    },
    send(frame) {
      if (!isOpen()) return;
      socket.send(JSON.stringify(frame));
      if (socket.bufferedAmount > slowBytes) end(agentCloseCodes.tooSlow, 'too slow');
    },
    end,
  };
};
