import { sinceBootMs } from '../power/process/process-identity.ts';

/** What the game writes, while its start is watched. */
export interface GameLines {
  /** @param ageMs since it was written, where it is read later */
  add(line: string, ageMs?: number): void;
  /** @param sinceMs on the clock of the machine's start: what was written before is not heard */
  follow(sinceMs: number, listener: (line: string) => void): Disposable;
}

export const createGameLines = (): GameLines => {
  const listeners = new Set<(line: string, atMs: number) => void>();
  return {
    add(line, ageMs = 0) {
      for (const listener of listeners) listener(line, sinceBootMs() - ageMs);
    },
    follow(sinceMs, listener) {
      const own = (line: string, atMs: number) => {
        if (atMs >= sinceMs) listener(line);
      };
      listeners.add(own);
      return { [Symbol.dispose]: () => void listeners.delete(own) };
    },
  };
};
