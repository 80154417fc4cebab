import type { Game, ListedPlayer, Reading } from './game.ts';

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
  if ('value' in reading || alternative === undefined) return reading;
  const other = await ask(alternative);
  return other === null ? null : read(other);
};
