import type { ListedPlayer, Reading } from '../game.ts';
import { plainLines } from '../reply-reading.ts';
import { platformIdOf } from './ids.ts';

const nobody = /^No Players Connected\.?$/i;
/** Names may hold commas: the id stands after the last. */
const entry = /^(?<index>\d+)\. ?(?<name>.*), ?(?<id>[0-9A-Za-z]{1,64})$/;

export const readPlayerList = (reply: string): Reading<readonly ListedPlayer[]> => {
  const lines = plainLines(reply);
  if (lines.length === 0) return { unreadable: 'The game answered nothing.' };
  if (lines.length === 1 && nobody.test(lines[0] ?? '')) return { value: [] };
  const players: ListedPlayer[] = [];
  for (const line of lines) {
    const { index, name, id } = entry.exec(line)?.groups ?? {};
    if (name === undefined || id === undefined) return { unreadable: 'This is not the list of players.' };
    // A gap in the numbers is a list of which a part was lost.
    if (Number(index) !== players.length) return { unreadable: 'The list of players is not whole.' };
    const shown = name.trim();
    players.push({ name: shown === '' ? id : shown, platformId: platformIdOf(id), handle: id });
  }
  return { value: players };
};
