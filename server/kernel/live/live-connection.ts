import type { RawData, WebSocket } from 'ws';
import { clientMessage, liveCloseCodes } from '#contracts/kernel/live.ts';
import { contractVersion } from '#contracts/kernel/product.ts';
import { unstorablePaths } from '#contracts/kernel/storable-text.ts';
import type { Log } from '#runtime/log.ts';
import type { Actor } from '../access/actor.ts';
import { encodeMessage, type LiveTopics, type Subscriber } from './live-topic.ts';
import { namesSubjectRightly, openSubscriptions } from './subscriptions.ts';

/** A client with this much queued gets nothing more until it has taken it. */
const readyBytes = 256 * 1024;
/** A panel page opens and ends about five subscriptions; no person turns more than three pages a second. */
const mostMessages = 300;
const messagesWindowMs = 10_000;
/** A close frame queues behind everything else; a client that has not taken it in time is cut off. */
const closeDeadlineMs = 3000;

export interface LiveConnection {
  readonly actor: Actor;
  /** Checks whether the actor may still be here and see what it sees. */
  renew(): Promise<void>;
  close(code: number, reason: string): void;
}

/** One client and its subscriptions, for as long as it is allowed and keeps up. */
export const openLiveConnection = (options: {
  readonly socket: WebSocket;
  readonly actor: Actor;
  readonly topics: LiveTopics;
  /** The actor with its current permissions; null when it may no longer be here. */
  readonly renewActor: (actor: Actor) => Promise<Actor | null>;
  readonly heartbeatMs: number;
  readonly log: Log;
  readonly onClose: () => void;
}): LiveConnection => {
  const { socket, topics, renewActor, heartbeatMs, log, onClose } = options;
  let { actor } = options;
  let unanswered = 0;
  let wasReady = true;
  let windowBeganMs = performance.now();
  let messagesInWindow = 0;
  let heartbeat: NodeJS.Timeout | undefined;
  let isClosing = false;
  /** Lookups of the actor are numbered in starting order; the latest answered one counts. */
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
    // The client sent this before it learned of the end.
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

  /** Checks whether the client is still there and keeps up. */
  const beat = async () => {
    if (unanswered > 1) {
      log.debug({ actor: actor.name }, 'a live connection is not responding');
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
      // A later lookup was answered first and is more recent.
      if (look < latestLook) return;
      latestLook = look;
      actor = renewed;
      subscriptions.renew();
    } catch (error) {
      log.warn({ err: error }, 'could not read the permissions of a live connection; will retry');
    }
  };

  const live = () => {
    void beat();
    heartbeat = setTimeout(live, heartbeatMs).unref();
  };
  // The first beat comes at a random moment, so that clients that all connected together, as after a restart, are not pinged
  // together.
  heartbeat = setTimeout(live, Math.random() * heartbeatMs).unref();

  socket.on('message', receive);
  socket.on('pong', () => {
    unanswered = 0;
  });
  socket.on('error', (error) => log.debug({ err: error }, 'a live connection failed'));
  socket.on('close', () => {
    clearTimeout(heartbeat);
    subscriptions.endAll();
    onClose();
  });
  // The ticket names the actor at the time of issue; nothing is read until we know the current one.
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
    const given: unknown = JSON.parse(text);
    const message = clientMessage.safeParse(given).data;
    return message && unstorablePaths(given, '').length === 0 && namesSubjectRightly(message)
      ? message
      : null;
  } catch {
    // Not JSON: refused like any other message outside the contract.
    return null;
  }
};
