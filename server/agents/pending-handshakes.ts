import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { agentCloseCodes } from '#contracts/agent-protocol.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import { closeSocket } from './socket-link.ts';

export interface HandshakeLimits {
  readonly all: number;
  /** Per address block: as many agents as may share one router or proxy and all connect at the same time. */
  readonly perBlock: number;
}

/** Each may cost some 20 KB. */
export const defaultHandshakeLimits: HandshakeLimits = { all: 5000, perBlock: 2000 };

/** A hello has about 700 bytes. */
const mostBytes = 8 * 1024;

/** Connections that have not said who they are. When there are too many, the oldest are ended: real agents are quick. */
export interface PendingHandshakes {
  /** @param raw what the WebSocket reads from: only this shows how much of a frame has arrived */
  enter(socket: WebSocket, raw: Duplex, address: string): void;
  /** It has said who it is, or is gone. */
  leave(socket: WebSocket): void;
  /** Ends those that have waited too long. */
  sweep(): void;
  readonly size: number;
}

interface PendingHandshake {
  readonly raw: Duplex;
  readonly block: string;
  readonly enteredMs: number;
  readonly countBytes: (chunk: Buffer) => void;
}

export const createPendingHandshakes = (
  patienceMs: number,
  limits: HandshakeLimits,
  now: () => number,
): PendingHandshakes => {
  /** The oldest comes first. */
  const pending = new Map<WebSocket, PendingHandshake>();
  const perBlock = new Map<string, number>();

  const leave = (socket: WebSocket) => {
    const handshake = pending.get(socket);
    if (!handshake) return;
    pending.delete(socket);
    handshake.raw.off('data', handshake.countBytes);
    const left = (perBlock.get(handshake.block) ?? 1) - 1;
    if (left === 0) perBlock.delete(handshake.block);
    else perBlock.set(handshake.block, left);
  };
  const drop = (handshake: WebSocket | undefined) => {
    if (!handshake) return;
    leave(handshake);
    handshake.terminate();
  };
  const oldestOf = (block: string) => {
    for (const [socket, handshake] of pending) if (handshake.block === block) return socket;
    return undefined;
  };

  return {
    enter(socket, raw, address) {
      const block = countedAddress(address);
      if ((perBlock.get(block) ?? 0) >= limits.perBlock) drop(oldestOf(block));
      if (pending.size >= limits.all) drop(pending.keys().next().value);
      let bytes = 0;
      const countBytes = (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > mostBytes && pending.has(socket)) drop(socket);
      };
      raw.on('data', countBytes);
      pending.set(socket, { raw, block, enteredMs: now(), countBytes });
      perBlock.set(block, (perBlock.get(block) ?? 0) + 1);
    },
    leave,
    sweep() {
      for (const [socket, { enteredMs }] of pending) {
        if (now() - enteredMs < patienceMs) return;
        leave(socket);
        closeSocket(socket, agentCloseCodes.timedOut, 'no hello in time');
      }
    },
    get size() {
      return pending.size;
    },
  };
};
