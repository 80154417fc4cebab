import { reasons } from '#contracts/kernel/reasons.ts';
import { isOneLine } from '../command-text.ts';
import type { PlayerReference } from '../game.ts';
import { readXuid } from '../xuid.ts';

type Known = { readonly word: string } | { readonly refused: string };

/** The game's names of platforms, and ours. */
const platforms = { Steam: 'steam', EOS: 'eos', XBL: 'xbl', PSN: 'psn', EGS: 'egs' } as const;
const gameId = /^(?<platform>Steam|EOS|XBL|PSN|EGS)_(?<id>[\w-]{1,64})$/i;
const ourId = /^(?<platform>steam|eos|xbl|psn|egs):(?<id>[\w-]{1,64})$/;
const entityId = /^[1-9]\d{0,9}$/;

/** `Steam_7656…` as `steam:7656…`, EOS in lower case; null if it is not a platform id. */
export const parsePlatformId = (shown: string | undefined): string | null => {
  const { platform, id } = gameId.exec(shown ?? '')?.groups ?? {};
  if (platform === undefined || id === undefined) return null;
  const ours = platform.toLowerCase();
  return `${ours}:${ours === 'eos' ? id.toLowerCase() : id}`;
};

/** As `parsePlatformId`, from what a shop or a person wrote: with the game's own names of platforms, or those of others. */
export const readShopId = (text: string): string | null => {
  const xuid = readXuid(text);
  if (xuid !== null) return `xbl:${xuid}`;
  return parsePlatformId(text.replace(/[:-]/, '_').replace(/^(?:ps5|playstation)_/i, 'PSN_'));
};

const gameIdOf = (ours: string | undefined): string | null => {
  const { platform, id } = ourId.exec(ours ?? '')?.groups ?? {};
  const known = Object.entries(platforms).find(([, name]) => name === platform);
  return known && id !== undefined ? `${known[0]}_${id}` : null;
};

/** For a player who is online: the entity id, or the platform id. Never a name, which the game would also find inside other names. */
export const presentPlayer = ({ handle, platformId }: PlayerReference): Known => {
  const word = handle !== undefined && entityId.test(handle) ? handle : gameIdOf(platformId);
  return word === null ? { refused: reasons['game-id-first'] } : { word };
};

/** As above, or the whole name in quotes, which the game matches exactly. */
export const presentPlayerOrName = (player: PlayerReference): Known => {
  const present = presentPlayer(player);
  const { name } = player;
  if ('word' in present || name === undefined) return present;
  // Some builds read a backslash before a quote as its escape.
  if (!isOneLine(name) || /["\\]/.test(name) || name.trim() !== name || name === '')
    return { refused: reasons['seven-days-name-unusable'] };
  // The game would read these as another player's id.
  if (/^[+-]?\d+$/.test(name) || /^[a-z]+_/i.test(name))
    return { refused: reasons['seven-days-name-like-id'] };
  return { word: `"${name}"` };
};

/** For the game's lists, which include players who are offline. */
export const listedPlayer = ({ platformId }: PlayerReference): Known => {
  const word = gameIdOf(platformId);
  return word === null ? { refused: reasons['seven-days-platform-id-first'] } : { word };
};

/**
 * Whether an id in a reply may belong to the intended player. The game answers with the id that it prefers, so an id of another
 * platform counts as much as the same id.
 */
export const mayBe = (shown: string, word: string): boolean => {
  const [asked, answered] = [parsePlatformId(word), parsePlatformId(shown)];
  if (answered === null) return false;
  return asked === null || asked.split(':')[0] !== answered.split(':')[0] || asked === answered;
};
