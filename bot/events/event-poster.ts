import { type Client, Events, type Guild, type GuildMember, PermissionFlagsBits } from 'discord.js';
import {
  type BotGuild,
  discordEventsBotHttp,
  type EventBatch,
  eventChannelPermissions,
  type GivenTestPost,
} from '#contracts/discord/discord-events.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { createApiPolling } from '../api-polling.ts';
import { postRetry } from '../discord-request.ts';
import type { BotFeature } from '../guild-features.ts';
import { isTextChannel, missingIn, type TextChannel } from '../text-channels.ts';
import { findPosted, type PostOutcome, postBatch, postTest } from './post-batch.ts';

/** How long to leave a channel alone after Discord refused a message that its permissions allow. */
const refusedMs = 60_000;

interface GuildWatch extends Disposable {
  /** Discord's current state; the same object until something changes. */
  current(): BotGuild;
  /** Discord refused a message in this channel. */
  refuse(channelId: string): void;
}

/** Events that may change which channels and roles exist, and what the bot may do. */
const changes = [
  Events.ChannelCreate,
  Events.ChannelDelete,
  Events.ChannelUpdate,
  Events.GuildRoleCreate,
  Events.GuildRoleDelete,
  Events.GuildRoleUpdate,
  Events.GuildUpdate,
  Events.GuildAvailable,
  Events.GuildUnavailable,
  Events.ShardReady,
] as const;

/** @param onChange something may have changed */
const watchGuild = (client: Client<true>, guildId: string, onChange: () => void): GuildWatch => {
  let known: BotGuild | null = null;
  const refused = new Map<string, NodeJS.Timeout>();
  const changed = () => {
    known = null;
    onChange();
  };
  // Of all members, only the bot's own roles matter.
  const memberChanged = (_before: unknown, { id, guild }: GuildMember) => {
    if (id === client.user.id && guild.id === guildId) changed();
  };
  for (const event of changes) client.on(event, changed);
  client.on(Events.GuildMemberUpdate, memberChanged);

  const release = (channelId: string) => {
    refused.delete(channelId);
    changed();
  };
  const describe = (): BotGuild => {
    const guild = client.guilds.cache.get(guildId);
    const { me } = guild?.members ?? {};
    const outage = guild?.available === false && { isUnavailable: true };
    if (!guild || !me) return { guildId, channels: [], roles: [], ...outage };
    const channels = [...guild.channels.cache.values()]
      .filter(isTextChannel)
      .sort((a, b) => placeOf(a) - placeOf(b) || a.rawPosition - b.rawPosition)
      .map((channel) => ({
        id: channel.id,
        name: channel.name,
        category: channel.parent?.name ?? null,
        missing: missingIn(channel, me, eventChannelPermissions),
        isRefused: refused.has(channel.id),
      }));
    return { guildId, channels, roles: rolesOf(guild, me), ...outage };
  };

  return {
    current() {
      known ??= describe();
      return known;
    },
    refuse(channelId) {
      clearTimeout(refused.get(channelId));
      refused.set(
        channelId,
        setTimeout(() => release(channelId), refusedMs),
      );
      changed();
    },
    [Symbol.dispose]() {
      for (const event of changes) client.off(event, changed);
      client.off(Events.GuildMemberUpdate, memberChanged);
      for (const timer of refused.values()) clearTimeout(timer);
    },
  };
};

/** Discord lists channels without a category above all categories. */
const placeOf = ({ parent }: TextChannel): number => parent?.rawPosition ?? -1;

const rolesOf = (guild: Guild, me: GuildMember): BotGuild['roles'] => {
  const mayMentionAll = me.permissions.has(PermissionFlagsBits.MentionEveryone);
  return [...guild.roles.cache.values()]
    .filter(({ id, managed }) => id !== guild.id && !managed)
    .sort((a, b) => b.position - a.position)
    .map(({ id, name, mentionable }) => ({ id, name, isMentionable: mentionable || mayMentionAll }));
};

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
