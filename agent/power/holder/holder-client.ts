import { connect, type Socket } from 'node:net';
import { sinceBootMs } from '../process/process-identity.ts';
import {
  fromHolder,
  type HolderStatus,
  holderAddress,
  type holderRequests,
  isProof,
  newNonce,
  proofOf,
  readMessages,
  sendMessage,
} from './holder-wire.ts';

/** A connection to the holder of a game. */
export interface HolderClient extends Disposable {
  status(): HolderStatus;
  readonly isOpen: boolean;
  /** Null when the holder has done it, else why not. */
  ask(request: (typeof holderRequests)[number], text: string, timeoutMs: number): Promise<string | null>;
}

/** Null when no holder answers, or none that knows the secret. */
export const connectHolder = (options: {
  readonly powerFolder: string;
  readonly secret: string;
  /** Called when the holder reports something new, or is gone. */
  readonly onChange: () => void;
  readonly timeoutMs: number;
}): Promise<HolderClient | null> => {
  const { powerFolder, secret, onChange, timeoutMs } = options;
  const waiting = new Map<number, (fault: string | null) => void>();
  const nonce = newNonce();
  let status: HolderStatus | null = null;
  let heardMs = 0;
  let isWelcome = false;
  let asked = 0;
  let socket: Socket;
  try {
    socket = connect(holderAddress(powerFolder, secret));
  } catch {
    return Promise.resolve(null);
  }
  socket.unref();

  const client: HolderClient = {
    status() {
      if (!status) throw new Error('no status yet');
      return { ...status, upMs: status.upMs + sinceBootMs() - heardMs };
    },
    get isOpen() {
      return !socket.destroyed;
    },
    ask(request, text, askMs) {
      asked += 1;
      const id = asked;
      return new Promise((resolve) => {
        const settle = (fault: string | null) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(fault);
        };
        const timer = setTimeout(settle, askMs, 'The holder of the game does not answer.');
        waiting.set(id, settle);
        if (socket.destroyed) settle('The holder of the game is gone.');
        else sendMessage(socket, { type: 'ask', id, request, text });
      });
    },
    [Symbol.dispose]() {
      socket.destroy();
    },
  };

  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(null);
      for (const settle of waiting.values()) settle('The holder of the game is gone.');
      onChange();
    });
    readMessages(socket, fromHolder, (message) => {
      if (message.type === 'challenge')
        sendMessage(socket, { type: 'hello', nonce, proof: proofOf('agent', secret, message.nonce) });
      else if (message.type === 'welcome') {
        isWelcome = isProof('holder', secret, nonce, message.proof);
        if (!isWelcome) socket.destroy();
      } else if (!isWelcome) socket.destroy();
      else if (message.type === 'done') waiting.get(message.id)?.(message.fault);
      else {
        const isFirst = status === null;
        status = message.status;
        heardMs = sinceBootMs();
        clearTimeout(timer);
        if (isFirst) resolve(client);
        else onChange();
      }
    });
  });
};
