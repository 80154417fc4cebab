import { type Client, Routes } from 'discord.js';
import type { EventBatch, GivenTestPost } from '#contracts/discord/discord-events.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { faultOf, findOwnMessage, untilEnded } from '../discord-request.ts';
import { eventMessage, isMessageOf, plainMessage, testMessage } from './event-message.ts';

/**
 * - `refused`: not possible in this channel as it is now
 * - `unpostable`: not possible in any channel; Discord refuses even the plainest form
 * - `in-doubt`: it may have been posted
 */
export type PostOutcome = 'posted' | 'refused' | 'unpostable' | 'in-doubt';

const outcomeOf = (error: unknown): PostOutcome => {
  const fault = faultOf(error);
  // Its nonce created a message that has since been deleted.
  if (fault === 'gone') return 'posted';
  if (fault === 'unfit') return 'unpostable';
  return fault === 'in-doubt' ? 'in-doubt' : 'refused';
};

interface PostOptions {
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
    await untilEnded((ended) => client.rest.post(route, { body, signal: ended }), signal);
    return 'posted';
  } catch (error) {
    return outcomeOf(error);
  }
};

/** Not retried: a person can request the test again. */
export const postTest = async ({
  client,
  test,
  language,
  signal,
}: Omit<PostOptions, 'batch'> & { readonly test: GivenTestPost }): Promise<'posted' | 'refused'> => {
  const body = testMessage(test, language);
  const route = Routes.channelMessages(test.channelId);
  try {
    await untilEnded((ended) => client.rest.post(route, { body, signal: ended }), signal);
    return 'posted';
  } catch {
    return 'refused';
  }
};

/**
 * Searches the channel for the batch's message.
 * @returns null: it was not posted
 */
export const findPosted = async ({
  client,
  batch,
  signal,
}: Omit<PostOptions, 'language'>): Promise<Exclude<PostOutcome, 'unpostable'> | null> => {
  const found = await findOwnMessage({
    client,
    channelId: batch.channelId,
    since: batch.openedAt,
    isIt: ({ embeds }) => isMessageOf(batch.id, embeds),
    signal,
  });
  return found !== null && typeof found === 'object' ? 'posted' : found;
};
