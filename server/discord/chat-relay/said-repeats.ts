import type { SaidLine } from './compose-post.ts';

/** What was said, by whom, and at which exact moment: an agent reports again what may not have arrived. */
export const saidKey = ({ serverId, playerId, name, text, at }: SaidLine): string =>
  JSON.stringify([serverId, playerId ?? name, text, at.getTime()]);

interface SaidRepeats {
  has(key: string): boolean;
  add(key: string): void;
}

const mostRemembered = 5000;

export const createSaidRepeats = (): SaidRepeats => {
  const known = new Set<string>();
  return {
    has: (key) => known.has(key),
    add(key) {
      known.add(key);
      const [oldest] = known;
      if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
    },
  };
};
