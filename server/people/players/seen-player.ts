import { storableText } from '#contracts/kernel/storable-text.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { ListedPlayer } from '#games/game.ts';
import { nameKey } from '../../kernel/access/name-key.ts';

/** A player as a game names them, in text that the database can store. */
export interface SeenPlayer {
  readonly name: string;
  readonly platformId: string | null;
  /** Empty when unknown. */
  readonly handle: string;
}

/** In characters. */
const longestName = 200;
const longestHandle = 200;
/** In characters; one letter can become eighteen in its key, and an index takes no more than 2,700 bytes. */
const longestKey = 400;
/** Players on one server. */
const longestList = 1000;
/** Never `name:`, which marks players without an id. */
const platformIdShape = /^(?!name:)[a-z][a-z0-9]{0,19}:[\w.-]{1,64}$/;
const invisible = /[\p{Cc}\p{Cf}\p{Z}]/gu;

/** Null for a player without any name or id. */
export const seenPlayer = (
  listed: Pick<ListedPlayer, 'name' | 'platformId'> & { readonly handle?: string },
): SeenPlayer | null => {
  const { handle = '' } = listed;
  const platformId =
    listed.platformId !== null && platformIdShape.test(listed.platformId) ? listed.platformId : null;
  const shown = storableText(listed.name, longestName);
  const name =
    shown.replace(invisible, '') === '' ? (platformId ?? storableText(handle, longestName)) : shown;
  if (name.replace(invisible, '') === '') return null;
  // A handle that had to be changed would belong to someone else.
  return { name, platformId, handle: storableText(handle, longestHandle) === handle ? handle : '' };
};

/** Drops duplicates from a list: the first one counts. */
export const seenPlayers = (listed: readonly ListedPlayer[]): SeenPlayer[] => {
  const ids = new Set<string>();
  const words = new Set<string>();
  return listed.slice(0, longestList).flatMap((one) => {
    const player = seenPlayer(one);
    if (!player) return [];
    const own = player.platformId === null ? wordsFor(player) : [player.platformId];
    const known = player.platformId === null ? words : ids;
    if (own.some((word) => known.has(word))) return [];
    for (const word of own) known.add(word);
    return [player];
  });
};

/** The words that may refer to a player without an id. */
const wordsFor = ({ name, handle }: Pick<SeenPlayer, 'name' | 'handle'>): readonly string[] =>
  handle === '' || handle === name ? [name] : [name, handle];

/**
 * The words that still identify a player without an id later: a handle that is the name without its decorations, and never
 * an entity id, which the next player gets.
 */
export const lastingWordsFor = ({ name, handle }: Pick<SeenPlayer, 'name' | 'handle'>): readonly string[] =>
  name.includes(handle) ? wordsFor({ name, handle }) : [name];

/** What identifies a player on all servers; a name alone does so within a game. */
export const identityOf = (game: GameId, { name, platformId }: Omit<SeenPlayer, 'handle'>): string =>
  platformId ?? `name:${game}:${name}`;

export const playerNameKey = (name: string): string => nameKey(name).slice(0, longestKey).toWellFormed();

/** Compares exactly. */
export const isSameList = (one: readonly ListedPlayer[], other: readonly ListedPlayer[]): boolean =>
  one === other ||
  (one.length === other.length &&
    one.every((player, place) => {
      const { name, platformId, handle } = other[place] ?? player;
      return player.name === name && player.platformId === platformId && player.handle === handle;
    }));
