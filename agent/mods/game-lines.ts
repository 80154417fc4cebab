import { sinceBootMs } from '../power/process/process-identity.ts';

/** The game's output, while its start is watched. */
export interface GameLines {
  /** @param ageMs since it was written, if it is read later */
  add(line: string, ageMs?: number): void;
  /** @param sinceMs on the clock of the machine's start: earlier lines are skipped */
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
