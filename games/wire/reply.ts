import { longestReply } from '#contracts/games.ts';

/** What a game answered, as far as it is kept. */
export interface Reply {
  readonly text: string;
  readonly truncated: boolean;
}

/** A reply that goes on beyond this ends its connection: it may never stop. */
export const mostReplyBytes = 4 * 1024 * 1024;

/** Cuts to what is kept. NUL, which no database takes in a text, is shown as an unreadable character. */
export const toReply = (text: string, isCut = false): Reply => ({
  text: text.slice(0, longestReply).toWellFormed().replaceAll('\0', '\u{fffd}'),
  truncated: isCut || text.length > longestReply,
});
