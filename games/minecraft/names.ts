import { reasons } from '#contracts/reasons.ts';
import { asOneLine } from '../command-text.ts';
import type { PlayerReference } from '../game.ts';

/** Java players, and Bedrock players behind Floodgate with one of the prefixes that a command takes without quotes. Never a selector. */
const playerName = /^[.+-]?\w{1,16}$/;
/** What servers put around names: ranks, teams, "away". */
const decorations = /\[[^[\]]*\]|\([^()]*\)|<[^<>]*>|\{[^{}]*\}/g;

const isPlayerName = (text: string): boolean => playerName.test(text);

/** The name inside what a server shows; unchanged where it cannot be told, so that no command will take it. */
export const undecorated = (shown: string): string => {
  if (isPlayerName(shown)) return shown;
  const words = shown.replace(decorations, ' ').split(' ').filter(isPlayerName);
  return words.length === 1 && words[0] !== undefined ? words[0] : shown;
};

/** How commands call a player, or why they cannot. */
export const nameFor = ({ handle, name }: PlayerReference): { name: string } | { refused: string } => {
  const known = [handle, name].filter((text) => text !== undefined);
  const usable = known.find(isPlayerName);
  if (usable !== undefined) return { name: usable };
  return {
    refused: known.length === 0 ? reasons['name-first'] : reasons['minecraft-name-shape'],
  };
};

/** Whether what the game shows names this player; with decorations, but not as a part of a longer name. */
export const showsPlayer = (shown: string, name: string): boolean => {
  const letters = name.toLowerCase().replace(/[.+]/g, '\\$&');
  return new RegExp(`(?:^|[^\\w.+-])${letters}(?:$|\\W)`).test(shown.toLowerCase());
};

/** For `say` and the like. The game puts the names of all creatures in the place of `@e`, also within `me@example.org`. */
export const spokenText = (text: string): string => asOneLine(text).replace(/@(?=[a-z])/gi, '＠');
