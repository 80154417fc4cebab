import type { ListedPlayer, Reading } from '../game.ts';
import { plainText } from '../reply-reading.ts';
import { undecorated } from './names.ts';

/** Since 1.13 (with and without `of`), before it, and EssentialsX. */
const heading =
  /^There are (?<online>\d+)(?:\/\d+| of a max(?: of)? \d+| out of maximum \d+) players online[:.]?(?<rest>.*)$/s;
const withId = /^(?<name>.+) \((?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)$/i;
/** Between players whose id is shown; names may hold a comma where they are decorated. */
const afterId = /(?<=[0-9a-f]\)), /i;

/** Reads the replies to `list uuids` and, for servers that ignore the word, to `list`. */
export const readPlayerList = (reply: string): Reading<readonly ListedPlayer[]> => {
  const { online, rest } = heading.exec(plainText(reply))?.groups ?? {};
  if (online === undefined || rest === undefined) return { unreadable: 'This is not the list of players.' };
  const shown = rest.trim();
  const players = shown === '' ? [] : (readWithIds(shown) ?? readNames(shown));
  if (players.length !== Number(online))
    return { unreadable: `The game counts ${online} players and names ${players.length}.` };
  return { value: players };
};

const readWithIds = (shown: string): ListedPlayer[] | null => {
  const players: ListedPlayer[] = [];
  for (const entry of shown.split(afterId)) {
    const { name, id } = withId.exec(entry)?.groups ?? {};
    if (name === undefined || id === undefined) return null;
    players.push({ name, platformId: `minecraft:${id.toLowerCase()}`, handle: undecorated(name) });
  }
  return players;
};

const readNames = (shown: string): ListedPlayer[] =>
  shown.split(', ').map((name) => ({ name, platformId: null, handle: undecorated(name) }));
