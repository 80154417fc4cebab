import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { agentCloseCodes } from '#contracts/agent-protocol.ts';
import { addressBlock } from '../sessions/address-block.ts';
import { closeSocket } from './socket-link.ts';

export interface RoomLimits {
  readonly all: number;
  /** Of one address block: as many agents as may stand behind one router or proxy and all come at once. */
  readonly perBlock: number;
}

/** Each may cost some 20 KB. */
export const usualRoomLimits: RoomLimits = { all: 5000, perBlock: 2000 };

/** A hello has about 700. */
const mostBytes = 8 * 1024;

/** Connections that have not said who they are. When there are too many the oldest have to go: agents are quick. */
export interface WaitingRoom {
  /** @param raw what the WebSocket reads from: only there can be seen how much of a frame has come */
  enter(socket: WebSocket, raw: Duplex, address: string): void;
  /** It has said who it is, or is gone. */
  leave(socket: WebSocket): void;
  /** Ends those that have waited too long. */
  sweep(): void;
  readonly size: number;
}

interface Guest {
  readonly raw: Duplex;
  readonly block: string;
  readonly enteredMs: number;
  readonly countBytes: (chunk: Buffer) => void;
}

export const createWaitingRoom = (patienceMs: number, limits: RoomLimits, now: () => number): WaitingRoom => {
  /** The oldest stands first. */
  const guests = new Map<WebSocket, Guest>();
  const perBlock = new Map<string, number>();

  const leave = (socket: WebSocket) => {
    const guest = guests.get(socket);
    if (!guest) return;
    guests.delete(socket);
    guest.raw.off('data', guest.countBytes);
    const left = (perBlock.get(guest.block) ?? 1) - 1;
    if (left === 0) perBlock.delete(guest.block);
    else perBlock.set(guest.block, left);
  };
  const throwOut = (guest: WebSocket | undefined) => {
    if (!guest) return;
    leave(guest);
    guest.terminate();
  };
  const oldestOf = (block: string) => {
    for (const [socket, guest] of guests) if (guest.block === block) return socket;
    return undefined;
  };

  return {
    enter(socket, raw, address) {
      const block = addressBlock(address);
      if ((perBlock.get(block) ?? 0) >= limits.perBlock) throwOut(oldestOf(block));
      if (guests.size >= limits.all) throwOut(guests.keys().next().value);
      let bytes = 0;
      const countBytes = (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > mostBytes && guests.has(socket)) throwOut(socket);
      };
      raw.on('data', countBytes);
      guests.set(socket, { raw, block, enteredMs: now(), countBytes });
      perBlock.set(block, (perBlock.get(block) ?? 0) + 1);
    },
    leave,
    sweep() {
      for (const [socket, { enteredMs }] of guests) {
        if (now() - enteredMs < patienceMs) return;
        leave(socket);
        closeSocket(socket, agentCloseCodes.timedOut, 'no hello in time');
      }
    },
    get size() {
      return guests.size;
    },
  };
};
