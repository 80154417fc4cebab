import { escapeMarkdown } from 'discord.js';
import { cut } from '../cut.ts';

/** Discord's limits, in UTF-16 units. */
export const longest = { content: 2000, description: 4096, embeds: 6000, title: 256, choice: 100 } as const;

/** Characters that turn the direction of what stands around them, and those that no one sees. */
const disturbing = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Of a name from a game or a shop: one line, without marks or mentions; the direction of its letters is its own. */
export const nameText = (name: string, most = 80): string => {
  const plain = cut(name.replace(disturbing, ' ').trim(), most);
  const escaped = escapeMarkdown(plain, {
    heading: true,
    bulletedList: true,
    numberedList: true,
    maskedLink: true,
  })
    // A mention, an emoji of a server, a time, a link that is shown as a card.
    .replaceAll('<', '\\<')
    .replaceAll('@', '@\u200b')
    .replace(/(https?):\/\//gi, '$1:\u200b//');
  return `\u2068${escaped}\u2069`;
};

/** Of a choice, which Discord shows as it is. */
export const choiceText = (text: string): string =>
  cut(text.replace(disturbing, ' ').trim() || '?', longest.choice);

/** A text in a frame that it cannot leave. */
export const codeBlock = (text: string, most: number): string =>
  `\`\`\`\n${cut(text.replaceAll('```', "'''"), most - 8)}\n\`\`\``;
