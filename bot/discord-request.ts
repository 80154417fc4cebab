import {
  type APIMessage,
  type Client,
  DiscordAPIError,
  PermissionFlagsBits,
  Routes,
  SnowflakeUtil,
} from 'discord.js';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
export const discordCode = {
  unknownChannel: 10_003,
  unknownMember: 10_007,
  unknownMessage: 10_008,
  unknownRole: 10_011,
  unknownUser: 10_013,
  /** The message is over an hour old, and its few remaining edits are used up. */
  tooManyOldEdits: 30_046,
  noTextChannel: 50_008,
  wrongChannelType: 50_024,
} as const;

/** The pauses before a message that may not have been posted is tried again. */
export const postRetry = { firstMs: 1000, mostMs: 10_000 } as const;

/** A request that ends with `signal`: discord.js ignores an abort while it waits for a rate limit. */
export const untilEnded = async <Result>(
  work: (ended: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<Result> => {
  // discord.js leaves its listener on the signal that it is given, and the session's signal lives for months.
  const own = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => {
    own.abort(signal.reason);
    reject(signal.reason);
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return (await Promise.race([work(own.signal), promise])) as Result;
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/**
 * What an error says about a request that writes into a channel.
 * - `gone`: the message, or the one that its nonce created, was deleted
 * - `refused`: not possible in this channel as it is now
 * - `unfit`: the message's form, length or content; the channel is not the cause
 * - `frozen`: the message can no longer be edited
 * - `in-doubt`: it may have been done
 */
type RequestFault = 'gone' | 'refused' | 'unfit' | 'frozen' | 'in-doubt';

export const faultOf = (error: unknown): RequestFault => {
  if (!(error instanceof DiscordAPIError)) return 'in-doubt';
  if (error.code === discordCode.unknownMessage) return 'gone';
  if (error.code === discordCode.tooManyOldEdits) return 'frozen';
  if (error.code === discordCode.noTextChannel || error.code === discordCode.wrongChannelType)
    return 'refused';
  if (error.status === 400 || error.status === 413) return 'unfit';
  if (error.status === 401 || error.status >= 500) return 'in-doubt';
  return 'refused';
};

export const pageSize = 100;
/** A channel with more messages since then is not searched to the end. */
export const mostPages = 50;
/** The clocks of this machine and of Discord differ by less than this, or by more than a search could make up for. */
export const clockDifferenceMs = 15 * 60_000;

/**
 * Searches the channel's history for a message of ours: nonces are remembered for minutes, the history stays.
 * @returns null: it was not posted; refused: the channel cannot be read; in-doubt: no answer
 */
export const findOwnMessage = async (search: {
  readonly client: Client<true>;
  readonly channelId: string;
  /** When its post was opened. */
  readonly since: string;
  readonly isIt: (message: APIMessage) => boolean;
  readonly signal: AbortSignal;
}): Promise<APIMessage | 'refused' | 'in-doubt' | null> => {
  const { client, channelId, isIt, signal } = search;
  // Without the permission to read the history, Discord shows an empty one, and no error.
  const channel = client.channels.cache.get(channelId);
  const held = channel && 'guild' in channel ? channel.permissionsFor(client.user) : null;
  if (!held?.has(PermissionFlagsBits.ReadMessageHistory)) return 'refused';
  const since = Date.parse(search.since) - clockDifferenceMs;
  let before: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(before !== null && { before }) });
    let messages: readonly APIMessage[];
    try {
      const route = Routes.channelMessages(channelId);
      messages = await untilEnded((ended) => client.rest.get(route, { query, signal: ended }), signal);
    } catch (error) {
      return faultOf(error) === 'refused' ? 'refused' : 'in-doubt';
    }
    const found = messages.find((message) => message.author.id === client.user.id && isIt(message));
    if (found) return found;
    const oldest = messages.at(-1);
    if (!oldest || messages.length < pageSize) return null;
    if (SnowflakeUtil.timestampFrom(oldest.id) < since) return null;
    before = oldest.id;
  }
  return null;
};
