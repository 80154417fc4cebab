import * as z from 'zod';
import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { asOneLine } from '../command-text.ts';
import type { ListedPlayer, Reading } from '../game.ts';
import { parsePlatformId } from './ids.ts';

/**
 * `GET /v1/api/players` (https://docs.palworldgame.com/api/rest-api/players; an answer of a server in
 * https://github.com/pelican/plugins/issues/124). `ping` and the location are fractions, later versions added `accountName` and
 * `building_count`, and early ones sent `playerId` as a negative number (https://pypi.org/project/pal_api/): only what is needed is
 * read.
 */
const listing = z.object({ players: z.array(z.unknown()) });
const entry = z.object({
  name: z.string(),
  playerId: z.union([z.string(), z.number()]).nullish(),
  userId: z.string().nullish(),
});

/**
 * While a player is loading or creates a character, the list has them without an id of their own: `None`
 * (https://pypi.org/project/pal_api/), zeros (https://github.com/thijsvanloef/palworld-server-docker/pull/537) or nothing, under
 * the name of their account.
 */
const unfinished = /^(?:None|0*)$/;

export const readPlayerList = (reply: string): Reading<readonly ListedPlayer[]> => {
  const read = listing.safeParse(parsed(reply));
  if (!read.success) return { unreadable: consoleReasons['list-none'] };
  const { players: listed } = read.data;
  const known = listed.flatMap((one) => entry.safeParse(one).data ?? []);
  // Another format, and not an empty server.
  if (listed.length > 0 && known.length === 0) return { unreadable: consoleReasons['list-none'] };
  const players = known.flatMap(({ name: shown, playerId, userId }): ListedPlayer[] => {
    const name = asOneLine(shown);
    const platformId = parsePlatformId(userId ?? '');
    if (name === '' || platformId === null || userId == null) return [];
    if (playerId != null && unfinished.test(String(playerId))) return [];
    return [{ name, platformId, handle: userId }];
  });
  // Another version, whose ids have another name or form, and not an empty server.
  if (players.length === 0 && known.some(hasOddId)) return { unreadable: consoleReasons['list-player'] };
  return { value: players };
};

const hasOddId = ({ name, playerId, userId }: z.infer<typeof entry>): boolean =>
  asOneLine(name) !== '' &&
  !(playerId != null && unfinished.test(String(playerId))) &&
  (userId === undefined || (userId !== null && userId !== '' && parsePlatformId(userId) === null));

const parsed = (reply: string): unknown => {
  try {
    return JSON.parse(reply);
  } catch {
    return null;
  }
};
