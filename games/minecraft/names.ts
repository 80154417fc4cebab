import { reasons } from '#contracts/reasons.ts';
import { asOneLine } from '../command-text.ts';
import type { PlayerReference } from '../game.ts';

/** Java names, and Bedrock names through Floodgate with a prefix that needs no quotes. Never a selector. */
const playerName = /^[.+-]?\w{1,16}$/;
/** Decorations around names: ranks, teams, "away". */
const decorations = /\[[^[\]]*\]|\([^()]*\)|<[^<>]*>|\{[^{}]*\}/g;

const isPlayerName = (text: string): boolean => playerName.test(text);

/** The name inside its decorations; unchanged if it is ambiguous, so that no command accepts it. */
export const undecorated = (shown: string): string => {
  if (isPlayerName(shown)) return shown;
  const words = shown.replace(decorations, ' ').split(' ').filter(isPlayerName);
  return words.length === 1 && words[0] !== undefined ? words[0] : shown;
};

/** The player's name for commands, or why there is none. */
export const nameFor = ({ handle, name }: PlayerReference): { name: string } | { refused: string } => {
  const known = [handle, name].filter((text) => text !== undefined);
  const usable = known.find(isPlayerName);
  if (usable !== undefined) return { name: usable };
  return {
    refused: known.length === 0 ? reasons['name-first'] : reasons['minecraft-name-shape'],
  };
};

/** Whether the shown text names this player, possibly with decorations but not as part of a longer name. */
export const showsPlayer = (shown: string, name: string): boolean => {
  const letters = name.toLowerCase().replace(/[.+]/g, '\\$&');
  return new RegExp(`(?:^|[^\\w.+-])${letters}(?:$|\\W)`).test(shown.toLowerCase());
};

/** For `say` and similar commands: the game expands selectors such as `@e`, even within `me@example.org`. */
export const spokenText = (text: string): string => asOneLine(text).replace(/@(?=[a-z])/gi, '＠');
