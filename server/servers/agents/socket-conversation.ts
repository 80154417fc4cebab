import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { parseStorableJson } from '#contracts/kernel/storable-text.ts';
import {
  type AgentFrame,
  type ApiFrame,
  agentCloseCodes,
  agentFrame,
  agentProtocolVersion,
  type HelloFrame,
  helloFrame,
  isUnknownAgentFrame,
} from '#contracts/servers/agent-protocol.ts';
import { releaseShare } from '#runtime/http/connection-limits.ts';
import type { Log } from '#runtime/log.ts';
import { type Admit, type Admitted, isAdmitted, type RequestOrigin, refuseAgent } from './admission.ts';
import type { AgentLink, AgentRefused, AgentSession, LinkFacts } from './agent-session.ts';

/** Bytes. An agent for which more than this is waiting does not take what it is sent. */
const slowBytes = 2 * 1024 * 1024;
/** A close frame comes after everything that waits; an agent that does not take it in this time is cut off. */
const closeDeadlineMs = 3000;

const refusedFrame = ({ code, detail, retryAfterSeconds }: AgentRefused): ApiFrame => ({
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

/** The WebSocket of an agent that was admitted. A class, because there are thousands: closures would be created for each. */
class SocketLink implements AgentLink {
  readonly facts: LinkFacts;
  readonly connectedAt = new Date().toISOString();
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, facts: LinkFacts) {
    this.facts = facts;
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

/** What happens to agents that connect by WebSocket. */
export interface SocketHost {
  readonly admit: Admit;
  /** It has said who it is, truthfully or not. */
  greeted(socket: WebSocket): void;
  /** It was admitted. */
  arrive(admitted: Admitted, hello: HelloFrame, link: AgentLink): void;
  /** @param size in bytes */
  take(session: AgentSession, link: AgentLink, frame: Exclude<AgentFrame, HelloFrame>, size: number): void;
  /** It sent a frame that only a later API knows. */
  passOver(session: AgentSession, link: AgentLink): void;
  left(session: AgentSession, link: AgentLink): void;
  readonly now: () => number;
  readonly log: Log;
}

/** What is known about a connection until an agent is admitted over it. */
interface Opening {
  /** What the WebSocket runs over. */
  readonly raw: Duplex;
  readonly origin: RequestOrigin;
  readonly nonce: string;
  /** Frames that followed the hello before it was answered. */
  readonly early: { readonly said: unknown; readonly size: number }[];
}

const v = agentProtocolVersion;
/** Limit per window: an agent that sends more frames is none of ours. */
const mostFrames = 1000;
const windowMs = 10_000;
const mostEarly = 8;

/** The conversation over one WebSocket. A class, because there are thousands: closures would be created for each. */
export class SocketConversation {
  readonly #socket: WebSocket;
  readonly #host: SocketHost;
  #state: 'waiting' | 'proving' | 'in' | 'over' = 'waiting';
  #opening: Opening | null;
  #session: AgentSession | null = null;
  #link: AgentLink | null = null;
  #window = 0;
  #frames = 0;

  constructor(socket: WebSocket, raw: Duplex, origin: RequestOrigin, host: SocketHost) {
    this.#socket = socket;
    this.#host = host;
    // For this connection alone: nothing said on another one, or in a poll, matches it.
    const nonce = randomBytes(24).toString('base64url');
    this.#opening = { raw, origin, nonce, early: [] };
    const challenge: ApiFrame = { v, type: 'challenge', nonce };
    socket.send(JSON.stringify(challenge));
  }

  hear(data: RawData, isBinary: boolean) {
    if (this.#state === 'over') return;
    if (this.#isFlood()) return this.#cutOff('too many frames');
    const text = isBinary ? '' : String(data);
    const said = read(text);
    if (said === undefined) {
      this.#host.greeted(this.#socket);
      return this.#refuseFrame(refuseAgent('AGENT_FRAME_INVALID', 'A frame is one JSON text.'));
    }
    if (this.#state === 'in' || this.#state === 'waiting') this.#hearSaid(said, text.length);
    else if ((this.#opening?.early.push({ said, size: text.length }) ?? 0) > mostEarly)
      this.#cutOff('too many frames before the welcome');
  }

  /** An exception from a frame must end no more than its connection. */
  #hearSaid(said: unknown, size: number) {
    try {
      if (this.#state === 'in') this.#take(said, size);
      else this.#greet(said);
    } catch (error) {
      this.#host.log.error({ err: error }, 'could not read a Game Agent frame');
      this.#refuseFrame(refuseAgent('AGENT_FRAME_INVALID', faultIn(undefined)));
    }
  }

  /** The connection is closed. */
  end() {
    this.#state = 'over';
    if (this.#session && this.#link) this.#host.left(this.#session, this.#link);
  }

  #isFlood(): boolean {
    const window = Math.floor(this.#host.now() / windowMs);
    if (window !== this.#window) this.#frames = 0;
    this.#window = window;
    this.#frames += 1;
    return this.#frames > mostFrames;
  }

  #greet(said: unknown) {
    this.#host.greeted(this.#socket);
    if (typeof said !== 'object' || said === null)
      return this.#refuseFrame(refuseAgent('AGENT_FRAME_INVALID', 'A frame is one JSON object.'));
    if ((said as { v?: unknown }).v !== v) return this.#refuseFrame(refuseAgent('AGENT_VERSION_UNSUPPORTED'));
    const { data: hello, error } = helloFrame.safeParse(said);
    if (!hello) {
      const place = error.issues[0]?.path.join('.');
      return this.#refuseFrame(refuseAgent('AGENT_FRAME_INVALID', faultIn(place)));
    }
    this.#state = 'proving';
    this.#socket.pause();
    void this.#prove(hello);
  }

  async #prove(hello: HelloFrame) {
    const opening = this.#opening;
    if (!opening) return;
    const { origin, nonce, early } = opening;
    try {
      const isFresh = (shown: string) => shown === nonce;
      const outcome = await this.#host.admit(hello, {
        mode: 'websocket',
        origin,
        isFresh,
        use: () => true,
      });
      // Also for a refused one: its half of the closing has to be heard.
      this.#socket.resume();
      if (this.#socket.readyState !== this.#socket.OPEN) return;
      if (!isAdmitted(outcome)) return this.#refuse(agentCloseCodes.refused, outcome);
      this.#letIn(outcome, hello);
      for (const { said, size } of early) if (this.#state === 'in') this.#hearSaid(said, size);
    } catch (error) {
      this.#host.log.warn({ err: error }, 'could not admit a Game Agent; it will retry');
      this.#state = 'over';
      this.#socket.resume();
      closeSocket(this.#socket, agentCloseCodes.goingAway, 'try again');
    }
  }

  #letIn(admitted: Admitted, hello: HelloFrame) {
    const link = new SocketLink(this.#socket, admitted.facts);
    if (this.#opening) releaseShare(this.#opening.raw);
    this.#opening = null;
    this.#session = admitted.session;
    this.#link = link;
    this.#state = 'in';
    this.#host.arrive(admitted, hello, link);
  }

  #take(said: unknown, size: number) {
    const { data: frame, error } = agentFrame.safeParse(said);
    if (!frame && isUnknownAgentFrame(said)) {
      if (this.#session && this.#link) this.#host.passOver(this.#session, this.#link);
      return;
    }
    if (!frame || frame.type === 'hello') {
      const place = error?.issues[0]?.path.join('.');
      return this.#refuseFrame(refuseAgent('AGENT_FRAME_INVALID', faultIn(place)));
    }
    if (this.#session && this.#link) this.#host.take(this.#session, this.#link, frame, size);
  }

  #refuseFrame(refused: AgentRefused) {
    this.#refuse(agentCloseCodes.badFrame, refused);
  }

  #refuse(code: number, refused: AgentRefused) {
    this.#state = 'over';
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(JSON.stringify(refusedFrame(refused)));
    closeSocket(this.#socket, code, refused.code);
  }

  #cutOff(reason: string) {
    this.#state = 'over';
    closeSocket(this.#socket, agentCloseCodes.tooMany, reason);
  }
}

const faultIn = (place: string | undefined): string =>
  place
    ? `The frame is not of a documented shape; look at ${place}.`
    : 'The frame is not of a documented shape.';

const read = (text: string): unknown => {
  try {
    return parseStorableJson(text);
  } catch {
    // No JSON: refused like any other frame outside the protocol.
    return undefined;
  }
};
