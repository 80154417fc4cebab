/**
 * - `none`: there is no such plug-in
 * - `told`: the reply comes in time
 * - `silent`: the plug-in works later, so that RCON answers nothing, and its line is only in the log
 */
export type RankReplies = 'none' | 'told' | 'silent';

/** The part of LuckPerms that gives ranks, with its texts (`parent add` and `parent remove`). */
export const createRanks = () => {
  /** Ranks by player. */
  const held = new Map<string, Set<string>>();
  const change = (name: string, what: string, rank: string): string => {
    const ranks = held.get(name) ?? new Set();
    held.set(name, ranks);
    if (what === 'add') {
      if (ranks.has(rank)) return `[LP] ${name} already inherits from ${rank} in context global.`;
      ranks.add(rank);
      return `[LP] ${name} now inherits permissions from ${rank} in context global.`;
    }
    return ranks.delete(rank)
      ? `[LP] ${name} no longer inherits permissions from ${rank} in context global.`
      : `[LP] ${name} does not already inherit from ${rank} in context global.`;
  };
  return {
    of: (name: string): readonly string[] => [...(held.get(name) ?? [])],
    /** @returns null for a command of another plug-in */
    run(line: string, replies: RankReplies, log: (message: string) => void): string | null {
      const [, name = '', what = '', rank = ''] =
        /^\/?lp user (\S+) parent (add|remove) (\S+)$/.exec(line.trim()) ?? [];
      if (replies === 'none' || what === '') return null;
      const told = change(name, what, rank);
      log(told);
      return replies === 'silent' ? '' : told;
    },
  };
};
