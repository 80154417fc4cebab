import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { ListedPlayer, Reading } from '../game.ts';
import { plainLines } from '../reply-reading.ts';
import { parsePlatformId } from './ids.ts';

const nobody = /^No Players Connected\.?$/i;
/** Names may contain commas: the id follows the last one. */
const entry = /^(?<index>\d+)\. ?(?<name>.*), ?(?<id>[0-9A-Za-z]{1,64})$/;

export const readPlayerList = (reply: string): Reading<readonly ListedPlayer[]> => {
  const lines = plainLines(reply);
  if (lines.length === 0) return { unreadable: consoleReasons['list-empty'] };
  if (lines.length === 1 && nobody.test(lines[0] ?? '')) return { value: [] };
  const players: ListedPlayer[] = [];
  for (const line of lines) {
    const { index, name, id } = entry.exec(line)?.groups ?? {};
    if (name === undefined || id === undefined) return { unreadable: consoleReasons['list-none'] };
    // A gap in the numbers means that a part of the list was lost.
    if (Number(index) !== players.length) return { unreadable: consoleReasons['list-cut'] };
    const shown = name.trim();
    players.push({ name: shown === '' ? id : shown, platformId: parsePlatformId(id), handle: id });
  }
  return { value: players };
};
