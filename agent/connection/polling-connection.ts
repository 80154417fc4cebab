import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, ConnectionOptions } from './connection.ts';
import type { ConnectionEnd, EndedConnection } from './connection-verdict.ts';
import { createLongPollClient, type LongPollClient, pollBudget } from './long-poll-client.ts';
import { openSession, type Session } from './session.ts';

/** The API accepts 20 polls per second from an agent; whatever arrives in between goes with the next one. */
const gapMs = 110;

/**
 * Polls on two lanes: one sends immediately, the other is held and waits for the API. The first poll is the login; when any poll
 * fails, the connection has ended.
 */
export const openPollingConnection = (options: ConnectionOptions): Connection => {
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
  const pause = () => delay(gapMs, undefined, { signal: closing.signal }).catch(() => undefined);
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
