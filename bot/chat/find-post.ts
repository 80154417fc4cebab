import { type APIMessage, type Client, DiscordAPIError, Routes, SnowflakeUtil } from 'discord.js';
import type { ChatPost } from '#contracts/discord-chat.ts';
import { untilEnded } from '../discord-request.ts';

const pageSize = 100;
/** A channel in which more was written since is not searched to its end. */
const mostPages = 50;
/** The clocks of this machine and of Discord differ by less. */
const clockDifferenceMs = 15 * 60_000;

/**
 * Looks in the channel's own history whether a post was made. One post of a channel is on its way at a time, so that any
 * message of our webhooks behind the last one that is known is it. An answer to a command comes by a webhook, too: that
 * of the application.
 * @returns the message's id; null: it is not there; in-doubt: no answer; refused: the channel cannot be read
 */
export const findPost = async (
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
    // The newest one stands first.
    const [newest] = messages;
    if (!newest || messages.length < pageSize) return null;
    after = newest.id;
  }
  return null;
};
