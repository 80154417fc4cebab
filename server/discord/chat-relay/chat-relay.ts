import type { Kysely } from 'kysely';
import type { ChatFilter, ChatFilterChange } from '#contracts/discord/discord-chat.ts';
import type { BotGuild } from '#contracts/discord/discord-events.ts';
import type { Log } from '#runtime/log.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { changeRights } from '../../identity/rights-lock.ts';
import { may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Settings } from '../../operations/settings.ts';
import { type ChatPosts, createChatPosts } from './chat-posts.ts';
import { type ChatRelays, createChatRelays } from './chat-relays.ts';
import { spokenLine } from './chat-text.ts';
import { createFloodLimit, type IsCommand, judgeLine, type SaidLine } from './compose-post.ts';
import { type RelayedServers, relayServerOf } from './describe-relay.ts';
import { createHeardMessages, type HeardMessages } from './heard-messages.ts';
import { createKnownChannels, type KnownChannels } from './known-channels.ts';
import { createOwnLines } from './own-lines.ts';
import { createSaidRepeats, saidKey } from './said-repeats.ts';
import { createSayQueue } from './say-queue.ts';
import { createWordFilter, type FilterText } from './word-filter.ts';

interface SavedFilter {
  read(): Promise<ChatFilter>;
  change(change: ChatFilterChange, by: AuditContext): Promise<ChatFilter | Refusal>;
  /** The current filter. */
  current(): Promise<FilterText>;
}

const none: ChatFilter = { version: 0, words: [], treatment: 'mask' };

/** The words that no relay passes on. */
const createSavedFilter = (db: Kysely<Tables>): SavedFilter => {
  let compiled: { readonly from: string; readonly filter: FilterText } | null = null;
  const read = async (on = db): Promise<ChatFilter> => {
    const row = await on.selectFrom('discord_chat_filter').selectAll().executeTakeFirst();
    return row ? { version: row.version, words: row.words, treatment: row.treatment } : none;
  };
  return {
    read: () => read(),
    change: ({ version, words, treatment }, asking) =>
      changeRights(db, asking, async (trx, by): Promise<ChatFilter | Refusal> => {
        if (!may(by.actor, 'settings.write')) return refuse('FORBIDDEN');
        const before = await read(trx);
        if (before.version !== version)
          return refuse('CONFLICT', 'The words were changed in the meantime. Read them again.');
        const row = { version: version + 1, words: [...new Set(words)], treatment };
        const written = await trx
          .insertInto('discord_chat_filter')
          .values(row)
          .onConflict((conflict) =>
            conflict.column('only_row').doUpdateSet(row).where('discord_chat_filter.version', '=', version),
          )
          .returning('version')
          .executeTakeFirst();
        if (!written) return refuse('CONFLICT', 'The words were changed in the meantime. Read them again.');
        const target = 'discord-chat-filter';
        await recordAudit(trx, { ...by, action: 'discord.change-chat-filter', target, before, after: row });
        return row;
      }),
    async current() {
      const { words, treatment } = await read();
      const from = JSON.stringify([words, treatment]);
      if (compiled?.from !== from) compiled = { from, filter: createWordFilter(words, treatment) };
      return compiled.filter;
    },
  };
};

export interface ChatRelay extends AsyncDisposable {
  readonly relays: ChatRelays;
  readonly filter: SavedFilter;
  readonly channels: KnownChannels;
  readonly posts: ChatPosts;
  readonly heard: HeardMessages;
  /** Null while the bot is away. */
  readonly guild: () => BotGuild | null;
}

/** What was said on one server is said on others immediately, or not at all. */
const acrossMs = 60_000;
/** Budget of one server for lines from all others together. Each line costs its game a command. */
const acrossFlood = { capacity: 20, refillMs: 1000 };

/** Chat between games and Discord's channels, both ways. */
export const createChatRelay = (options: {
  readonly db: Kysely<Tables>;
  readonly settings: Pick<Settings, 'values'>;
  readonly servers: RelayedServers;
  /** Null: it is unknown. */
  readonly playersOn: (serverId: string) => number | null;
  /** Says a line in the chat of a game, once. @returns whether the game has replied */
  readonly say: (serverId: string, text: string) => Promise<boolean>;
  /** Whether a line is a command for Castellan. */
  readonly isCommand: (line: string, prefix: string) => boolean;
  readonly onSpoken: (listener: (lines: readonly SaidLine[]) => void) => void;
  readonly guild: () => BotGuild | null;
  readonly licenseHolds: () => boolean;
  readonly log: Log;
}): ChatRelay => {
  const { db, settings, playersOn, guild, licenseHolds, log } = options;
  const server = (id: string) => relayServerOf(options.servers, id);
  /** How lines for Castellan look at this moment. */
  const commands = async (): Promise<IsCommand> => {
    const { prefix } = await settings.values('chat-shop');
    return (text) => options.isCommand(text, prefix);
  };
  const owned = new AsyncDisposableStack();
  const channels = createKnownChannels();
  const relays = createChatRelays({ db, guild, server, channels });
  const filter = createSavedFilter(db);
  const ownLines = createOwnLines();
  const serverName = (id: string) => server(id)?.name ?? null;

  const queue = owned.use(
    createSayQueue({
      async say(serverId, text) {
        ownLines.add(serverId, text);
        return options.say(serverId, text);
      },
      mayAct: licenseHolds,
      onDone: (line, wasSaid) => relays.count('to_game', line, wasSaid ? 0 : 1),
      log,
    }),
  );
  /** If no one is there, no one misses it. */
  const say: typeof queue.add = (line) => {
    if (playersOn(line.serverId) !== 0) queue.add(line);
  };

  const isFlood = createFloodLimit();
  const repeats = createSaidRepeats();
  const isRepeat = (line: SaidLine) => {
    const key = saidKey(line);
    const isKnown = repeats.has(key);
    repeats.add(key);
    return isKnown;
  };
  const acrossBudgets = createTokenBuckets(acrossFlood, () => performance.now());
  /** If a server's relay leads to a channel, its lines are said on the other servers of the channel that want them. */
  const sayAcross = async (lines: readonly SaidLine[]): Promise<void> => {
    const current = await relays.current();
    const wanting = current.filter(({ from_servers }) => from_servers);
    if (wanting.length === 0) return;
    const pass = await filter.current();
    const isCommand = await commands();
    const since = new Date(Date.now() - acrossMs);
    for (const line of lines) {
      const from = current.filter(({ server_id, to_discord }) => server_id === line.serverId && to_discord);
      const shared = new Map(
        wanting
          .filter(
            ({ server_id, channel_id }) =>
              server_id !== line.serverId && from.some((one) => one.channel_id === channel_id),
          )
          .map(({ server_id, channel_id }) => [server_id, channel_id]),
      );
      if (shared.size === 0) continue;
      const rules = {
        filter: pass,
        isCommand,
        since,
        isOwn: ownLines.has,
        isRepeat,
        isFlood: (one: SaidLine) => isFlood(one, ''),
      };
      const judged = judgeLine(line, rules);
      // What is left out here is counted on its way to the channel.
      if (judged === null || judged === 'left-out') continue;
      const text = spokenLine(serverName(line.serverId) ?? '?', judged.name, judged.text);
      for (const [serverId, channelId] of shared) {
        if (acrossBudgets.tryTake(serverId) === 0) say({ serverId, channelId, text });
        else await relays.count('to_game', { channelId, serverId }, 1);
      }
    }
  };
  // One after another, in the order in which they were said.
  let across = Promise.resolve();
  options.onSpoken((lines) => {
    across = across
      .then(() => sayAcross(lines))
      .catch((error: unknown) => log.warn({ err: error }, 'could not relay chat to other servers'));
  });

  return {
    relays,
    filter,
    channels,
    guild,
    posts: createChatPosts({
      db,
      relays,
      channels,
      filter: filter.current,
      commands,
      ownLines,
      serverName,
    }),
    heard: createHeardMessages({ db, relays, filter: filter.current, commands, say }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
