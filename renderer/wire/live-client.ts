import {
  type ClientMessage,
  type LiveTopicName,
  liveCloseCodes,
  livePath,
  type ServerMessage,
  serverMessage,
} from '#contracts/live.ts';
import { contractVersion } from '#contracts/product.ts';
import { ticketsHttp } from '#contracts/tickets.ts';
import { call } from './call.ts';

/**
 * - `connecting`: the first connection is on its way
 * - `live`: what is shown is true
 * - `away`: it was lost and is tried again
 */
export type LiveState = 'connecting' | 'live' | 'away';

export type LiveSubject = Omit<Extract<ClientMessage, { type: 'subscribe' }>, 'type' | 'since'>;
/** What a topic says, beginning with `subscribed` at each new connection. */
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

interface Subscription {
  readonly subject: LiveSubject;
  readonly listeners: Set<LiveListener>;
  /** The last that came: what follows it comes first after a new connection. */
  cursor: string | null;
}

const keyOf = ({ type: _type, since: _since, ...subject }: Record<string, unknown>): string =>
  JSON.stringify(Object.entries(subject).sort());

/** The one WebSocket of this page: connects again by itself, and every subscription goes on where it was. */
export const openLiveClient = ({ onState, onOtherVersion }: LiveClientOptions): LiveClient => {
  const subscriptions = new Map<string, Subscription>();
  let socket: WebSocket | null = null;
  let pauses = 0;
  let retry: number | undefined;
  let watchdog: number | undefined;
  let heartbeatMs = 30_000;
  let isDisposed = false;

  const send = (message: ClientMessage) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const ask = ({ subject, cursor }: Subscription) =>
    send({ type: 'subscribe', ...subject, ...(cursor !== null && { since: cursor }) } as ClientMessage);

  /** Three missed heartbeats: the connection is dead, though nobody has said so. */
  const expectHeartbeat = (watched: WebSocket) => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => lose(watched), 3 * heartbeatMs);
  };

  const receive = (from: WebSocket, text: unknown) => {
    const parsed = serverMessage.safeParse(JSON.parse(String(text)));
    expectHeartbeat(from);
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
      for (const listener of subscription.listeners) listener(message);
    }
  };

  const lose = (lost: WebSocket, pauseMs = nextPauseMs()) => {
    if (lost !== socket) return;
    socket = null;
    clearTimeout(watchdog);
    lost.close();
    if (isDisposed) return;
    onState('away');
    retry = setTimeout(connect, pauseMs);
  };
  const nextPauseMs = () => {
    pauses += 1;
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (pauses - 1)) * (0.5 + Math.random() / 2);
  };

  const connect = async () => {
    clearTimeout(retry);
    retry = undefined;
    const { ticket } = await call(ticketsHttp.issue, {}).catch(() => ({ ticket: null }));
    // Meanwhile somebody else has connected, or nobody wants it any more.
    if (isDisposed || socket) return;
    if (ticket === null) {
      onState('away');
      clearTimeout(retry);
      retry = setTimeout(connect, nextPauseMs());
      return;
    }
    const address = new URL(`${livePath}?ticket=${encodeURIComponent(ticket)}`, location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const opened = new WebSocket(address);
    socket = opened;
    expectHeartbeat(opened);
    opened.addEventListener('message', ({ data }) => receive(opened, data));
    opened.addEventListener('close', ({ code }) =>
      lose(opened, code === liveCloseCodes.tooMany ? longestPauseMs : nextPauseMs()),
    );
  };

  onState('connecting');
  void connect();

  return {
    subscribe(subject, listener, since = null) {
      const key = keyOf(subject);
      const known = subscriptions.get(key);
      const subscription = known ?? { subject, listeners: new Set(), cursor: since };
      subscription.listeners.add(listener);
      subscriptions.set(key, subscription);
      // Asked again, a topic says all that it has: the new listener needs it from the beginning.
      if (known) subscription.cursor = since;
      ask(subscription);
      return () => {
        subscription.listeners.delete(listener);
        if (subscription.listeners.size > 0 || subscriptions.get(key) !== subscription) return;
        subscriptions.delete(key);
        send({ type: 'unsubscribe', ...subject } as ClientMessage);
      };
    },
    hurry() {
      if (socket || retry === undefined) return;
      pauses = 0;
      void connect();
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

/** Whether a message belongs to a subscription. */
const concerns = (message: ServerMessage, subject: LiveSubject): boolean => {
  switch (message.type) {
    case 'subscribed':
    case 'ended':
      return (
        message.topic === subject.topic &&
        message.serverId === subject.serverId &&
        message.component === subject.component
      );
    case 'lines':
      return subject.topic === 'console' && subject.serverId === message.serverId;
    case 'entry':
      return subject.topic === 'console' && subject.serverId === message.entry.serverId;
    case 'log':
      return subject.topic === 'log' && subject.component === message.component;
    default:
      return (message.type as string) === (subject.topic satisfies LiveTopicName);
  }
};
