import { cleanContent, type Message, MessageFlags } from 'discord.js';

const words = {
  en: {
    forwarded: 'forwarded',
    poll: 'poll',
    voice: 'voice message',
    sound: 'sound',
    pages: { customize: 'Channels & Roles', browse: 'Browse Channels', guide: 'Server Guide' },
    linkedRoles: 'Linked Roles',
  },
  pt: {
    forwarded: 'encaminhada',
    poll: 'enquete',
    voice: 'mensagem de voz',
    sound: 'som',
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
const worded = (text: string, { pages, linkedRoles, sound }: Words): string =>
  text
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
type Shown = Pick<Message, 'attachments' | 'stickers'> & { readonly content: string | null };

const shownText = (
  { content, attachments, stickers }: Shown,
  channel: Message['channel'],
  said: Words,
): string[] => [
  worded(cleanContent(content ?? '', channel), said),
  ...[...attachments.values()].map(({ name }) => `(${name})`),
  ...[...stickers.values()].map(({ name }) => `(${name})`),
];

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
  const isVoice = message.flags.has(MessageFlags.IsVoiceMessage);
  const own = isVoice ? [`(${said.voice})`] : shownText(message, message.channel, said);
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
