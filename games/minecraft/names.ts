import { reasons } from '#contracts/kernel/reasons.ts';
import { asOneLine } from '../command-text.ts';
import type { PlayerReference } from '../game.ts';
import { floodgateUuidIn } from '../xuid.ts';

/** What a Floodgate prefix may be, `.` by default and `*` before; never `@`, which begins a selector. */
export const prefixes = '.*+~!#$%&=?^-';
const prefix = `[${prefixes}]`;
/** Java names, and Bedrock names through Floodgate with a prefix that needs no quotes. */
const plainName = /^[.+-]?\w{1,16}$/;
/** Bedrock names with another prefix, which commands take in quotes (github.com/GeyserMC/Floodgate/issues/8). */
const oneWord = new RegExp(`^${prefix}?\\w{1,16}$`);
/** Where Floodgate leaves the blanks of gamertags (github.com/GeyserMC/Floodgate/issues/184). */
const withBlanks = new RegExp(`^${prefix}?\\w{1,16}(?: \\w{1,15}){1,3}$`);
const longestName = 20;
/** Decorations around names: ranks, teams, "away". */
const decorations = /\[[^[\]]*\]|\([^()]*\)|<[^<>]*>|\{[^{}]*\}/g;

const isOneWord = (text: string): boolean => oneWord.test(text);
/** Without a prefix only Floodgate's UUID tells a gamertag from two names. */
const isBedrockName = (text: string, id: string | undefined): boolean =>
  withBlanks.test(text) && text.length <= longestName && (/^\W/.test(text) || floodgateUuidIn(id) !== null);

/** The name inside its decorations; unchanged if it is ambiguous, so that no command accepts it. */
export const undecorated = (shown: string): string => {
  if (isOneWord(shown)) return shown;
  const words = shown.replace(decorations, ' ').split(' ').filter(isOneWord);
  return words.length === 1 && words[0] !== undefined ? words[0] : shown;
};

interface NamedPlayer {
  readonly name: string;
  /** As commands for players on the server take it, in quotes if it needs them. */
  readonly word: string;
  /** As commands for lists of players take it, which know no quotes; null for a name with blanks. */
  readonly listWord: string | null;
}

/** The player's name for commands, or why there is none. */
export const nameFor = ({ handle, name, platformId }: PlayerReference): NamedPlayer | { refused: string } => {
  const known = [handle, name].filter((text) => text !== undefined);
  const usable = known.find(isOneWord) ?? known.find((text) => isBedrockName(text, platformId));
  if (usable === undefined)
    return { refused: known.length === 0 ? reasons['name-first'] : reasons['minecraft-name-shape'] };
  return {
    name: usable,
    word: plainName.test(usable) ? usable : `"${usable}"`,
    listWord: usable.includes(' ') ? null : usable,
  };
};

/** Whether the shown text names this player, possibly with decorations but not as part of a longer name. */
export const showsPlayer = (shown: string, name: string): boolean => {
  const letters = name.toLowerCase().replace(/[^\w ]/g, '\\$&');
  return new RegExp(`(?:^|[^\\w${prefixes}])${letters}(?:$|\\W)`).test(shown.toLowerCase());
};

/** For `say` and similar commands: the game expands selectors such as `@e`, even within `me@example.org`. */
export const spokenText = (text: string): string => asOneLine(text).replace(/@(?=[a-z])/gi, '＠');
