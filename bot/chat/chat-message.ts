import { MessageFlags, type RESTPostAPIWebhookWithTokenJSONBody } from 'discord.js';
import type { ChatLine, ChatPost } from '#contracts/discord/discord-chat.ts';
import { cut } from '../cut.ts';
import { safeText } from '../events/discord-text.ts';

/** https://docs.discord.com/developers/resources/webhook#create-webhook */
const mostUsername = 80;
/** Discord refuses names that contain one of the first two, and the others as whole names. */
const forbidden = /(?<=disc)(?=ord)|(?<=cly)(?=de)/gi;
const reserved = /^(?<first>every|he)(?<rest>one|re)$/i;

/** The name that a message is posted under. */
export const usernameOf = ({ name, serverName }: Pick<ChatLine, 'name' | 'serverName'>): string => {
  const shown = serverName === null ? name : `${name} · ${serverName}`;
  return cut(shown.replace(forbidden, '-').replace(reserved, '$<first>-$<rest>'), mostUsername);
};

/** `named`: under the player's own name; `plain`: Discord refuses that name, or the lines are from several players. */
export type MessageForm = 'named' | 'plain';

export const formOf = ({ speaker }: ChatPost): MessageForm => (speaker ? 'named' : 'plain');

const lineOf = ({ name, text, serverName }: ChatLine): string => {
  const from = serverName === null ? '' : ` (${safeText(serverName)})`;
  return `**${safeText(name)}**${from}: ${safeText(text)}`;
};

/** Notifies no one and embeds nothing, whatever a line says. */
export const chatMessage = (
  { lines }: ChatPost,
  form: MessageForm,
  avatarUrl: string | null,
): RESTPostAPIWebhookWithTokenJSONBody => {
  const [first] = lines;
  const body = { allowed_mentions: { parse: [] }, flags: MessageFlags.SuppressEmbeds };
  if (form === 'plain' || !first) return { ...body, content: lines.map(lineOf).join('\n') };
  return {
    ...body,
    username: usernameOf(first),
    ...(avatarUrl !== null && { avatar_url: avatarUrl }),
    content: lines.map(({ text }) => safeText(text)).join('\n'),
  };
};
