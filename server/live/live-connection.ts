import type { RawData, WebSocket } from 'ws';
import { clientMessage, liveCloseCodes } from '#contracts/live.ts';
import { contractVersion } from '#contracts/product.ts';
import type { Log } from '#runtime/log.ts';
import type { Actor } from '../access/actor.ts';
import { encodeMessage, type LiveTopics, type Subscriber } from './live-topic.ts';
import { namesSubjectRightly, openSubscriptions } from './subscriptions.ts';

/** A client that has this much waiting gets nothing more until it has taken it. */
const readyBytes = 256 * 1024;
/** A client sends hardly more than a few subscriptions. */
const mostMessages = 50;
const messagesWindowMs = 10_000;
/** A close frame stands behind all that waits; whoever does not take it by then is cut off. */
const closeDeadlineMs = 3000;

export interface LiveConnection {
  readonly actor: Actor;
  /** Looks whether the actor may still be here and see what it sees. */
  renew(): Promise<void>;
  close(code: number, reason: string): void;
}

export interface LiveConnectionOptions {
  readonly socket: WebSocket;
  readonly actor: Actor;
  readonly topics: LiveTopics;
  /** The actor as it is by now, with the permissions of now; null when it may not be here any more. */
  readonly renewActor: (actor: Actor) => Promise<Actor | null>;
  readonly heartbeatMs: number;
  readonly log: Log;
  readonly onClose: () => void;
}

/** One client: what it has subscribed to, for as long as it may and keeps up. */
export const openLiveConnection = (options: LiveConnectionOptions): LiveConnection => {
  const { socket, topics, renewActor, heartbeatMs, log, onClose } = options;
  let { actor } = options;
  let unanswered = 0;
  let wasReady = true;
  let windowBeganMs = performance.now();
  let messagesInWindow = 0;
  let heart: NodeJS.Timeout | undefined;
  let isClosing = false;
  /** Looks at the actor, numbered as they began; and the latest of those that were answered. */
  let begunLooks = 0;
  let latestLook = 0;

  const subscriber: Omit<Subscriber, 'maySee'> = {
    isReady: () => socket.readyState === socket.OPEN && socket.bufferedAmount <= readyBytes,
    send(message) {
      if (socket.readyState === socket.OPEN) socket.send(message);
    },
  };

  const subscriptions = openSubscriptions({ topics, subscriber, actor: () => actor });

  const close = (code: number, reason: string) => {
    if (isClosing) return;
    isClosing = true;
    subscriptions.endAll();
    if (socket.readyState === socket.OPEN) socket.close(code, reason);
    setTimeout(() => socket.terminate(), closeDeadlineMs).unref();
  };

  const receive = (data: RawData, isBinary: boolean) => {
    // What the client had sent before it heard of the end.
    if (isClosing) return;
    unanswered = 0;
    const nowMs = performance.now();
    if (nowMs - windowBeganMs > messagesWindowMs) {
      windowBeganMs = nowMs;
      messagesInWindow = 0;
    }
    messagesInWindow += 1;
    if (messagesInWindow > mostMessages) return close(liveCloseCodes.tooMany, 'too many messages');
    const message = isBinary ? null : readMessage(String(data));
    if (!message) return close(liveCloseCodes.badMessage, 'not a message of the contract');
    if (message.type === 'subscribe') subscriptions.subscribe(message);
    else subscriptions.unsubscribe(message);
  };

  /** Looks whether the client is there and keeps up. */
  const beat = async () => {
    if (unanswered > 1) {
      log.debug({ actor: actor.name }, 'a live connection is silent');
      return socket.terminate();
    }
    const isReady = subscriber.isReady();
    if (!isReady && !wasReady) return close(liveCloseCodes.tooSlow, 'too slow: resume from the last cursor');
    wasReady = isReady;
    unanswered += 1;
    socket.ping();
    if (isReady) subscriber.send(encodeMessage({ type: 'heartbeat' }));
    await renew();
  };

  const renew = async () => {
    begunLooks += 1;
    const look = begunLooks;
    try {
      const renewed = await renewActor(actor);
      if (!renewed) return close(liveCloseCodes.signedOut, 'signed out');
      // A later look may have been answered before, and knows better.
      if (look < latestLook) return;
      latestLook = look;
      actor = renewed;
      subscriptions.renew();
    } catch (error) {
      log.warn({ err: error }, 'the permissions of a live connection could not be read; tried again');
    }
  };

  const live = () => {
    void beat();
    heart = setTimeout(live, heartbeatMs).unref();
  };
  // The first beat at a random moment: clients that all came at once, as after a restart, are not pinged at once.
  heart = setTimeout(live, Math.random() * heartbeatMs).unref();

  socket.on('message', receive);
  socket.on('pong', () => {
    unanswered = 0;
  });
  socket.on('error', (error) => log.debug({ err: error }, 'a live connection broke'));
  socket.on('close', () => {
    clearTimeout(heart);
    subscriptions.endAll();
    onClose();
  });
  // The ticket tells who it was when it was issued; nothing is heard before we know who it is now.
  socket.pause();
  void renew().then(() => socket.resume());
  subscriber.send(encodeMessage({ type: 'welcome', contractVersion, heartbeatSeconds: heartbeatMs / 1000 }));
  return {
    get actor() {
      return actor;
    },
    renew,
    close,
  };
};

const readMessage = (text: string) => {
  try {
    const message = clientMessage.safeParse(JSON.parse(text)).data;
    return message && namesSubjectRightly(message) ? message : null;
  } catch {
    // No JSON: refused like any other message that is not of the contract.
    return null;
  }
};
