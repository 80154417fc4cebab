import { cut } from '../cut.ts';
import { safeText } from '../events/discord-text.ts';

/** Discord's limits, in UTF-16 units. */
export const longest = { content: 2000, description: 4096, embeds: 6000, title: 256, choice: 100 } as const;

/** Characters that turn the direction of what stands around them, and those that no one sees. */
const disturbing = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Of a name from a game or a shop: the same as in the messages that the bot posts by itself. */
export const nameText = (name: string, most = 80): string => safeText(name.trim(), most);

/** Of a choice, which Discord shows as it is. */
export const choiceText = (text: string): string =>
  cut(text.replace(disturbing, ' ').trim() || '?', longest.choice);

/** A text in a frame that it cannot leave. */
export const codeBlock = (text: string, most: number): string =>
  `\`\`\`\n${cut(text.replaceAll('```', "'''"), most - 8)}\n\`\`\``;
