import { randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { type ChatPost, type ChatPostOutcome, longestServerName } from '#contracts/discord/discord-chat.ts';
import type { PostContent } from '../../kernel/database/stored-values.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type FeedPosition, readFeedHorizon } from '../../kernel/events/event-feed.ts';
import type { ChatRelays } from './chat-relays.ts';
import { plainLine } from './chat-text.ts';
import { composePost, createFloodLimit, type IsCommand, type LineRules } from './compose-post.ts';
import type { RelayRow } from './describe-relay.ts';
import type { KnownChannels } from './known-channels.ts';
import type { OwnLines } from './own-lines.ts';
import { createSaidRepeats, saidKey } from './said-repeats.ts';
import { forgetFuture, readWaiting, type WaitingLine } from './waiting-lines.ts';
import type { FilterText } from './word-filter.ts';

export interface ChatPosts {
  /** The next post for each channel that the bot can post into; the same again until it is settled. */
  take(busy: readonly string[]): Promise<ChatPost[]>;
  /** An unknown id, or one that was settled before, changes nothing. */
  settle(id: string, outcome: ChatPostOutcome, messageId: string | null): Promise<void>;
}

/** Anything said before that is old news. */
export const freshMs = 10 * 60_000;
/** Posts per response. */
const mostPosts = 20;
/** A lane in which nothing waits is moved forward when it is this many transactions behind, or its readings get slow. */
const transactionsBehind = 1000n;

type Lane = Selectable<Tables['discord_chat_lanes']>;
export const createChatPosts = (options: {
  readonly db: Kysely<Tables>;
  readonly relays: ChatRelays;
  readonly channels: KnownChannels;
  readonly filter: () => Promise<FilterText>;
  readonly commands: () => Promise<IsCommand>;
  readonly ownLines: Pick<OwnLines, 'has'>;
  readonly serverName: (id: string) => string | null;
  readonly now?: () => number;
}): ChatPosts => {
  const { db, relays, channels, filter, commands, ownLines, serverName, now = Date.now } = options;
  const isFlood = createFloodLimit();
  const repeats = createSaidRepeats();
  let isFutureForgotten = false;

  /** Matches the lane only if unchanged: another round may have moved it forward since it was read. */
  const ofLane = (lane: Lane) =>
    db
      .updateTable('discord_chat_lanes')
      .where('channel_id', '=', lane.channel_id)
      .where('written_in', '=', lane.written_in)
      .where('event_id', '=', lane.event_id)
      .where('post', 'is', null);

  const contentOf = async (waiting: readonly WaitingLine[], rules: LineRules) => {
    const { lines, speaker, leftOut, last } = composePost(waiting, rules);
    const discordId = speaker?.playerId ? await readDiscordOf(db, speaker.playerId) : null;
    const content: PostContent = { speaker: speaker && { discordId }, lines };
    return { content, leftOut, last };
  };

  /** The post is in the database before anyone receives it. */
  const open = async (
    lane: Lane,
    ofChannel: readonly RelayRow[],
    horizon: FeedPosition,
  ): Promise<Lane | null> => {
    const { lines: waiting, leftOut: beyond } = await readWaiting(db, lane, ofChannel, horizon);
    const [oldest] = waiting;
    if (!oldest) {
      if (horizon.writtenIn - BigInt(lane.written_in) > transactionsBehind)
        await ofLane(lane)
          .set({ written_in: String(horizon.writtenIn), event_id: '0' })
          .execute();
      return null;
    }
    const looked = new Set<string>();
    const rules: LineRules = {
      filter: await filter(),
      isCommand: await commands(),
      isFlood: (line) => isFlood(line, lane.channel_id),
      isRepeat(line) {
        const key = `${lane.channel_id} ${saidKey(line)}`;
        const isKnown = repeats.has(key) || looked.has(key);
        looked.add(key);
        return isKnown;
      },
      isOwn: ownLines.has,
      since: new Date(now() - freshMs),
    };
    const { content, leftOut, last } = await contentOf(waiting, rules);
    const end = last ?? oldest;
    const opened = await ofLane(lane)
      .set({
        written_in: end.writtenIn,
        event_id: end.id,
        ...(content.lines.length > 0 && {
          post: randomBytes(9).toString('base64url'),
          post_opened_at: new Date(now()),
          post_was_given: false,
          post_content: JSON.stringify(content),
        }),
      })
      .returningAll()
      .executeTakeFirst();
    if (!opened) return null;
    // Not earlier: another round may have been first with these lines.
    for (const key of looked) repeats.add(key);
    for (const [serverId, count] of [...beyond, ...leftOut])
      await relays.count('to_discord', { channelId: lane.channel_id, serverId }, count);
    return opened.post === null ? open(opened, ofChannel, horizon) : opened;
  };

  const handOut = (lane: Lane, isRepeat: boolean, servers: number): ChatPost | null => {
    const { post, post_content: content, post_opened_at: openedAt } = lane;
    if (post === null || !content || !openedAt) return null;
    const lines = content.lines.map(({ serverId, name, text }) => ({
      name,
      text,
      serverName: servers > 1 ? plainLine(serverName(serverId) ?? '', longestServerName) : null,
    }));
    return {
      id: post,
      channelId: lane.channel_id,
      openedAt: openedAt.toISOString(),
      isRepeat,
      isExpired: lines.length === 0 || openedAt.getTime() < now() - freshMs,
      afterMessageId: lane.message_id,
      speaker: content.speaker,
      lines,
    };
  };

  return {
    async take(busy) {
      const known = channels.read();
      if (!known) return [];
      if (!isFutureForgotten) {
        await forgetFuture(db);
        isFutureForgotten = true;
        relays.reread();
      }
      const wanted = (await relays.current()).filter(({ to_discord, channel_id }) => {
        const channel = known.get(channel_id);
        return to_discord && channel?.state === 'open' && channel.missing.length === 0;
      });
      const ids = [...new Set(wanted.map(({ channel_id }) => channel_id))].filter((id) => !busy.includes(id));
      if (ids.length === 0) return [];
      const lanes = await db
        .selectFrom('discord_chat_lanes')
        .selectAll()
        .where('channel_id', '=', sql<string>`any (${ids}::text[])`)
        .execute();
      const horizon = await readFeedHorizon(db);
      const posts: ChatPost[] = [];
      for (const lane of lanes) {
        if (posts.length === mostPosts) break;
        const ofChannel = wanted.filter(({ channel_id }) => channel_id === lane.channel_id);
        const opened = lane.post === null ? await open(lane, ofChannel, horizon) : lane;
        const post = opened && handOut(opened, lane.post_was_given, ofChannel.length);
        if (!post) continue;
        // Before anyone receives it: the next receiver looks first.
        if (!lane.post_was_given)
          await db
            .updateTable('discord_chat_lanes')
            .set({ post_was_given: true })
            .where('post', '=', post.id)
            .execute();
        posts.push(post);
      }
      return posts;
    },
    async settle(id, outcome, messageId) {
      const lane = await db.transaction().execute(async (trx) => {
        const found = await trx
          .selectFrom('discord_chat_lanes')
          .selectAll()
          .where('post', '=', id)
          .forUpdate()
          .executeTakeFirst();
        if (found)
          await trx
            .updateTable('discord_chat_lanes')
            .set({
              post: null,
              post_opened_at: null,
              post_was_given: false,
              post_content: null,
              ...(messageId !== null && { message_id: messageId }),
            })
            .where('post', '=', id)
            .execute();
        return found;
      });
      const counts = new Map<string, number>();
      for (const { serverId } of lane?.post_content?.lines ?? [])
        counts.set(serverId, (counts.get(serverId) ?? 0) + 1);
      for (const [serverId, count] of counts)
        await relays.count(
          'to_discord',
          { channelId: lane?.channel_id ?? '', serverId },
          outcome === 'posted' ? 0 : count,
        );
    },
  };
};

/** The Discord account of the player's member; null without one. A player known only by name has none here: anyone can use a name. */
export const readDiscordOf = async (db: Kysely<Tables>, playerId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('players as player')
    .innerJoin('members as member', 'member.id', 'player.member_id')
    .select('member.discord_id')
    .where('player.id', '=', playerId)
    .where('player.platform_id', 'is not', null)
    .executeTakeFirst();
  return row?.discord_id ?? null;
};
