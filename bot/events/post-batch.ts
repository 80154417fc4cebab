import { type APIMessage, type Client, DiscordAPIError, Routes, SnowflakeUtil } from 'discord.js';
import type { EventBatch, GivenTestPost } from '#contracts/discord-events.ts';
import type { Language } from '#contracts/language.ts';
import { eventMessage, isMessageOf, plainMessage, testMessage } from './event-message.ts';

/**
 * - `refused`: not in this channel, as it is
 * - `unpostable`: in no channel; Discord refuses even the plainest form
 * - `in-doubt`: it may have been made
 */
export type PostOutcome = 'posted' | 'refused' | 'unpostable' | 'in-doubt';

/** A request that ends with `signal`: discord.js sleeps through an abort while it waits for a bucket. */
export const request = async <Result>(
  work: (ended: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<Result> => {
  // discord.js leaves its listener on the signal that it is given; the session's lives for months.
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

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const code = { unknownMessage: 10_008, noTextChannel: 50_008, wrongChannelType: 50_024 } as const;

const outcomeOf = (error: unknown): PostOutcome => {
  if (!(error instanceof DiscordAPIError)) return 'in-doubt';
  // Its nonce has made a message, which has been deleted since.
  if (error.code === code.unknownMessage) return 'posted';
  if (error.code === code.noTextChannel || error.code === code.wrongChannelType) return 'refused';
  // Its form, its length, or what it says: of all of these the channel is innocent.
  if (error.status === 400 || error.status === 413) return 'unpostable';
  if (error.status === 401 || error.status >= 500) return 'in-doubt';
  return 'refused';
};

export interface PostOptions {
  readonly client: Client<true>;
  readonly batch: EventBatch;
  readonly language: Language;
  readonly signal: AbortSignal;
}

export const postBatch = async (options: PostOptions): Promise<PostOutcome> => {
  const outcome = await post(options, eventMessage);
  return outcome === 'unpostable' ? post(options, plainMessage) : outcome;
};

const post = async (
  { client, batch, language, signal }: PostOptions,
  messageOf: typeof eventMessage,
): Promise<PostOutcome> => {
  const body = messageOf(batch, language);
  const route = Routes.channelMessages(batch.channelId);
  try {
    await request((ended) => client.rest.post(route, { body, signal: ended }), signal);
    return 'posted';
  } catch (error) {
    return outcomeOf(error);
  }
};

/** Not repeated: the test can be asked for again. */
export const postTest = async ({
  client,
  test,
  language,
  signal,
}: Omit<PostOptions, 'batch'> & { readonly test: GivenTestPost }): Promise<'posted' | 'refused'> => {
  const body = testMessage(test.roleId, language);
  const route = Routes.channelMessages(test.channelId);
  try {
    await request((ended) => client.rest.post(route, { body, signal: ended }), signal);
    return 'posted';
  } catch {
    return 'refused';
  }
};

const pageSize = 100;
/** A channel in which more was written since is not searched to its end. */
const mostPages = 50;
/** The clocks of this machine and of Discord differ, and by less, or by no means that a search would mend. */
const clockDifferenceMs = 15 * 60_000;

/**
 * Looks in the channel's own history whether a batch was posted: nonces are remembered for minutes, the history stays.
 * @returns posted; refused: the channel cannot be read; in-doubt: no answer; null: it was not posted
 */
export const findPosted = async ({
  client,
  batch,
  signal,
}: Omit<PostOptions, 'language'>): Promise<PostOutcome | null> => {
  const since = Date.parse(batch.openedAt) - clockDifferenceMs;
  let before: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(before !== null && { before }) });
    let messages: readonly APIMessage[];
    try {
      const route = Routes.channelMessages(batch.channelId);
      messages = await request((ended) => client.rest.get(route, { query, signal: ended }), signal);
    } catch (error) {
      const outcome = outcomeOf(error);
      return outcome === 'refused' ? 'refused' : 'in-doubt';
    }
    const own = messages.filter(({ author }) => author.id === client.user.id);
    if (own.some(({ embeds }) => isMessageOf(batch.id, embeds))) return 'posted';
    const oldest = messages.at(-1);
    if (!oldest || messages.length < pageSize) return null;
    if (SnowflakeUtil.timestampFrom(oldest.id) < since) return null;
    before = oldest.id;
  }
  return null;
};
