import { displayName, minecraftItems, mostStacks, usualStack } from './minecraft-items.ts';
import type { Given, Player, World } from './world.ts';

/** Error messages show at most this much of the input before the error. */
const shownContext = 10;

/** The result of a command. A thrown error is silent in forks. */
export interface Outcome {
  readonly text: string;
  readonly success: boolean;
  readonly result: number;
}

/** The player as whom a command runs; null for the console. */
export interface Source {
  readonly player: Player | null;
}

/** A parsed command; the parser reads the whole line before anything runs. */
export type Parsed = { readonly fault: string } | { readonly run: (source: Source) => Outcome };

export interface GiveConsole {
  readonly world: World;
  receive(given: Given): void;
  readonly decorate: (name: string) => string;
}

export const unknownCommand = 'Unknown or incomplete command, see below for error';

/** Parses `give <targets> <item>[components] [count]`, which begins at `start` of the line. */
export const parseGive = ({ world, receive, decorate }: GiveConsole, line: string, start: number): Parsed => {
  const [, target = '', rest = ''] = /^give\s+(\S+)\s*(.*)$/s.exec(line.slice(start)) ?? [];
  const { item, tail } = readItem(rest);
  if (!target || !item) return { fault: here(unknownCommand, line, line.length) };
  const full = item.includes(':') ? item : `minecraft:${item}`;
  const itemEnd = line.length - tail.length;
  if (!world.items.has(full)) return { fault: here(`Unknown item '${full}'`, line, itemEnd) };
  if (tail.trim() !== '' && !/^ \d{1,10}$/.test(tail)) {
    const fault = /^ -?\d+$/.test(tail) ? 'Integer must not be less than 1' : 'Expected integer';
    return { fault: here(fault, line, itemEnd + 1) };
  }
  const quantity = tail.trim() === '' ? 1 : Number(tail);
  if (quantity < 1)
    return { fault: here(`Integer must not be less than 1, found ${quantity}`, line, itemEnd + 1) };
  // `give` accepts only players: "Only players may be affected by this command, but the provided selector includes entities".
  if (uuid.test(target)) return { fault: here(onlyPlayers, line, start + 'give '.length) };

  return {
    run({ player }) {
      const own = player === null ? [] : [player];
      const players = target === '@s' ? own : select(world, target);
      const [first] = players;
      if (!first) return { text: 'No player was found', success: false, result: 0 };
      const most = (minecraftItems[full] ?? usualStack) * mostStacks;
      // A message, not an error: the command counts as carried out.
      if (quantity > most)
        return { text: `Can't give more than ${most} of [${displayName(full)}]`, success: true, result: 0 };
      for (const { name } of players) receive({ player: name, item: full, quantity, quality: null });
      const whom = players.length === 1 ? decorate(first.name) : `${players.length} players`;
      const text = `Gave ${quantity} [${displayName(full)}] to ${whom}`;
      return { text, success: true, result: players.length };
    },
  };
};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const onlyPlayers =
  'Only players may be affected by this command, but the provided selector includes entities';

/** Players by name, UUID or a selector that needs no position. */
export const select = (world: World, target: string): readonly Player[] => {
  if (target === '@a') return world.players;
  if (target === '@p' || target === '@r') return world.players.slice(0, 1);
  const player = world.named(target) ?? world.players.find(({ platformId }) => platformId === target);
  return player ? [player] : [];
};

/** The error, and how far the game could read. */
export const here = (fault: string, line: string, position: number): string => {
  const read = line.slice(0, position);
  const context = read.length > shownContext ? `...${read.slice(-shownContext)}` : read;
  return `${fault}\n${context}<--[HERE]`;
};

/** The item with its components or NBT, which may contain spaces, and the rest of the line. */
const readItem = (text: string): { item: string; tail: string } => {
  const [item = ''] = /^[a-z0-9_.:/-]*/.exec(text) ?? [];
  let depth = 0;
  let end = item.length;
  for (; end < text.length; end += 1) {
    const character = text.charAt(end);
    if ('[{'.includes(character)) depth += 1;
    else if (']}'.includes(character)) depth -= 1;
    else if (depth === 0) break;
  }
  return { item, tail: text.slice(end) };
};
