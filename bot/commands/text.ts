import { cut } from '../cut.ts';
import { safeText } from '../events/discord-text.ts';

/** Discord's limits, in UTF-16 units. */
export const longest = { content: 2000, description: 4096, embeds: 6000, title: 256, choice: 100 } as const;

/** Characters that change the direction of the text around them, and invisible ones. */
const disturbing = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name from a game or a shop, treated as in the messages that the bot posts on its own. */
export const nameText = (name: string, most = 80): string => safeText(name.trim(), most);

/** The text of a choice, which Discord shows unformatted. */
export const choiceText = (text: string): string =>
  cut(text.replace(disturbing, ' ').trim() || '?', longest.choice);

/** A text in a code block that it cannot break out of. */
export const codeBlock = (text: string, most: number): string =>
  `\`\`\`\n${cut(text.replaceAll('```', "'''"), most - 8)}\n\`\`\``;
