import type { Socket } from 'node:net';
import { type RawPeer, startRawPeer } from '../../wire/testing/raw-peer.ts';

/** Written independently of the client's own codec, so that a fault there is not mirrored here. */
export const rconFrame = (id: number, type: number, body: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(body as Uint8Array);
  const head = new DataView(new ArrayBuffer(12));
  head.setInt32(0, bytes.length + 10, true);
  head.setInt32(4, id, true);
  head.setInt32(8, type, true);
  return Buffer.concat([new Uint8Array(head.buffer), bytes, new Uint8Array(2)]);
};

export interface RconRequest {
  readonly id: number;
  readonly type: number;
  readonly body: string;
  readonly socket: Socket;
  /** Answers with the request's id. */
  reply(...bodies: (string | Uint8Array)[]): void;
}

export interface RconPeerOptions {
  readonly password?: string;
  /** Answers a request of any type but the login. */
  onRequest?(request: RconRequest): void;
  /** Replaces the usual answer. */
  onLogin?(request: RconRequest): void;
}

export interface RconPeer extends RawPeer {
  readonly commands: string[];
  /** Faults for which a server that reads once per frame, like Minecraft, would have dropped the session. */
  readonly faults: string[];
}

/** A game that reads one frame per segment; the test decides what it answers. */
export const startRconPeer = async (options: RconPeerOptions = {}): Promise<RconPeer> => {
  const { password = 'correct horse' } = options;
  const commands: string[] = [];
  const faults: string[] = [];
  const peer = await startRawPeer((socket) => {
    let isLoggedIn = false;
    socket.on('data', (segment) => {
      const size = segment.readInt32LE(0);
      if (size !== segment.length - 4) faults.push(`${segment.length} bytes read, ${size + 4} announced`);
      const id = segment.readInt32LE(4);
      const type = segment.readInt32LE(8);
      const body = segment.toString('utf8', 12, segment.length - 2);
      const reply = (...bodies: (string | Uint8Array)[]) => {
        for (const each of bodies) socket.write(rconFrame(id, 0, each));
      };
      const request: RconRequest = { id, type, body, socket, reply };
      if (type === 3) {
        isLoggedIn = body === password;
        if (options.onLogin) options.onLogin(request);
        else socket.write(rconFrame(isLoggedIn ? id : -1, 2, ''));
        return;
      }
      if (!isLoggedIn) return void socket.write(rconFrame(-1, 2, ''));
      if (type === 2) commands.push(body);
      if (options.onRequest) options.onRequest(request);
      else if (type === 2) reply(`did ${body}`);
      else reply(`Unknown request ${type.toString(16)}`);
    });
  });
  return Object.assign(peer, { commands, faults });
};
