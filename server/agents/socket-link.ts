import type { WebSocket } from 'ws';
import { type ApiFrame, agentCloseCodes, agentProtocolVersion } from '#contracts/agent-protocol.ts';
import type { AgentLink, AgentMode, AgentRefused, LinkFacts } from './agent-link.ts';

/** Bytes. An agent for which more than this is waiting does not take what it is sent. */
const slowBytes = 2 * 1024 * 1024;
/** A close frame comes after everything that waits; an agent that does not take it in this time is cut off. */
const closeDeadlineMs = 3000;

export const refusedFrame = ({ code, detail, retryAfterSeconds }: AgentRefused): ApiFrame => ({
  v: agentProtocolVersion,
  type: 'refused',
  code,
  detail,
  retryAfterSeconds,
});

/** Closes a WebSocket in the time that it has left. */
export const closeSocket = (socket: WebSocket, code: number, reason: string): void => {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), closeDeadlineMs).unref();
};

/** The WebSocket of an agent that was let in. A class, because there are thousands: closures would be created for each. */
export class SocketLink implements AgentLink {
  readonly mode: AgentMode;
  readonly address: string;
  readonly isEncrypted: boolean;
  readonly version: string;
  readonly journal: string;
  readonly clockSkew: number;
  readonly connectedAt = new Date().toISOString();
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, facts: LinkFacts) {
    this.mode = facts.mode;
    this.address = facts.address;
    this.isEncrypted = facts.isEncrypted;
    this.version = facts.version;
    this.journal = facts.journal;
    this.clockSkew = facts.clockSkew;
    this.#socket = socket;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get isReady(): boolean {
    return this.isOpen;
  }

  send(frame: ApiFrame): void {
    if (!this.isOpen) return;
    this.#socket.send(JSON.stringify(frame));
    if (this.#socket.bufferedAmount > slowBytes) this.end(agentCloseCodes.tooSlow, 'too slow');
  }

  end(code: number, reason: string, refused?: AgentRefused): void {
    if (!this.isOpen) return;
    if (refused) this.#socket.send(JSON.stringify(refusedFrame(refused)));
    closeSocket(this.#socket, code, reason);
  }
}
