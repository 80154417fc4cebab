/** Largest stack by item; the game has many more items, but these are enough for tests. */
export const minecraftItems: Readonly<Record<string, number>> = {
  'minecraft:iron_ingot': 64,
  'minecraft:gold_ingot': 64,
  'minecraft:diamond': 64,
  'minecraft:emerald': 64,
  'minecraft:netherite_ingot': 64,
  'minecraft:golden_apple': 64,
  'minecraft:bread': 64,
  'minecraft:torch': 64,
  'minecraft:oak_log': 64,
  'minecraft:stone': 64,
  'minecraft:arrow': 64,
  'minecraft:ender_pearl': 16,
  'minecraft:diamond_sword': 1,
  'minecraft:diamond_pickaxe': 1,
  'minecraft:elytra': 1,
  'minecraft:saddle': 1,
};

/** One argument can give at most this many stacks. */
export const mostStacks = 100;
export const usualStack = 64;

/** `minecraft:iron_ingot` becomes `Iron Ingot`. */
export const displayName = (item: string): string =>
  item
    .replace(/^[^:]*:/, '')
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
