import { reasons } from '#contracts/reasons.ts';
import { isOneLine } from '../command-text.ts';
import type { PlayerReference } from '../game.ts';

type Known = { readonly word: string } | { readonly refused: string };

/** The game's names of platforms, and ours. */
const platforms = { Steam: 'steam', EOS: 'eos', XBL: 'xbl', PSN: 'psn', EGS: 'egs' } as const;
const gameId = /^(?<platform>Steam|EOS|XBL|PSN|EGS)_(?<id>[\w-]{1,64})$/i;
const ourId = /^(?<platform>steam|eos|xbl|psn|egs):(?<id>[\w-]{1,64})$/;
const entityId = /^[1-9]\d{0,9}$/;

/** `Steam_7656…` as `steam:7656…`, EOS in small letters; null for what is no id of a platform. */
export const platformIdOf = (shown: string | undefined): string | null => {
  const { platform, id } = gameId.exec(shown ?? '')?.groups ?? {};
  if (platform === undefined || id === undefined) return null;
  const ours = platform.toLowerCase();
  return `${ours}:${ours === 'eos' ? id.toLowerCase() : id}`;
};

const gameIdOf = (ours: string | undefined): string | null => {
  const { platform, id } = ourId.exec(ours ?? '')?.groups ?? {};
  const known = Object.entries(platforms).find(([, name]) => name === platform);
  return known && id !== undefined ? `${known[0]}_${id}` : null;
};

/** For a player who is on the server: the entity id, else the id of the platform. Never a name that the game would look for within others. */
export const presentPlayer = ({ handle, platformId }: PlayerReference): Known => {
  const word = handle !== undefined && entityId.test(handle) ? handle : gameIdOf(platformId);
  return word === null ? { refused: reasons['game-id-first'] } : { word };
};

/** As above, or else the whole name, which the game then takes as it is. */
export const presentPlayerOrName = (player: PlayerReference): Known => {
  const present = presentPlayer(player);
  const { name } = player;
  if ('word' in present || name === undefined) return present;
  if (!isOneLine(name) || name.includes('"') || name.trim() !== name || name === '')
    return { refused: reasons['seven-days-name-unusable'] };
  // The game would take these for ids, of anybody.
  if (/^[+-]?\d+$/.test(name) || /^[a-z]+_/i.test(name))
    return { refused: reasons['seven-days-name-like-id'] };
  return { word: `"${name}"` };
};

/** For the game's lists, which hold whoever is away as well. */
export const listedPlayer = ({ platformId }: PlayerReference): Known => {
  const word = gameIdOf(platformId);
  return word === null ? { refused: reasons['seven-days-platform-id-first'] } : { word };
};

/**
 * Whether an id in a reply may be that of the player who was meant. The game answers with the id that it
 * prefers, so that one of another platform proves as much as the same.
 */
export const mayBe = (shown: string, word: string): boolean => {
  const [asked, answered] = [platformIdOf(word), platformIdOf(shown)];
  if (answered === null) return false;
  return asked === null || asked.split(':')[0] !== answered.split(':')[0] || asked === answered;
};
