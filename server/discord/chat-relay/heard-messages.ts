import { type Kysely, sql } from 'kysely';
import {
  type HeardMessage,
  type HeardOutcome,
  longestChatLine,
  longestChatName,
} from '#contracts/discord/discord-chat.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { ChatRelays } from './chat-relays.ts';
import { plainLine, spokenLine } from './chat-text.ts';
import type { IsCommand } from './compose-post.ts';
import type { RelayRow } from './describe-relay.ts';
import type { GivenLine } from './say-queue.ts';
import type { FilterText } from './word-filter.ts';

export interface HeardMessages {
  /** The outcome of each. A message that was given before is ignored. */
  take(messages: readonly HeardMessage[]): Promise<HeardOutcome[]>;
}

interface HeardRules {
  readonly pass: FilterText;
  readonly isCommand: IsCommand;
}

const freshMs = 60_000;
/** More than a channel's fresh messages that any limit allows. */
const mostRemembered = 200;
/** For one person, and for one channel. Each line costs every game a command. */
const personFlood = { capacity: 5, refillMs: 3000 };
const channelFlood = { capacity: 20, refillMs: 1000 };

/** What people write in channels, on its way to games: at most once, and only while it is fresh. */
export const createHeardMessages = (options: {
  readonly db: Kysely<Tables>;
  readonly relays: ChatRelays;
  readonly filter: () => Promise<FilterText>;
  readonly commands: () => Promise<IsCommand>;
  readonly say: (line: GivenLine) => void;
  readonly now?: () => number;
}): HeardMessages => {
  const { db, relays, filter, commands, say, now = () => performance.now() } = options;
  const people = createTokenBuckets(personFlood, now);
  const places = createTokenBuckets(channelFlood, now);

  /** Remembered before they are said. @returns those that were not given before */
  const remember = (channelId: string, ids: readonly string[]): Promise<ReadonlySet<string>> =>
    db.transaction().execute(async (trx) => {
      const lane = await trx
        .selectFrom('discord_chat_lanes')
        .select('heard')
        .where('channel_id', '=', channelId)
        .forUpdate()
        .executeTakeFirst();
      const fresh = new Set(ids.filter((id) => !lane?.heard.includes(id)));
      if (fresh.size > 0)
        await trx
          .updateTable('discord_chat_lanes')
          .set({
            heard: sql<string[]>`${[...fresh, ...(lane?.heard ?? [])].slice(0, mostRemembered)}::text[]`,
          })
          .where('channel_id', '=', channelId)
          .execute();
      return fresh;
    });

  const judge = (
    message: HeardMessage,
    { pass, isCommand }: HeardRules,
  ): HeardOutcome | { readonly line: string } => {
    const { authorId, channelId } = message;
    const text = plainLine(message.text, longestChatLine);
    if (text === '' || isCommand(message.text)) return 'ignored';
    if (message.ageMs > freshMs) return 'late';
    if (places.waitMs(channelId) > 0 || people.tryTake(`${channelId}:${authorId}`) > 0) return 'flooded';
    places.take(channelId);
    const name = pass(plainLine(message.name, longestChatName) || '?');
    const shown = pass(text);
    return name === null || shown === null ? 'held' : { line: spokenLine('Discord', name, shown) };
  };

  const takeOne = async (
    message: HeardMessage,
    rules: HeardRules,
    ofChannel: readonly RelayRow[],
  ): Promise<HeardOutcome> => {
    const { channelId } = message;
    const judged = judge(message, rules);
    if (typeof judged === 'object') {
      for (const { server_id: serverId } of ofChannel) say({ serverId, channelId, text: judged.line });
      return 'taken';
    }
    if (judged !== 'ignored')
      for (const { server_id: serverId } of ofChannel)
        await relays.count('to_game', { channelId, serverId }, 1);
    return judged;
  };

  return {
    async take(messages) {
      const heard = (await relays.current()).filter(({ to_game }) => to_game);
      const isHeard = (id: string) => heard.some(({ channel_id }) => channel_id === id);
      const rules = { pass: await filter(), isCommand: await commands() };
      const fresh = new Set<string>();
      for (const channelId of new Set(messages.map((message) => message.channelId))) {
        if (!isHeard(channelId)) continue;
        const ids = messages.filter((message) => message.channelId === channelId).map(({ id }) => id);
        for (const id of await remember(channelId, ids)) fresh.add(id);
      }
      const outcomes: HeardOutcome[] = [];
      for (const message of messages) {
        const ofChannel = heard.filter(({ channel_id }) => channel_id === message.channelId);
        // Twice in one call counts once.
        const isNew = fresh.delete(message.id);
        outcomes.push(isNew ? await takeOne(message, rules, ofChannel) : 'ignored');
      }
      return outcomes;
    },
  };
};
