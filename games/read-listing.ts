import type { Game, ListedPlayer, Reading } from './game.ts';
import { plainLines } from './reply-reading.ts';

/**
 * Who is there, by the reply to the game's first question; when that cannot be read, by its other one, where it has such.
 * @param ask what the other question is asked with; resolves with the reply, null when there is none
 * @returns null when the other question was not answered
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

/** Characters: enough to see what a plug-in made of the list. */
const longestShown = 300;

/** What cannot be read is shown, so that its owner can tell what stands in the list's place. */
const withLines = <T>(reading: Reading<T>, reply: string): Reading<T> => {
  if ('value' in reading) return reading;
  const shown = plainLines(reply).join(' ⏎ ');
  const cut = shown.length > longestShown ? `${shown.slice(0, longestShown).toWellFormed()}…` : shown;
  return cut === '' ? reading : { unreadable: `${reading.unreadable} The game answered: ${cut}` };
};
