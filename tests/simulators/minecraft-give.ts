import { displayName, minecraftItems, mostStacks, usualStack } from './minecraft-items.ts';
import type { Player, World } from './world.ts';

/** Failures show at most this much of what was typed before the fault. */
const shownContext = 10;

/** `give <targets> <item>[components] [count]`. */
export const give = (world: World, decorate: (name: string) => string, line: string): string => {
  const [, target = '', rest = ''] = /^give\s+(\S+)\s*(.*)$/s.exec(line) ?? [];
  const { item, tail } = readItem(rest);
  if (!target || !item) return here('Unknown or incomplete command, see below for error', line, line.length);
  const full = item.includes(':') ? item : `minecraft:${item}`;
  const itemEnd = line.length - tail.length;
  if (!world.items.has(full)) return here(`Unknown item '${full}'`, line, itemEnd);
  if (tail.trim() !== '' && !/^ \d{1,10}$/.test(tail))
    return here(
      /^ -?\d+$/.test(tail) ? 'Integer must not be less than 1' : 'Expected integer',
      line,
      itemEnd + 1,
    );
  const quantity = tail.trim() === '' ? 1 : Number(tail);
  if (quantity < 1) return here(`Integer must not be less than 1, found ${quantity}`, line, itemEnd + 1);

  const players = select(world, target);
  const [first] = players;
  if (!first) return 'No player was found';
  const most = (minecraftItems[full] ?? usualStack) * mostStacks;
  if (quantity > most) return `Can't give more than ${most} of [${displayName(full)}]`;
  for (const { name } of players) world.given.push({ player: name, item: full, quantity, quality: null });
  const whom = players.length === 1 ? decorate(first.name) : `${players.length} players`;
  return `Gave ${quantity} [${displayName(full)}] to ${whom}`;
};

/** Players by name, by UUID or by the selectors that need no position. */
export const select = (world: World, target: string): readonly Player[] => {
  if (target === '@a') return world.players;
  if (target === '@p' || target === '@r') return world.players.slice(0, 1);
  const player = world.named(target) ?? world.players.find(({ platformId }) => platformId === target);
  return player ? [player] : [];
};

/** The fault, and how far the game could read. */
export const here = (fault: string, line: string, position: number): string => {
  const read = line.slice(0, position);
  const context = read.length > shownContext ? `...${read.slice(-shownContext)}` : read;
  return `${fault}\n${context}<--[HERE]`;
};

/** The item with its components or NBT, which may hold spaces, and what stands behind it. */
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
