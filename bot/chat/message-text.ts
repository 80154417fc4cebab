import { cleanContent, type Message, MessageFlags } from 'discord.js';

const words = {
  en: {
    forwarded: 'forwarded',
    poll: 'poll',
    voice: 'voice message',
    sound: 'sound',
    spoiler: 'spoiler',
    unknown: 'unknown',
    pages: { customize: 'Channels & Roles', browse: 'Browse Channels', guide: 'Server Guide' },
    linkedRoles: 'Linked Roles',
  },
  pt: {
    forwarded: 'encaminhada',
    poll: 'enquete',
    voice: 'mensagem de voz',
    sound: 'som',
    spoiler: 'spoiler',
    unknown: 'desconhecido',
    pages: { customize: 'Canais e cargos', browse: 'Procurar canais', guide: 'Guia do servidor' },
    linkedRoles: 'Cargos vinculados',
  },
} as const;
type Words = (typeof words)[keyof typeof words];

/** Seconds that a Date can hold. */
const mostSeconds = 8_640_000_000_000;

/** People in a game are in several time zones and see no tooltip. */
const timeText = (seconds: number, style: string): string | null => {
  if (Math.abs(seconds) > mostSeconds) return null;
  const [date = '', clock = ''] = new Date(seconds * 1000).toISOString().split(/[T.]/);
  const time = style === 'T' || style === 'S' ? clock : clock.slice(0, 5);
  if (style === 't' || style === 'T') return `${time} UTC`;
  return style === 'd' || style === 'D' ? date : `${date} ${time} UTC`;
};

/** https://docs.discord.com/developers/reference#message-formatting, but for mentions, which discord.js words. */
const worded = (text: string, { pages, linkedRoles, sound, spoiler, unknown }: Words): string =>
  text
    // A game has nothing to click on.
    .replace(/\|\|(?:(?!\|\|).)+\|\|/gs, `(${spoiler})`)
    .replace(/<((?:https?:\/\/|mailto:|tel:|sms:)[^\s<>]+|\+\d{3,15})>/g, '$1')
    // Of another server, as in a forwarded message.
    .replace(/<(?:@[!&]?|(#))\d{17,20}>/g, (_, channel?: string) => `${channel ?? '@'}${unknown}`)
    .replace(/<a?:(\w{2,32}):\d{17,20}>/g, ':$1:')
    .replace(
      /<t:(-?\d{1,17})(?::([tTdDfFsSR]))?>/g,
      (whole, seconds: string, style = 'f') => timeText(Number(seconds), style) ?? whole,
    )
    .replace(/<\/([^<>:]{1,100}):\d{17,20}>/g, '/$1')
    .replace(/<id:(customize|browse|guide)>/g, (_, page: keyof Words['pages']) => `(${pages[page]})`)
    .replace(/<id:linked-roles(?::\d{17,20})?>/g, `(${linkedRoles})`)
    .replace(/<sound:\d{1,20}:\d{17,20}>/g, `(${sound})`);

/** What one message, or the copy of a forwarded one, holds. */
type Shown = Pick<Message, 'attachments' | 'stickers' | 'embeds' | 'flags'> & {
  readonly content: string | null;
};

const shownText = (
  { content, attachments, stickers, embeds, flags }: Shown,
  channel: Message['channel'],
  said: Words,
): string[] => {
  if (flags.has(MessageFlags.IsVoiceMessage)) return [`(${said.voice})`];
  const things = [...attachments.values(), ...stickers.values()].map(({ name }) => `(${name})`);
  const own = content ?? '';
  // What apps post is often an embed alone; that of a link only repeats the page.
  const inEmbed =
    own === '' ? embeds.flatMap(({ title, description }) => [title ?? '', description ?? '']) : [];
  return [...[own, ...inEmbed].map((text) => worded(cleanContent(text, channel), said)), ...things];
};

const pollText = ({ question, answers }: NonNullable<Message['poll']>, said: Words): string => {
  const choices = [...answers.values()].map(({ text, emoji }) => text ?? emoji?.name ?? '');
  return `(${said.poll}) ${question.text ?? ''} ${choices.filter((one) => one !== '').join(' / ')}`;
};

/**
 * A message as people in a game read it: mentions, times and emojis in words, files and stickers by name, what was forwarded,
 * and the question and answers of a poll. Empty: it has nothing that could be said.
 */
export const messageText = (message: Message<true>): string => {
  const said = message.guild.preferredLocale.startsWith('pt') ? words.pt : words.en;
  const own = shownText(message, message.channel, said);
  const forwarded = [...(message.messageSnapshots?.values() ?? [])].flatMap((copy) => [
    `(${said.forwarded})`,
    ...shownText(copy, message.channel, said),
  ]);
  const poll = message.poll ? [pollText(message.poll, said)] : [];
  return [...own, ...forwarded, ...poll]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
};
