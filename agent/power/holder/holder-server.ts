import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { HeldGame } from './holder.ts';
import {
  holderAddress,
  isProof,
  newNonce,
  proofOf,
  readMessages,
  sendMessage,
  type ToHolder,
  toHolder,
} from './holder-wire.ts';

/** A client that has not proven itself in this time is cut off. */
const provesWithinMs = 5000;

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, exclusive: true }, resolve);
  });

interface HolderServer {
  /** Tells all agents the game's state. */
  announce(game: HeldGame): void;
  /** Sends pending messages first. */
  close(): Promise<void>;
}

/**
 * Answers agents; the caller holds the lock. It listens before the game exists, so that no agent takes the holder of a new game
 * for one that is gone.
 */
export const serveHolder = async (
  powerFolder: string,
  secret: string,
  started: Promise<HeldGame>,
): Promise<HolderServer> => {
  const proven = new Set<Socket>();
  const path = holderAddress(powerFolder, secret);
  const obey = async ({ request, text }: Extract<ToHolder, { type: 'ask' }>): Promise<string | null> => {
    const game = await started;
    if (request === 'write') return game.write(text) ? null : "The game's console takes no more input.";
    await (request === 'kill' ? game.kill() : game.terminate());
    return null;
  };
  const welcome = async (socket: Socket, nonce: string) => {
    const game = await started;
    proven.add(socket);
    sendMessage(socket, { type: 'welcome', proof: proofOf('holder', secret, nonce) });
    sendMessage(socket, { type: 'status', status: game.status() });
  };
  const serve = (socket: Socket) => {
    const nonce = newNonce();
    let isKnown = false;
    const timer = setTimeout(() => socket.destroy(), provesWithinMs).unref();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      proven.delete(socket);
    });
    readMessages(socket, toHolder, (message) => {
      if (message.type === 'hello') {
        if (isKnown || !isProof('agent', secret, nonce, message.proof)) {
          socket.destroy();
          return;
        }
        clearTimeout(timer);
        isKnown = true;
        void welcome(socket, message.nonce).catch(() => socket.destroy());
      } else if (!isKnown) socket.destroy();
      else
        void obey(message).then(
          (fault) => sendMessage(socket, { type: 'done', id: message.id, fault }),
          (error: Error) => sendMessage(socket, { type: 'done', id: message.id, fault: error.message }),
        );
    });
    sendMessage(socket, { type: 'challenge', nonce });
  };
  const server = createServer(serve);
  if (process.platform !== 'win32') {
    // Left by a killed holder; the lock proves that it is gone.
    rmSync(path, { force: true });
    const before = process.umask(0o177);
    const listening = listen(server, path);
    process.umask(before);
    await listening;
    chmodSync(path, 0o600);
  } else await listen(server, path);
  return {
    announce(game) {
      for (const socket of proven) sendMessage(socket, { type: 'status', status: game.status() });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Clients that do not hang up must not keep the holder alive.
        for (const socket of proven) socket.end(() => socket.destroy());
        setTimeout(resolve, 500).unref();
      }),
  };
};
