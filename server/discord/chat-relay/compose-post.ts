import { longestChatLine, longestChatName, longestServerName } from '#contracts/discord/discord-chat.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { plainLine } from './chat-text.ts';
import type { FilterText } from './word-filter.ts';

/** A line of a game's chat, as in the event log. */
export interface SaidLine {
  readonly serverId: string;
  /** Null: it is not known which player it is. */
  readonly playerId: string | null;
  readonly name: string;
  readonly text: string;
  readonly at: Date;
}

/** Whether a line is for Castellan. */
export type IsCommand = (text: string) => boolean;

export interface LineRules {
  readonly filter: FilterText;
  /** `!link CODE` and similar lines: a code is no one else's business. */
  readonly isCommand: IsCommand;
  /** Takes from the player's budget. @returns whether it is used up */
  readonly isFlood: (line: SaidLine) => boolean;
  /** It was reported before. */
  readonly isRepeat: (line: SaidLine) => boolean;
  /** The line is what we ourselves said there. */
  readonly isOwn: (serverId: string, text: string) => boolean;
  /** What was said before is no longer reported to anyone. */
  readonly since: Date;
}

interface JudgedLine {
  readonly serverId: string;
  readonly name: string;
  readonly text: string;
}

/** Budget of one player: as fast as people type, and no faster for long. */
const flood = { capacity: 6, refillMs: 2000 };

/**
 * By the lines' own times: lines that have waited together do not count as a flood. @param place where they go; each
 * place has its own budgets
 */
export const createFloodLimit = (): ((line: SaidLine, place: string) => boolean) => {
  let atMs = 0;
  const buckets = createTokenBuckets(flood, () => atMs);
  return ({ serverId, playerId, name, at }, place) => {
    atMs = at.getTime();
    return buckets.tryTake(`${place}:${serverId}:${playerId ?? name}`) > 0;
  };
};

/** @returns null: it was never meant for others; left-out: it was */
export const judgeLine = (line: SaidLine, rules: LineRules): JudgedLine | 'left-out' | null => {
  const { serverId } = line;
  const text = plainLine(line.text, longestChatLine);
  if (text === '' || rules.isCommand(line.text) || rules.isOwn(serverId, text)) return null;
  if (rules.isRepeat(line)) return null;
  if (line.at < rules.since) return 'left-out';
  if (rules.isFlood(line)) return 'left-out';
  // If nothing of a name is visible, the line remains.
  const shownName = rules.filter(plainLine(line.name, longestChatName) || '?');
  const shown = rules.filter(text);
  return shownName === null || shown === null ? 'left-out' : { serverId, name: shownName, text: shown };
};

/** https://docs.discord.com/developers/resources/message#create-message */
const mostContent = 2000;
/** The name of a server, and marks around it, around the name and between the two and the text. */
const perLine = 2 * longestServerName + 16;
/** In Discord's text each character may need a backslash before it, and an @ one more, so that it is not a mention. */
const escapedLength = (text: string): number =>
  text.length + (text.match(/[!-/:-@[-`{-~]/g)?.length ?? 0) + (text.match(/@/g)?.length ?? 0);
const roomOf = ({ name, text }: SaidLine): number =>
  escapedLength(plainLine(name, longestChatName)) + escapedLength(plainLine(text, longestChatLine)) + perLine;

const speakerOf = ({ serverId, playerId, name }: SaidLine): string => `${serverId}:${playerId ?? ''}:${name}`;

/** With this many waiting turns of speakers a message for each would not keep up. */
const crowdedTurns = 5;
const isCrowded = (lines: readonly SaidLine[]): boolean =>
  lines.filter((line, index) => {
    const before = lines[index - 1];
    return !before || speakerOf(before) !== speakerOf(line);
  }).length > crowdedTurns;

interface ComposedPost<Line extends SaidLine> {
  readonly lines: readonly JudgedLine[];
  /** All lines are from this line's speaker; null: they are from several. */
  readonly speaker: Line | null;
  /** By server. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** The last line that was checked; null: there was none. */
  readonly last: Line | null;
}

/** One message from what waits: a player's turn, or, if it gets crowded, as many lines as it holds. */
export const composePost = <Line extends SaidLine>(
  waiting: readonly Line[],
  rules: LineRules,
): ComposedPost<Line> => {
  const crowded = isCrowded(waiting);
  const lines: JudgedLine[] = [];
  const leftOut = new Map<string, number>();
  let first: Line | null = null;
  let last: Line | null = null;
  let room = mostContent;
  for (const line of waiting) {
    const isFull = roomOf(line) > room || (!crowded && first && speakerOf(line) !== speakerOf(first));
    if (lines.length > 0 && isFull) break;
    last = line;
    const judged = judgeLine(line, rules);
    if (judged === 'left-out') leftOut.set(line.serverId, (leftOut.get(line.serverId) ?? 0) + 1);
    if (judged === null || judged === 'left-out') continue;
    first ??= line;
    room -= roomOf(line);
    lines.push(judged);
  }
  return { lines, speaker: crowded ? null : first, leftOut, last };
};
