import { sleep } from '#runtime/sleep.ts';
import { wakes as systemWakes, type WakeWatch } from '#runtime/wake-watch.ts';
import type { Connection, ConnectionOptions } from './connection.ts';
import { type ConnectionEnd, type EndedConnection, judgeConnection } from './connection-verdict.ts';
import { createLongPollClient, type LongPollClient, pollBudget } from './long-poll-client.ts';
import { followWakes } from './pause-until-wake.ts';
import { openSession, type Session } from './session.ts';

/** The API accepts 20 polls per second from an agent; whatever arrives in between goes with the next one. */
const gapMs = 110;

/**
 * Polls on two lanes: one sends immediately, the other is held and waits for the API. The first poll is the login; when any poll
 * fails, the connection has ended.
 */
const openPollingConnection = (options: ConnectionOptions): Connection => {
  const { subjects, onWelcome } = options;
  const acknowledged = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<EndedConnection>();
  const closing = new AbortController();
  let session: Session | null = null;
  let wasAcknowledged = false;
  let isSpeaking = false;

  const end = (why: ConnectionEnd) => {
    if (closing.signal.aborted) return;
    closing.abort();
    session?.[Symbol.dispose]();
    ended.resolve({ end: why, wasAcknowledged });
  };
  const pause = () => sleep(gapMs, closing.signal);
  const client = (): LongPollClient => createLongPollClient({ ...options, signal: closing.signal });
  const [speaking, listening] = [client(), client()];

  const speak = async () => {
    if (isSpeaking || !session) return;
    isSpeaking = true;
    for (let frames = session.compose(pollBudget); frames.length > 0; frames = session.compose(pollBudget)) {
      const polled = await speaking.poll(frames, false);
      if (closing.signal.aborted) return;
      if ('end' in polled) return end(polled.end);
      for (const frame of polled.frames) session.hear(frame);
      await pause();
    }
    isSpeaking = false;
  };
  const listen = async () => {
    while (!closing.signal.aborted) {
      const polled = await listening.poll([], true);
      if (closing.signal.aborted) return;
      if ('end' in polled) return end(polled.end);
      for (const frame of polled.frames) session?.hear(frame);
      await pause();
    }
  };

  const logIn = async () => {
    const polled = await speaking.poll([], false);
    if (closing.signal.aborted) return;
    if ('end' in polled) return end(polled.end);
    const welcome = polled.frames.find((frame) => frame.type === 'welcome');
    if (!welcome) return end({ cause: 'unproven' });
    onWelcome?.();
    session = openSession({
      subjects,
      welcome,
      onNews: () => void speak(),
      onAcknowledged() {
        wasAcknowledged = true;
        acknowledged.resolve();
      },
      onSilence: () => end({ cause: 'silent' }),
    });
    for (const frame of polled.frames) session.hear(frame);
    void speak();
    void listen();
  };
  void logIn();
  return { acknowledged: acknowledged.promise, ended: ended.promise, close: () => end({ cause: 'stopped' }) };
};

interface Polling extends AsyncDisposable {
  /** While another connection is in use. */
  pause(): void;
  resume(): void;
  /** Settles when the API answers again after polling had failed too: its absence had nothing to do with WebSockets. */
  readonly reachedAgain: Promise<void>;
}

/** Keeps a polling connection, however often it ends. */
export const keepPolling = (
  options: ConnectionOptions & { readonly wakes?: WakeWatch | undefined },
  report: (message: string) => void,
  onConnected: () => void,
): Polling => {
  const { timing, wakes = systemWakes } = options;
  const stopping = new AbortController();
  const followed = followWakes(wakes, {
    stopping: stopping.signal,
    afterWakeMs: () => timing.reconnectMs(1),
    // After a wake, a held request may never be answered.
    onWake: () => connection?.close(),
  });
  const { pause: wait } = followed;
  const reachedAgain = Promise.withResolvers<void>();
  let connection: Connection | null = null;
  let resumed = Promise.withResolvers<void>();
  resumed.resolve();
  let isPaused = false;
  let wasAway = false;

  const loop = async () => {
    for (let tries = 1; !stopping.signal.aborted; tries += 1) {
      await resumed.promise;
      if (stopping.signal.aborted) return;
      const woken = followed.signal();
      const current = openPollingConnection(options);
      connection = current;
      void current.acknowledged.then(() => {
        onConnected();
        tries = 0;
        if (wasAway) reachedAgain.resolve();
      });
      const ended = await current.ended;
      connection = null;
      if (stopping.signal.aborted || isPaused) continue;
      if (woken.aborted) {
        tries = 0;
        await wait(timing.reconnectMs(1));
        continue;
      }
      const { slowMs, message } = judgeConnection(ended);
      report(message);
      wasAway ||= isAbsence(ended.end);
      await wait(slowMs ? timing.slowMs(slowMs.least, slowMs.most) : timing.reconnectMs(Math.max(1, tries)));
    }
  };
  const ended = loop();

  return {
    reachedAgain: reachedAgain.promise,
    pause() {
      if (isPaused) return;
      isPaused = true;
      resumed = Promise.withResolvers();
      connection?.close();
    },
    resume() {
      isPaused = false;
      resumed.resolve();
    },
    async [Symbol.asyncDispose]() {
      followed[Symbol.dispose]();
      stopping.abort();
      resumed.resolve();
      connection?.close();
      await ended;
    },
  };
};

const isAbsence = ({ cause }: ConnectionEnd): boolean => cause === 'unreachable';
