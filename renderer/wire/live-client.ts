import {
  type ClientMessage,
  clientMessage,
  liveCloseCodes,
  livePath,
  type ServerMessage,
  serverMessage,
} from '#contracts/live.ts';
import { contractVersion } from '#contracts/product.ts';
import { ticketsHttp } from '#contracts/tickets.ts';
import { desktopBridge } from '../desktop/desktop-bridge.ts';
import { call } from './call.ts';
import { concerns, keyOf, type LiveSubject } from './live-subject.ts';

/**
 * - `connecting`: the first connection is on its way
 * - `live`: what is shown is true
 * - `away`: it was lost and is tried again
 */
export type LiveState = 'connecting' | 'live' | 'away';

/**
 * What a topic says, beginning with `subscribed` at each new connection; when that was not `resumed`, something may have
 * passed by unheard.
 */
export type LiveListener = (message: ServerMessage) => void;

export interface LiveClientOptions {
  readonly onState: (state: LiveState) => void;
  /** The API speaks another version of the contract than this panel. */
  readonly onOtherVersion: () => void;
}

export interface LiveClient extends Disposable {
  /**
   * Several listeners of one subject share a subscription.
   * @param since what the listener has already, by the cursor that came with it; what followed comes first
   */
  subscribe(subject: LiveSubject, listener: LiveListener, since?: string | null): () => void;
  /** Tries at once instead of after the next pause. */
  hurry(): void;
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;
/** Whoever has not answered by then is not waited for: after sleep or a change of networks, nobody says so. */
const answerWithinMs = 10_000;

interface Subscription {
  readonly subject: LiveSubject;
  readonly listeners: Set<LiveListener>;
  /** The last that came: what follows it comes first after a new connection. */
  cursor: string | null;
  /** Those who were elsewhere in the topic when another listener asked for its own place. */
  readonly displaced: Set<LiveListener>;
}

/** Asked at once, it would end the same way. */
const isFault = (closeCode: number): boolean =>
  closeCode === liveCloseCodes.tooMany || closeCode === liveCloseCodes.badMessage;

/** The one WebSocket of this page: connects again by itself, and every subscription goes on where it was. */
export const openLiveClient = ({ onState, onOtherVersion }: LiveClientOptions): LiveClient => {
  const subscriptions = new Map<string, Subscription>();
  const again = new WeakMap<Subscription, number>();
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
  const ask = ({ subject, cursor }: Subscription) =>
    send({ type: 'subscribe', ...subject, ...(cursor !== null && { since: cursor }) } as ClientMessage);

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
      for (const subscription of subscriptions.values()) ask(subscription);
      onState('live');
      return;
    }
    for (const subscription of subscriptions.values()) {
      if (!concerns(message, subscription.subject)) continue;
      if ('cursor' in message && message.cursor !== null) subscription.cursor = message.cursor;
      if (message.type === 'ended') endOf(subscription, message.code);
      tell(subscription, message);
    }
  };

  const tell = ({ listeners, displaced }: Subscription, message: ServerMessage) => {
    for (const listener of listeners) {
      const isDisplaced = message.type === 'subscribed' && displaced.delete(listener);
      try {
        listener(isDisplaced ? { ...message, resumed: false } : message);
      } catch (error) {
        // The others hear it all the same: it does not come twice.
        reportError(error);
      }
    }
  };

  /** What the API cannot tell for now is asked for again; without a code, we have ended it ourselves. */
  const endOf = (subscription: Subscription, code: string | null) => {
    if (code === null) return;
    clearTimeout(again.get(subscription));
    const askAgain = () => {
      if (subscriptions.get(keyOf(subscription.subject)) === subscription) ask(subscription);
    };
    again.set(subscription, setTimeout(askAgain, longestPauseMs));
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
    subscribe(subject, listener, since = null) {
      const key = keyOf(subject);
      const known = subscriptions.get(key);
      const subscription = known ?? { subject, listeners: new Set(), cursor: since, displaced: new Set() };
      // Asked again, a topic says all that it has: the new listener needs it from the beginning.
      if (subscription.cursor !== since)
        for (const other of subscription.listeners) subscription.displaced.add(other);
      subscription.cursor = since;
      subscription.listeners.add(listener);
      subscriptions.set(key, subscription);
      ask(subscription);
      return () => {
        subscription.listeners.delete(listener);
        subscription.displaced.delete(listener);
        if (subscription.listeners.size > 0 || subscriptions.get(key) !== subscription) return;
        subscriptions.delete(key);
        send({ type: 'unsubscribe', ...subject } as ClientMessage);
      };
    },
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
