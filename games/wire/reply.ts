import { longestReply } from '#contracts/servers/games.ts';

/** A game's answer, as far as it is stored. */
export interface Reply {
  readonly text: string;
  readonly truncated: boolean;
}

/** A reply that exceeds this ends its connection: it may never stop. */
export const mostReplyBytes = 4 * 1024 * 1024;

/** Cuts to the stored length. NUL, which no database accepts in a text, is shown as an unreadable character. */
export const toReply = (text: string, isCut = false): Reply => ({
  text: text.slice(0, longestReply).toWellFormed().replaceAll('\0', '\u{fffd}'),
  truncated: isCut || text.length > longestReply,
});
