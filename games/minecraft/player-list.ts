import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { ListedPlayer, Reading } from '../game.ts';
import { plainText } from '../reply-reading.ts';
import { undecorated } from './names.ts';

/**
 * Since 1.13 (with and without `of`), before it, and EssentialsX, which counts hidden players separately, in its wordings and others'
 * (github.com/gekware/minecraft-server-hibernation/issues/183); Cuberite.
 */
const headings = [
  /^There are (?<online>\d+)(?:\/\d+| of a max(?: of)? \d+|(?:\/(?<hidden>\d+))? out of (?:(?:a )?maximum (?:of )?)?\d+) players online[:.]?(?<rest>.*)$/s,
  /^Players \((?<online>\d+)\):(?<rest>.*)$/s,
];
/** EssentialsX writes each group on a separate line, with its name before its players. */
const group = /^[^,:\n]{1,60}: /;
/** States that EssentialsX temporarily puts before a name. */
const status = /^(?:\[(?:AFK|HIDDEN)\] ?)+/i;
const withId = /^(?<name>.+) \((?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)$/i;
/** Behind a nickname EssentialsX writes the player's name, and other plug-ins a rank or a world: one of them may be someone else's name. */
const twoNames = /\w \((?!(?:afk|away|busy|dnd|hidden|idle|vanished)\))\w{1,16}\)$/i;
/** Between players whose id is shown; decorated names may contain a comma. */
const afterId = /(?<=[0-9a-f]\)), /i;

/** Reads the replies to `list uuids` and, for servers that ignore the word, to `list`. */
export const readPlayerList = (reply: string): Reading<readonly ListedPlayer[]> => {
  const text = plainText(reply);
  const found = headings.map((heading) => heading.exec(text)?.groups).find((groups) => groups !== undefined);
  const { online, hidden = '0', rest } = found ?? {};
  if (online === undefined || rest === undefined) return { unreadable: consoleReasons['list-none'] };
  const shown = rest.trim();
  const players = shown === '' ? [] : (readWithIds(shown) ?? readNames(shown));
  if (players === 'cut') return { unreadable: consoleReasons['list-cut'] };
  // The console's list includes hidden players, unless a plug-in withholds them.
  if (players.length !== Number(online) && players.length !== Number(online) + Number(hidden))
    return { unreadable: consoleReasons['list-count'](online, players.length) };
  return { value: players };
};

/** Null where no one's id is shown, `cut` where only some are. */
const readWithIds = (shown: string): ListedPlayer[] | 'cut' | null => {
  const players: ListedPlayer[] = [];
  for (const entry of shown.split(afterId)) {
    const { name, id } = withId.exec(entry)?.groups ?? {};
    if (name === undefined || id === undefined) return players.length > 0 ? 'cut' : null;
    players.push({ name, platformId: `minecraft:${id.toLowerCase()}`, handle: undecorated(name) });
  }
  return players;
};

const readNames = (shown: string): ListedPlayer[] =>
  shown
    .split('\n')
    .flatMap((line) => line.trim().replace(group, '').split(', '))
    .map((name) => name.trim().replace(status, ''))
    .filter((name) => name !== '')
    .map((name) => ({ name, platformId: null, handle: twoNames.test(name) ? name : undecorated(name) }));
