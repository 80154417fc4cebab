import {
  type ClientMessage,
  clientMessage,
  liveCloseCodes,
  livePath,
  serverMessage,
} from '#contracts/live.ts';
import { contractVersion } from '#contracts/product.ts';
import { ticketsHttp } from '#contracts/tickets.ts';
import { desktopBridge } from '../desktop/desktop-bridge.ts';
import { call } from './call.ts';
import { createSubscriptions, type LiveSubscriptions } from './live-subscriptions.ts';

/**
 * - `connecting`: the first connection is on its way
 * - `live`: what is shown is true
 * - `away`: it was lost and is tried again
 */
export type LiveState = 'connecting' | 'live' | 'away';

export interface LiveClientOptions {
  readonly onState: (state: LiveState) => void;
  /** The API speaks another version of the contract than this panel. */
  readonly onOtherVersion: () => void;
}

export interface LiveClient extends Disposable {
  readonly subscribe: LiveSubscriptions['subscribe'];
  /** Tries at once instead of after the next pause. */
  hurry(): void;
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;
/** Whoever has not answered by then is not waited for: after sleep or a change of networks, nobody says so. */
const answerWithinMs = 10_000;

/** Asked at once, it would end the same way. */
const isFault = (closeCode: number): boolean =>
  closeCode === liveCloseCodes.tooMany || closeCode === liveCloseCodes.badMessage;

/** The one WebSocket of this page: connects again by itself, and every subscription goes on where it was. */
export const openLiveClient = ({ onState, onOtherVersion }: LiveClientOptions): LiveClient => {
  let socket: WebSocket | null = null;
  let pauses = 0;
  let retry: number | undefined;
  let watchdog: number | undefined;
  let heartbeatMs = 30_000;
  /** Since the ticket on its way was asked for. */
  let isHurried = false;
  let isDisposed = false;

  const send = (message: ClientMessage) => {
    // An id from a mangled address is nobody's; the API would end the whole connection for it.
    if (!clientMessage.safeParse(message).success) return;
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const subscriptions = createSubscriptions(send);

  const expectWord = (watched: WebSocket, withinMs: number) => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => lose(watched), withinMs);
  };

  const receive = (from: WebSocket, text: unknown) => {
    // What an abandoned connection still says has been asked for anew.
    if (from !== socket) return;
    const parsed = serverMessage.safeParse(JSON.parse(String(text)));
    // Three missed heartbeats: the connection is dead, though nobody has said so.
    expectWord(from, 3 * heartbeatMs);
    // A newer API may say more than this panel knows.
    if (!parsed.success) return;
    const message = parsed.data;
    if (message.type === 'heartbeat') return;
    if (message.type === 'welcome') {
      heartbeatMs = message.heartbeatSeconds * 1000;
      pauses = 0;
      if (message.contractVersion !== contractVersion) onOtherVersion();
      subscriptions.askAll();
      onState('live');
      return;
    }
    subscriptions.hear(message);
  };

  const lose = (lost: WebSocket, isAtFault = false) => {
    if (lost !== socket) return;
    socket = null;
    clearTimeout(watchdog);
    lost.close();
    onState('away');
    retry = setTimeout(connect, isAtFault ? longestPauseMs : nextPauseMs());
  };
  const nextPauseMs = () => {
    pauses += 1;
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (pauses - 1)) * (0.5 + Math.random() / 2);
  };

  const connect = async () => {
    clearTimeout(retry);
    retry = undefined;
    isHurried = false;
    const signal = AbortSignal.timeout(answerWithinMs);
    const { ticket } = await call(ticketsHttp.issue, {}, { signal }).catch(() => ({ ticket: null }));
    // Meanwhile somebody else has connected, or nobody wants it any more.
    if (isDisposed || socket) return;
    if (ticket === null) {
      onState('away');
      clearTimeout(retry);
      // Refused before somebody signed in, it is asked for anew at once.
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
    opened.addEventListener('close', ({ code }) => lose(opened, isFault(code)));
  };

  onState('connecting');
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
