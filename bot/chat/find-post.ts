import { type APIMessage, type Client, DiscordAPIError, Routes, SnowflakeUtil } from 'discord.js';
import type { ChatPost } from '#contracts/discord-chat.ts';
import { clockDifferenceMs, mostPages, pageSize, untilEnded } from '../discord-request.ts';

/**
 * Searches the channel's history for a post. Only one post per channel is under way at a time, so any message of our
 * webhooks after the last known one is it. An answer to a command also comes from a webhook: the application's.
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
    // The newest message comes first.
    const [newest] = messages;
    if (!newest || messages.length < pageSize) return null;
    after = newest.id;
  }
  return null;
};
