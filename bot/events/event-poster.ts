import {
  type BotGuild,
  discordEventsBotHttp,
  type EventBatch,
  type GivenTestPost,
} from '#contracts/discord/discord-events.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { createApiPolling } from '../api-polling.ts';
import { postRetry } from '../discord-request.ts';
import type { BotFeature } from '../guild-features.ts';
import { watchGuild } from './guild-watch.ts';
import { findPosted, type PostOutcome, postBatch, postTest } from './post-batch.ts';

/** How often the API is asked for events. */
const pollMs = 1000;
/** Discord allows five messages in five seconds per channel; the fifth is kept free for an alert. */
const betweenMessagesMs = 1250;

/** Posts events into channels as the API hands them out: each lane of a channel in order, alerts alongside the rest. */
export const eventPoster: BotFeature = ({ client, guildId, api, log, signal, interval }) => {
  const { wake, pause, persist, poll } = createApiPolling({ log, signal, interval });
  const guild = watchGuild(client, guildId, wake);
  const working = new Map<string, Promise<void>>();
  const postedAt = new Map<string, number>();
  let reported: BotGuild | null = null;

  /** How long until the channel may get its next message; 0 or less: now. */
  const restMs = (channelId: string): number => {
    const share = (performance.now() - (postedAt.get(channelId) ?? Number.NEGATIVE_INFINITY)) / interval(1);
    return betweenMessagesMs - share;
  };

  /** A batch that is handed out again keeps the distance, too. */
  const keepDistance = async ({ channelId, lane }: EventBatch): Promise<void> => {
    if (lane === 'alerts') return;
    const leftMs = restMs(channelId);
    if (leftMs > 0) await pause(leftMs);
    postedAt.set(channelId, performance.now());
  };

  /** @returns null: the session ended first */
  const settleInChannel = async (
    batch: EventBatch,
    language: Language,
  ): Promise<Exclude<PostOutcome, 'in-doubt'> | null> => {
    let mayBePosted = batch.isRepeat;
    for (let failures = 0; !signal.aborted; ) {
      const found = mayBePosted ? await findPosted({ client, batch, signal }) : null;
      if (found === null) await keepDistance(batch);
      if (signal.aborted) return null;
      const outcome = found ?? (await postBatch({ client, batch, language, signal }));
      if (outcome !== 'in-doubt') return outcome;
      mayBePosted = true;
      failures += 1;
      log.debug({ batch: batch.id, failures }, 'a message to Discord may not have been posted');
      await pause(backOffDelay(postRetry, failures));
    }
    return null;
  };

  const work = async (batch: EventBatch, language: Language): Promise<void> => {
    const outcome = await settleInChannel(batch, language);
    if (outcome === null) return;
    if (outcome === 'refused') {
      log.warn({ channelId: batch.channelId }, 'Discord rejects events in a channel');
      guild.refuse(batch.channelId);
      // The API hands it out again once it hears that the channel accepts messages.
      return;
    }
    const params = { id: batch.id };
    await persist(() => api.call(discordEventsBotHttp.settle, { params, body: { outcome } }, { signal }));
  };

  const tryPost = async (test: GivenTestPost, language: Language): Promise<void> => {
    const outcome = await postTest({ client, test, language, signal });
    const params = { id: test.id };
    await persist(() => api.call(discordEventsBotHttp.settleTest, { params, body: { outcome } }, { signal }));
  };

  const start = (id: string, task: Promise<void>) => {
    const ended = task
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'could not post events');
      })
      .then(() => {
        working.delete(id);
        wake();
      });
    working.set(id, ended);
  };

  const turn = async (): Promise<undefined> => {
    const current = guild.current();
    if (current !== reported) {
      await api.call(discordEventsBotHttp.reportGuild, { body: current }, { signal });
      reported = current;
    }
    // A batch is taken only when it can be posted, so that it contains everything up to then.
    for (const channelId of postedAt.keys()) if (restMs(channelId) <= 0) postedAt.delete(channelId);
    const body = { guildId, inProgress: [...working.keys()], resting: [...postedAt.keys()] };
    const { isGuildKnown, language, batches, tests } = await api.call(
      discordEventsBotHttp.take,
      { body },
      { signal },
    );
    if (!isGuildKnown) reported = null;
    for (const batch of batches) if (!working.has(batch.id)) start(batch.id, work(batch, language));
    for (const test of tests) start(test.id, tryPost(test, language));
  };

  const ended = poll({
    turn,
    restMs: () => Math.max(0, Math.min(pollMs, ...[...postedAt.keys()].map(restMs))),
    failure: 'could not fetch events',
  });

  return {
    async [Symbol.asyncDispose]() {
      guild[Symbol.dispose]();
      await ended;
      await Promise.all(working.values());
    },
  };
};
