import { randomUUID } from 'node:crypto';
import { connect as connectSocket, type Socket } from 'node:net';
import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { withoutReply } from '#contracts/servers/games.ts';
import type {
  Connect,
  ConnectFailure,
  ConnectOptions,
  ConsoleTarget,
  GameConnection,
} from '../connection.ts';
import { createCommandQueue, type LossOutcome, longestTimerMs } from './command-queue.ts';
import { addressOf, failureOf } from './connect-failure.ts';
import type { Reply } from './reply.ts';
import { isSendable, obstacleOf } from './sendable.ts';

/** A protocol's view of its connection. After the end, every method does nothing. */
export interface Wire {
  isOpen(): boolean;
  /** Each call is one segment, as long as the previous one was answered. */
  write(bytes: string | Uint8Array): void;
  /** The login succeeded. */
  ready(): void;
  /** The login failed; ends the connection. */
  refuse(outcome: ConnectFailure['outcome'], detail: string): void;
  /** The reply to the command in flight. */
  answer(reply: Reply): void;
  /** Ends the connection; with a reply the command in flight counts as answered. */
  end(outcome: LossOutcome, why: string, reply?: Reply): void;
}

/** One side of a protocol: reacts, and never throws, whatever arrives. */
export interface Dialogue {
  /** The connection is open; nothing has been sent. */
  begin?(): void;
  receive(bytes: Buffer): void;
  /** What it means that the game closed the connection during the login. */
  closedAtLogin(): ConnectFailure;
  /** What it means that the login took too long; null: nothing more than that. */
  lateAtLogin?(): ConnectFailure | null;
  /** The next command's turn has come. */
  send(command: string): void;
  /** The game closed the connection while it took commands. */
  closed?(): void;
  /** The reply in flight so far; null when there is none. */
  unfinished?(): Reply | null;
  /** The log line that proves that the command in flight was executed; null when it did not arrive. */
  executionLine?(): string | null;
  /** The connection has ended: releases timers. */
  stop?(): void;
}

/** Each address of a name gets this long before the next one is tried. */
const addressAttemptMs = 1000;
const keepAliveDelayMs = 30_000;

/** Connects and logs in. Never rejects. */
export const openConsole = (
  target: ConsoleTarget,
  options: ConnectOptions,
  {
    longestCommandBytes,
    open,
  }: {
    /** Bytes of UTF-8. */
    readonly longestCommandBytes: number;
    open(wire: Wire): Dialogue;
  },
): ReturnType<Connect> =>
  new Promise((resolve) => {
    let phase: 'connecting' | 'login' | 'ready' | 'ended' = 'connecting';
    const ended = Promise.withResolvers<string>();
    const obstacle = obstacleOf(target, options, longestCommandBytes);
    if (obstacle) return resolve({ failure: obstacle });

    const end = (failure: ConnectFailure, reply?: Reply) => {
      if (phase === 'ended') return;
      const last = {
        reply: reply ?? dialogue.unfinished?.() ?? null,
        logLine: dialogue.executionLine?.() ?? null,
      };
      phase = 'ended';
      clearTimeout(deadline);
      options.signal?.removeEventListener('abort', cancel);
      dialogue.stop?.();
      socket?.destroy();
      resolve({ failure });
      // First, so that a caller whose command settles already sees this connection as ended.
      ended.resolve(failure.detail);
      queue.end(failure.outcome === 'wrong protocol' ? 'wrong protocol' : 'connection lost', last);
    };
    const cancel = () => end({ outcome: 'cancelled', detail: consoleReasons['console-cancelled'] });
    const queue = createCommandQueue({
      send: (command) => dialogue.send(command),
      unfinished: () => dialogue.unfinished?.() ?? null,
      executionLine: () => dialogue.executionLine?.() ?? null,
      abandon: (why) => end({ outcome: 'connection lost', detail: why }),
    });
    const connection: GameConnection = {
      name: randomUUID(),
      run: async (command, runOptions) =>
        isSendable(command, longestCommandBytes)
          ? queue.run(command, runOptions)
          : withoutReply('invalid command'),
      ended: ended.promise,
      [Symbol.dispose]: () =>
        end({ outcome: 'connection lost', detail: consoleReasons['console-closed-here'] }),
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
        const sentence = consoleReasons[phase === 'login' ? 'console-login-timeout' : 'console-timeout'];
        const late = phase === 'login' ? (dialogue.lateAtLogin?.() ?? null) : null;
        end(late ?? { outcome: 'timeout', detail: sentence(addressOf(target)) });
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
      const detail = consoleReasons['console-closed'](addressOf(target));
      if (phase === 'ready') dialogue.closed?.();
      end(phase === 'login' ? dialogue.closedAtLogin() : { outcome: 'connection lost', detail });
    });
    socket?.on('error', (error) => {
      if (phase === 'ready') dialogue.closed?.();
      end(failureOf(error, target));
    });
    socket?.on('close', () => end({ outcome: 'connection lost', detail: consoleReasons['console-ended'] }));
  });

/** An invalid port or name fails here and not as an event. */
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
