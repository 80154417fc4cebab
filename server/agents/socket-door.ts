import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import {
  type AgentFrame,
  agentCloseCodes,
  agentFrame,
  agentProtocolVersion,
  type HelloFrame,
  helloFrame,
  largestAgentFrame,
} from '#contracts/agent-protocol.ts';
import type { Log } from '#runtime/log.ts';
import { type Admit, type Admitted, isAdmitted } from './admission.ts';
import type { AgentLink, AgentRefused } from './agent-link.ts';
import { refuseAgent } from './agent-refusals.ts';
import type { RequestOrigin } from './request-origin.ts';
import { closeSocket, createSocketLink, refusedFrame } from './socket-link.ts';
import { parseSoundJson } from './sound-text.ts';
import { createWaitingRoom, type RoomLimits } from './waiting-room.ts';

/** What somebody does with an agent that has come in. */
export interface Arrival {
  readonly link: AgentLink;
  /** @param size in bytes */
  take(frame: Exclude<AgentFrame, HelloFrame>, size: number): void;
  left(): void;
}

export interface SocketDoorOptions {
  readonly admit: Admit;
  readonly arrive: (admitted: Admitted, hello: HelloFrame, link: AgentLink) => Arrival;
  /** How long a connection may take to say who it is. */
  readonly helloMs: number;
  readonly roomLimits: RoomLimits;
  readonly now: () => number;
  readonly log: Log;
}

export interface SocketDoor {
  open(request: IncomingMessage, socket: Duplex, head: Buffer, origin: RequestOrigin): void;
  sweep(): void;
  closeAll(code: number, reason: string): void;
  /** Connections, with those that have not said who they are. */
  readonly size: number;
  readonly emptied: Promise<void>;
}

const v = agentProtocolVersion;
/** Frames of one agent: more than this in one window is no agent of ours. */
const mostFrames = 1000;
const windowMs = 10_000;
/** Frames that came behind a hello before it was answered. */
const mostEarly = 8;

/** Where agents come in by WebSocket. No timer is kept for a connection. */
export const createSocketDoor = (options: SocketDoorOptions): SocketDoor => {
  const { admit, arrive, helloMs, now, log } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestAgentFrame,
    // Compression costs more memory per connection than all the rest of it.
    perMessageDeflate: false,
  });
  const sockets = new Set<WebSocket>();
  const room = createWaitingRoom(helloMs, options.roomLimits, now);
  let whenEmpty: (() => void) | null = null;

  const refuse = (socket: WebSocket, code: number, refused: AgentRefused) => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(JSON.stringify(refusedFrame(refused)));
    closeSocket(socket, code, refused.code);
  };

  const begin = (socket: WebSocket, raw: Duplex, origin: RequestOrigin) => {
    // Of this connection alone: nothing said to another, or in a poll, fits.
    const nonce = randomBytes(24).toString('base64url');
    const source = {
      mode: 'websocket' as const,
      origin,
      isFresh: (shown: string) => shown === nonce,
      use: () => true,
    };
    let state: 'waiting' | 'proving' | 'in' | 'over' = 'waiting';
    const early: { said: unknown; size: number }[] = [];
    let arrival: Arrival | null = null;
    let windowBeganMs = now();
    let frames = 0;

    const isFlood = () => {
      if (now() - windowBeganMs > windowMs) {
        windowBeganMs = now();
        frames = 0;
      }
      frames += 1;
      return frames > mostFrames;
    };
    const refuseFrame = (refused: AgentRefused) => {
      state = 'over';
      refuse(socket, agentCloseCodes.badFrame, refused);
    };
    const take = (said: unknown, size: number) => {
      const { data: frame, error } = agentFrame.safeParse(said);
      if (frame && frame.type !== 'hello') return arrival?.take(frame, size);
      const place = error?.issues[0]?.path.join('.');
      refuseFrame(refuseAgent('AGENT_FRAME_INVALID', faultIn(place)));
    };
    const prove = async (hello: HelloFrame) => {
      try {
        const outcome = await admit(hello, source);
        // Also one that is refused: its half of the closing has to be heard.
        socket.resume();
        if (socket.readyState !== socket.OPEN) return;
        if (!isAdmitted(outcome)) {
          state = 'over';
          return refuse(socket, agentCloseCodes.refused, outcome);
        }
        arrival = arrive(outcome, hello, createSocketLink(socket, outcome.facts));
        state = 'in';
        for (const { said, size } of early.splice(0)) if (state === 'in') take(said, size);
      } catch (error) {
        log.warn({ err: error }, 'a Game Agent could not be let in; it will try again');
        state = 'over';
        socket.resume();
        closeSocket(socket, agentCloseCodes.goingAway, 'try again');
      }
    };
    const greet = (said: unknown) => {
      room.leave(socket);
      if ((said as { v?: unknown } | null)?.v !== v)
        return refuseFrame(refuseAgent('AGENT_VERSION_UNSUPPORTED'));
      const { data: hello, error } = helloFrame.safeParse(said);
      if (!hello) {
        const place = error.issues[0]?.path.join('.');
        return refuseFrame(refuseAgent('AGENT_FRAME_INVALID', faultIn(place)));
      }
      state = 'proving';
      socket.pause();
      void prove(hello);
    };

    socket.on('message', (data: RawData, isBinary: boolean) => {
      if (state === 'over') return;
      if (isFlood()) {
        state = 'over';
        return closeSocket(socket, agentCloseCodes.tooMany, 'too many frames');
      }
      const text = isBinary ? '' : String(data);
      const said = read(text);
      if (said === undefined) {
        room.leave(socket);
        return refuseFrame(refuseAgent('AGENT_FRAME_INVALID', 'A frame is one JSON text.'));
      }
      if (state === 'in') take(said, text.length);
      else if (state === 'waiting') greet(said);
      else if (early.push({ said, size: text.length }) > mostEarly) {
        state = 'over';
        closeSocket(socket, agentCloseCodes.tooMany, 'too many frames before the welcome');
      }
    });
    socket.on('error', (error) => log.debug({ err: error }, 'the connection of a Game Agent broke'));
    socket.on('close', () => {
      state = 'over';
      room.leave(socket);
      sockets.delete(socket);
      arrival?.left();
      if (sockets.size === 0) whenEmpty?.();
    });
    sockets.add(socket);
    room.enter(socket, raw, origin.address);
    socket.send(JSON.stringify({ v, type: 'challenge', nonce }));
  };

  return {
    open(request, socket, head, origin) {
      server.handleUpgrade(request, socket, head, (opened) => begin(opened, socket, origin));
    },
    sweep: room.sweep,
    closeAll(code, reason) {
      for (const socket of sockets) {
        room.leave(socket);
        closeSocket(socket, code, reason);
      }
    },
    get size() {
      return sockets.size;
    },
    get emptied() {
      return new Promise<void>((resolve) => {
        whenEmpty = resolve;
        if (sockets.size === 0) resolve();
      });
    },
  };
};

const faultIn = (place: string | undefined): string =>
  place
    ? `The frame is not of a documented shape; look at ${place}.`
    : 'The frame is not of a documented shape.';

const read = (text: string): unknown => {
  try {
    return parseSoundJson(text);
  } catch {
    // No JSON: refused like any other frame that is not of the protocol.
    return undefined;
  }
};
