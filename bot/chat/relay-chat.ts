import {
  type APIMessage,
  type Client,
  DiscordAPIError,
  type GuildMember,
  Routes,
  SnowflakeUtil,
} from 'discord.js';
import {
  type ChatChannel,
  type ChatChannelState,
  type ChatPost,
  type ChatPostOutcome,
  chatChannelPermissions,
  discordChatBotHttp,
} from '#contracts/discord/discord-chat.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { createApiPolling } from '../api-polling.ts';
import { clockDifferenceMs, mostPages, pageSize, postRetry, untilEnded } from '../discord-request.ts';
import type { BotFeature } from '../guild-features.ts';
import { isTextChannel, missingIn } from '../text-channels.ts';
import { hearMessages } from './hear-messages.ts';
import { createWebhooks } from './webhooks.ts';

/**
 * Searches the channel's history for a post. Only one post per channel is under way at a time, so any message of our
 * webhooks after the last known one is it. An answer to a command also comes from a webhook: the application's.
 * @returns the message's id; null: it is not there; in-doubt: no answer; refused: the channel cannot be read
 */
const findPost = async (
  client: Client<true>,
  { channelId, afterMessageId, openedAt }: ChatPost,
  signal: AbortSignal,
): Promise<{ readonly messageId: string } | 'in-doubt' | 'refused' | null> => {
  const own = client.application.id;
  let after =
    afterMessageId ??
    SnowflakeUtil.generate({ timestamp: Date.parse(openedAt) - clockDifferenceMs }).toString();
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({ limit: String(pageSize), after });
    let messages: readonly APIMessage[];
    try {
      const route = Routes.channelMessages(channelId);
      messages = await untilEnded((ended) => client.rest.get(route, { query, signal: ended }), signal);
    } catch (error) {
      const isAnswer = error instanceof DiscordAPIError && error.status < 500 && error.status !== 401;
      return isAnswer ? 'refused' : 'in-doubt';
    }
    const found = messages.find(
      ({ application_id, webhook_id }) => application_id === own && webhook_id && webhook_id !== own,
    );
    if (found) return { messageId: found.id };
    // The newest message comes first.
    const [newest] = messages;
    if (!newest || messages.length < pageSize) return null;
    after = newest.id;
  }
  return null;
};

/** How long to leave a channel alone after Discord refused what its permissions allow. */
const refusedMs = 60_000;

interface ChannelWatch {
  describe(channelId: string): ChatChannel;
  refuse(channelId: string, as: Extract<ChatChannelState, 'refused' | 'too-many-webhooks'>): void;
}

/** What the bot may do in the channels of relays, as discord.js has them now. */
const watchChannels = (client: Client<true>, guildId: string): ChannelWatch => {
  const refused = new Map<string, { readonly as: ChatChannelState; readonly untilMs: number }>();
  return {
    describe(id) {
      const guild = client.guilds.cache.get(guildId);
      const channel = guild?.channels.cache.get(id);
      const me = guild?.members.me;
      if (!me || !channel || !isTextChannel(channel)) return { id, state: 'unknown', missing: [] };
      const refusal = refused.get(id);
      const isRefused = refusal && refusal.untilMs > performance.now();
      if (!isRefused) refused.delete(id);
      const missing = missingIn(channel, me, chatChannelPermissions);
      return { id, state: isRefused ? refusal.as : 'open', missing };
    },
    refuse: (channelId, as) => void refused.set(channelId, { as, untilMs: performance.now() + refusedMs }),
  };
};

/** How often the API is asked for chat. */
const pollMs = 1000;
/** The wait after an unanswered post before checking whether it was made. */
const lateMs = 3000;
/** What could not be posted for this long is old news. */
const freshMs = 10 * 60_000;
/** The least time between two requests to the API, however much there is to post. */
const betweenTurnsMs = 250;
/** Discord lets webhooks post thirty messages a minute into a channel, even if its headers name shorter times. */
const pace = { capacity: 5, refillMs: 2000 };

interface Settled {
  readonly outcome: ChatPostOutcome;
  readonly messageId: string | null;
}

/** Relays chat of games into channels through webhooks, one message per channel at a time, and relays back what people write there. */
export const relayChat: BotFeature = (context) => {
  const { client, guildId, api, log, signal, interval } = context;
  const resources = new AsyncDisposableStack();
  const channels = watchChannels(client, guildId);
  const webhooks = resources.use(createWebhooks(client, signal));
  const pacing = createTokenBuckets(pace, () => performance.now() / interval(1));
  const working = new Map<string, Promise<void>>();
  const { wake, pause, persist, poll } = createApiPolling({ log, signal, interval });
  let known: readonly { readonly id: string; readonly isHeard: boolean }[] = [];
  resources.use(
    hearMessages({
      ...context,
      isHeard: (channelId) => known.some(({ id, isHeard }) => id === channelId && isHeard),
    }),
  );

  const avatarOf = async ({ speaker }: ChatPost): Promise<string | null> => {
    if (!speaker?.discordId) return null;
    const { discordId } = speaker;
    const guild = client.guilds.cache.get(guildId);
    if (!guild) return null;
    // Someone who has left has no avatar.
    const member = await untilEnded<GuildMember>(() => guild.members.fetch(discordId), signal).catch(
      () => null,
    );
    const isOwn = member?.avatar ?? member?.user.avatar;
    return isOwn && member ? member.displayAvatarURL({ extension: 'png', size: 128 }) : null;
  };

  /** @returns null: the session has ended, or the channel is closed; the API hands the post out again */
  const postOnce = async (post: ChatPost): Promise<Settled | null> => {
    const avatarUrl = post.isExpired ? null : await avatarOf(post);
    let mayBePosted = post.isRepeat;
    const sinceMs = performance.now();
    const isExpired = () => post.isExpired || performance.now() - sinceMs > freshMs;
    for (let failures = 0; !signal.aborted; ) {
      // Discord shows an empty history to a bot that may not read it. The API hands the post out again once the bot may.
      if (mayBePosted && channels.describe(post.channelId).missing.length > 0) return null;
      const found = mayBePosted ? await findPost(client, post, signal) : null;
      if (typeof found === 'object' && found) return { outcome: 'posted', messageId: found.messageId };
      if (found === null && isExpired()) return { outcome: 'expired', messageId: null };
      const outcome = found === null ? await webhooks.post(post, avatarUrl) : { kind: found };
      if (outcome.kind === 'posted') return { outcome: 'posted', messageId: outcome.messageId };
      if (outcome.kind === 'unpostable') return { outcome: 'unpostable', messageId: null };
      if (outcome.kind !== 'in-doubt') {
        if (!signal.aborted)
          log.warn({ channelId: post.channelId, why: outcome.kind }, 'Discord rejects chat in a channel');
        channels.refuse(post.channelId, outcome.kind);
        return null;
      }
      mayBePosted = true;
      failures += 1;
      // A request that Discord received may still become a message for a while.
      await pause(Math.max(lateMs, backOffDelay(postRetry, failures)));
    }
    return null;
  };

  const work = async (post: ChatPost): Promise<void> => {
    const settled = await postOnce(post);
    if (!settled) return;
    const params = { id: post.id };
    await persist(() => api.call(discordChatBotHttp.settle, { params, body: settled }, { signal }));
  };

  const start = (post: ChatPost) => {
    const { channelId } = post;
    pacing.take(channelId);
    const ended = work(post)
      .catch(() => {
        // What discord.js throws may contain the webhook's address.
        if (!signal.aborted) log.error({ channelId }, 'could not post chat');
      })
      .then(() => {
        working.delete(channelId);
        wake();
      });
    working.set(channelId, ended);
  };

  const turn = async (): Promise<undefined> => {
    const busy = known.map(({ id }) => id).filter((id) => working.has(id) || pacing.waitMs(id) > 0);
    const body = { channels: known.map(({ id }) => channels.describe(id)), busy };
    const answer = await api.call(discordChatBotHttp.take, { body }, { signal });
    const isNew = answer.channels.some(({ id }) => !known.some((one) => one.id === id));
    known = answer.channels;
    for (const post of answer.posts) if (!working.has(post.channelId)) start(post);
    // The API hears about them immediately; otherwise the panel would wonder for a second.
    if (isNew) wake();
  };

  const failure = 'could not fetch chat';
  const ended = poll({ turn, restMs: () => pollMs, leastRestMs: betweenTurnsMs, failure });
  resources.defer(async () => {
    await ended;
    await Promise.all(working.values());
  });

  return resources;
};
