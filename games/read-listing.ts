import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { Game, ListedPlayer, Reading } from './game.ts';
import { plainLines } from './reply-reading.ts';

/**
 * The list of players from the reply to the game's first question or, if that cannot be read, to its alternative one, if it has
 * any.
 * @param ask sends the alternative question; resolves with the reply, null when there is none
 * @returns null when the alternative question was not answered
 */
export const readListing = async (
  { alternative, read }: Game['listPlayers'],
  reply: string,
  ask: (command: string) => Promise<string | null>,
): Promise<Reading<readonly ListedPlayer[]> | null> => {
  const reading = read(reply);
  if ('value' in reading) return reading;
  if (alternative === undefined) return withLines(reading, reply);
  const other = await ask(alternative);
  return other === null ? null : withLines(read(other), other);
};

/** In characters: enough to see what a plug-in made of the list. */
const longestShown = 300;

/** An unreadable reply is shown, so that the server's owner sees what replaced the list. */
const withLines = <T>(reading: Reading<T>, reply: string): Reading<T> => {
  if ('value' in reading) return reading;
  const shown = plainLines(reply).join(' ⏎ ');
  const cut = shown.length > longestShown ? `${shown.slice(0, longestShown).toWellFormed()}…` : shown;
  return cut === '' ? reading : { unreadable: `${reading.unreadable} ${consoleReasons['list-said'](cut)}` };
};
