import { ticketsHttp } from '#contracts/identity/tickets.ts';
import {
  type ClientMessage,
  clientMessage,
  liveCloseCodes,
  livePath,
  serverMessage,
} from '#contracts/kernel/live.ts';
import { contractVersion } from '#contracts/kernel/product.ts';
import { callOnce } from './call.ts';
import { desktopBridge } from './desktop-bridge.ts';
import { createSubscriptions, type LiveSubscriptions } from './live-subscriptions.ts';
import { retryPauseMs } from './retry-pause.ts';

/**
 * - `connecting`: the first connection is being opened
 * - `live`: the page is current
 * - `away`: it was lost and is being retried
 */
export type LiveState = 'connecting' | 'live' | 'away';

export interface LiveClient extends Disposable {
  readonly subscribe: LiveSubscriptions['subscribe'];
  /** Retries immediately instead of after the next pause. */
  hurry(): void;
}

const pause = { firstMs: 500, mostMs: 10_000 };
/** The time limit for an answer: after sleep or a change of networks, no one reports that the connection is lost. */
const answerWithinMs = 10_000;

/** An immediate retry would end the same way. */
const isFault = (closeCode: number): boolean =>
  closeCode === liveCloseCodes.tooMany ||
  closeCode === liveCloseCodes.noRoom ||
  closeCode === liveCloseCodes.badMessage;

/** The single WebSocket of this page: it reconnects by itself, and every subscription continues where it was. */
export const openLiveClient = ({
  onState,
  onOtherVersion,
}: {
  /** @param isFull the API answers, but has no room for another connection of this person */
  readonly onState: (state: LiveState, isFull: boolean) => void;
  /** The API uses another version of the contract than this panel. */
  readonly onOtherVersion: () => void;
}): LiveClient => {
  let socket: WebSocket | null = null;
  let pauses = 0;
  let retry: number | undefined;
  let watchdog: number | undefined;
  let heartbeatMs = 30_000;
  /** Whether `hurry` was called since the current ticket was requested. */
  let isHurried = false;
  let isDisposed = false;

  const send = (message: ClientMessage) => {
    // An id from a mangled address belongs to nothing; the API would end the whole connection for it.
    if (!clientMessage.safeParse(message).success) return;
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const subscriptions = createSubscriptions(send);

  const expectWord = (watched: WebSocket, withinMs: number) => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => lose(watched), withinMs);
  };

  const receive = (from: WebSocket, text: unknown) => {
    // Late messages of an abandoned connection have been requested again.
    if (from !== socket) return;
    const parsed = serverMessage.safeParse(JSON.parse(String(text)));
    // Three missed heartbeats: the connection is dead, although no one has said so.
    expectWord(from, 3 * heartbeatMs);
    // A newer API may send more than this panel knows.
    if (!parsed.success) return;
    const message = parsed.data;
    if (message.type === 'heartbeat') return;
    if (message.type === 'welcome') {
      heartbeatMs = message.heartbeatSeconds * 1000;
      pauses = 0;
      if (message.contractVersion !== contractVersion) onOtherVersion();
      subscriptions.askAll();
      onState('live', false);
      return;
    }
    subscriptions.hear(message);
  };

  const lose = (lost: WebSocket, closeCode?: number) => {
    if (lost !== socket) return;
    socket = null;
    clearTimeout(watchdog);
    lost.close();
    onState('away', closeCode === liveCloseCodes.noRoom);
    const isAtFault = closeCode !== undefined && isFault(closeCode);
    retry = setTimeout(connect, isAtFault ? pause.mostMs : nextPauseMs());
  };
  const nextPauseMs = () => {
    pauses += 1;
    return retryPauseMs(pause, pauses);
  };

  const connect = async () => {
    clearTimeout(retry);
    retry = undefined;
    isHurried = false;
    const signal = AbortSignal.timeout(answerWithinMs);
    const { ticket } = await callOnce(ticketsHttp.issue, {}, { signal }).catch(() => ({ ticket: null }));
    // In between, another call has connected, or the connection is no longer wanted.
    if (isDisposed || socket) return;
    if (ticket === null) {
      onState('away', false);
      clearTimeout(retry);
      // If it was refused before someone signed in, it is requested again immediately.
      retry = setTimeout(connect, isHurried ? 0 : nextPauseMs());
      return;
    }
    const address = new URL(
      `${livePath}?ticket=${encodeURIComponent(ticket)}`,
      desktopBridge()?.liveOrigin ?? location.href.replace(/^http/, 'ws'),
    );
    const opened = new WebSocket(address);
    socket = opened;
    expectWord(opened, answerWithinMs);
    opened.addEventListener('message', ({ data }) => receive(opened, data));
    opened.addEventListener('close', ({ code }) => lose(opened, code));
  };

  onState('connecting', false);
  void connect();

  return {
    subscribe: subscriptions.subscribe,
    hurry() {
      if (socket) return;
      pauses = 0;
      if (retry === undefined) isHurried = true;
      else void connect();
    },
    [Symbol.dispose]() {
      isDisposed = true;
      clearTimeout(retry);
      clearTimeout(watchdog);
      const open = socket;
      socket = null;
      open?.close();
    },
  };
};
