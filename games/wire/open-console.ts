import { randomUUID } from 'node:crypto';
import { connect as connectSocket, type Socket } from 'node:net';
import type {
  Connect,
  ConnectFailure,
  ConnectOptions,
  ConsoleTarget,
  GameConnection,
} from '../connection.ts';
import { createCommandQueue, type LossOutcome, longestTimerMs, unsent } from './command-queue.ts';
import { addressOf, failureOf } from './connect-failure.ts';
import type { Reply } from './reply.ts';

/** What a protocol has of its connection. After the end everything here does nothing. */
export interface Wire {
  isOpen(): boolean;
  /** Each call is one segment, as long as the one before was answered. */
  write(bytes: string | Uint8Array): void;
  /** The login succeeded. */
  ready(): void;
  /** The login did not succeed; ends the connection. */
  refuse(outcome: ConnectFailure['outcome'], detail: string): void;
  /** The reply to the command in flight. */
  answer(reply: Reply): void;
  /** Ends the connection; with a reply the command in flight counts as answered. */
  end(outcome: LossOutcome, why: string, reply?: Reply): void;
}

/** One side of a protocol: reacts, and never throws whatever comes. */
export interface Dialogue {
  /** The connection stands; nothing has been said. */
  begin?(): void;
  receive(bytes: Buffer): void;
  /** What it means that the game closed the connection during the login. */
  closedAtLogin(): ConnectFailure;
  /** The next command's turn has come. */
  send(command: string): void;
  /** The game closed the connection while it took commands. */
  closed?(): void;
  /** What has come of the reply in flight; null when that is nothing. */
  unfinished?(): Reply | null;
  /** The line of the game's log that says that the command in flight was executed; null when it did not come. */
  executionLine?(): string | null;
  /** The connection has ended: lets go of timers. */
  stop?(): void;
}

export interface Protocol {
  /** Bytes of UTF-8. */
  readonly longestCommandBytes: number;
  open(wire: Wire): Dialogue;
}

/** Each address of a name gets this long before the next one is tried. */
const addressAttemptMs = 1000;
const keepAliveDelayMs = 30_000;
/** A line break or another control character would make a second command of it, or end it early. */
const controlCharacter = /\p{Cc}/u;

/** Connects and logs in. Never rejects. */
export const openConsole = (
  target: ConsoleTarget,
  options: ConnectOptions,
  { longestCommandBytes, open }: Protocol,
): ReturnType<Connect> =>
  new Promise((resolve) => {
    let phase: 'connecting' | 'login' | 'ready' | 'ended' = 'connecting';
    const ended = Promise.withResolvers<string>();
    const obstacle = obstacleOf(target, options, longestCommandBytes);
    if (obstacle) return resolve({ failure: obstacle });

    const end = (failure: ConnectFailure, reply?: Reply) => {
      if (phase === 'ended') return;
      const last = reply ?? dialogue.unfinished?.() ?? undefined;
      const logLine = dialogue.executionLine?.() ?? null;
      phase = 'ended';
      clearTimeout(deadline);
      options.signal?.removeEventListener('abort', cancel);
      dialogue.stop?.();
      socket?.destroy();
      resolve({ failure });
      // First, so that whoever gets a command back knows already that this connection is no more.
      ended.resolve(failure.detail);
      queue.end(failure.outcome === 'wrong protocol' ? 'wrong protocol' : 'connection lost', last, logLine);
    };
    const cancel = () => end({ outcome: 'cancelled', detail: 'Connecting was cancelled.' });
    const queue = createCommandQueue({
      send: (command) => dialogue.send(command),
      unfinished: () => dialogue.unfinished?.() ?? null,
      executionLine: () => dialogue.executionLine?.() ?? null,
      abandon: (why) => end({ outcome: 'connection lost', detail: why }),
    });
    const connection: GameConnection = {
      name: randomUUID(),
      run: async (command, runOptions) =>
        isSendable(command, longestCommandBytes) ? queue.run(command, runOptions) : unsent('invalid command'),
      ended: ended.promise,
      [Symbol.dispose]: () => end({ outcome: 'connection lost', detail: 'The connection was closed here.' }),
    };
    const dialogue = open({
      isOpen: () => phase !== 'ended',
      write: (bytes) => void (phase !== 'ended' && socket?.write(bytes)),
      ready() {
        if (phase !== 'login') return;
        phase = 'ready';
        clearTimeout(deadline);
        options.signal?.removeEventListener('abort', cancel);
        resolve({ connection });
      },
      refuse: (outcome, detail) => end({ outcome, detail }),
      answer: (reply) => phase === 'ready' && queue.answer(reply),
      end: (outcome, why, reply) => end({ outcome, detail: why }, reply),
    });

    options.signal?.addEventListener('abort', cancel, { once: true });
    const deadline = setTimeout(
      () => {
        const what = phase === 'login' ? 'takes connections but did not answer the login' : 'did not answer';
        end({ outcome: 'timeout', detail: `${addressOf(target)} ${what} in time.` });
      },
      Math.min(options.connectTimeoutMs, longestTimerMs),
    );
    const { socket, error } = tryToConnect(target);
    if (error !== undefined) return end(failureOf(error, target));
    socket?.on('connect', () => {
      phase = 'login';
      dialogue.begin?.();
    });
    socket?.on('data', (bytes) => {
      if (phase !== 'ended') dialogue.receive(bytes);
    });
    socket?.on('end', () => {
      const detail = `${addressOf(target)} closed the connection.`;
      if (phase === 'ready') dialogue.closed?.();
      end(phase === 'login' ? dialogue.closedAtLogin() : { outcome: 'connection lost', detail });
    });
    socket?.on('error', (error) => {
      if (phase === 'ready') dialogue.closed?.();
      end(failureOf(error, target));
    });
    socket?.on('close', () => end({ outcome: 'connection lost', detail: 'The connection ended.' }));
  });

/** What is no port or no name fails here and not as an event. */
const tryToConnect = ({ host, port }: ConsoleTarget): { socket?: Socket; error?: unknown } => {
  try {
    const socket = connectSocket({
      host,
      port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveDelayMs,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: addressAttemptMs,
    });
    return { socket };
  } catch (error) {
    return { error };
  }
};

const obstacleOf = (
  { host, password }: ConsoleTarget,
  { signal }: ConnectOptions,
  longestBytes: number,
): ConnectFailure | null => {
  if (signal?.aborted) return { outcome: 'cancelled', detail: 'Connecting was cancelled.' };
  // An empty name would mean this machine.
  if (host.trim() === '') return { outcome: 'name not found', detail: 'The name of the server is empty.' };
  if (isOneLine(password.reveal(), longestBytes)) return null;
  const detail = 'The password has a line break or another character that cannot be sent, or is too long.';
  return { outcome: 'authentication failed', detail };
};

const isOneLine = (text: string, longestBytes: number): boolean =>
  !controlCharacter.test(text) && Buffer.byteLength(text) <= longestBytes;

const isSendable = (command: string, longestBytes: number): boolean =>
  command.trim() !== '' && isOneLine(command, longestBytes);
