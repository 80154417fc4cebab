import { reasons } from '#contracts/kernel/reasons.ts';
import type { PlayerReference } from '../game.ts';
import { readXuid } from '../xuid.ts';

type Known = { readonly word: string } | { readonly refused: string };

/**
 * `steam_7656…`: the platform and the id there, which the API takes as `userid` and returns as `userId`
 * (https://docs.palworldgame.com/api/rest-api/players). Players of Xbox, PlayStation and Mac have prefixes that the game does not
 * document (https://github.com/zaigie/palworld-server-tool/pull/259), so any is accepted.
 */
const gameId = /^(?<platform>[a-z][a-z0-9]{1,15})_(?<id>\w{1,64})$/i;
const ourId = /^(?<platform>[a-z][a-z0-9]{1,15}):(?<id>\w{1,64})$/;
/** Platforms on which the game does not exist. */
const elsewhere: ReadonlySet<string> = new Set(['minecraft', 'eos']);

/** `steam_7656…` as `steam:7656…`; null if it is not a platform id. */
export const parsePlatformId = (userId: string): string | null => {
  const { platform, id } = gameId.exec(userId)?.groups ?? {};
  return platform === undefined || id === undefined ? null : `${platform.toLowerCase()}:${id}`;
};

/** In a shop's id: numbers or hexadecimal digits, since names contain lines, too. */
const accountId = /^(?:\d{6,64}|(?=.*\d)[0-9a-f]{16,64})$/i;

/** What others call the game's `ps5`. */
const playStation = /^(?:psn|playstation|ps)_/i;

/** As `parsePlatformId`, from what a shop or a person wrote: never a name such as `cool_guy`. */
export const readShopId = (text: string): string | null => {
  const xuid = readXuid(text);
  const known = parsePlatformId(
    xuid === null ? text.replace(/[:-]/, '_').replace(playStation, 'ps5_') : `gdk_${xuid}`,
  );
  const [platform = '', id = ''] = known?.split(':') ?? [];
  return accountId.test(id) && !elsewhere.has(platform) ? known : null;
};

/** `steam:7656…` as `steam_7656…`. */
export const userIdOf = (platformId: string): string | null => {
  const { platform, id } = ourId.exec(platformId)?.groups ?? {};
  return platform === undefined || id === undefined || elsewhere.has(platform) ? null : `${platform}_${id}`;
};

export const isUserId = (text: string): boolean => gameId.test(text);

/** The id that the API takes for a player, or why there is none. */
export const userIdFor = ({ handle, platformId }: PlayerReference): Known => {
  const word =
    handle !== undefined && isUserId(handle)
      ? handle
      : platformId === undefined
        ? null
        : userIdOf(platformId);
  return word === null ? { refused: reasons['palworld-id-first'] } : { word };
};
