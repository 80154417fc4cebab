import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { ListedPlayer, Reading } from '../game.ts';
import { plainLines } from '../reply-reading.ts';
import { parsePlatformId } from './ids.ts';

/** In characters; a name has some dozens. */
const longestEntry = 2000;
const numbered = /^\d+\. id=/;
/** Whatever a name imitates, the game's own fields come after it and contain no position themselves: the last position is the true one. */
const entry =
  /^\d+\. id=(?<entity>\d{1,10}), (?<name>.*), pos=\([^()]*\), rot=\([^()]*\), remote=(?:True|False)(?<facts>(?:, \w+=[^,]*)*)$/;
const total = /^Total of (?<count>\d+) in the game$/;

/**
 * Reads the reply to `lp`. Players are identified by their platform id (`pltfmid`, before 1.0 `steamid`), not by `crossid`: older
 * builds and servers without EOS have none, and the platform id is the same in every game.
 */
export const readPlayerList = (reply: string): Reading<readonly ListedPlayer[]> => {
  const lines = plainLines(reply);
  const count = lines.map((line) => total.exec(line)?.groups?.count).find((found) => found !== undefined);
  if (count === undefined) return { unreadable: consoleReasons['list-cut'] };
  const players: ListedPlayer[] = [];
  for (const line of lines) {
    if (!numbered.test(line)) continue;
    const player = line.length > longestEntry ? null : readEntry(line);
    if (player === null) return { unreadable: consoleReasons['list-player'] };
    players.push(player);
  }
  if (players.length !== Number(count))
    return { unreadable: consoleReasons['list-count'](count, players.length) };
  return { value: players };
};

const readEntry = (line: string): ListedPlayer | null => {
  const { entity, name, facts = '' } = entry.exec(line)?.groups ?? {};
  if (entity === undefined || name === undefined) return null;
  const steamId = /, steamid=(7656\d{13})(?:,|$)/.exec(facts)?.[1];
  const platformId =
    parsePlatformId(/, pltfmid=([^,]*)/.exec(facts)?.[1]) ?? (steamId ? `steam:${steamId}` : null);
  return { name: name === '' ? entity : name, platformId, handle: entity };
};
