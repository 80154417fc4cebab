/** Messages that Discord has recently refused; forgotten with a restart, since the bot finds out again. */
export interface RecentRefusals {
  note(id: string): void;
  clear(id: string): void;
  has(id: string): boolean;
}

/** The bot retries every minute. */
const refusedMs = 150_000;

export const createRecentRefusals = (nowMs: () => number = () => performance.now()): RecentRefusals => {
  const notedMs = new Map<string, number>();
  return {
    note(id) {
      notedMs.set(id, nowMs());
    },
    clear(id) {
      notedMs.delete(id);
    },
    has(id) {
      const isRecent = nowMs() - (notedMs.get(id) ?? Number.NEGATIVE_INFINITY) < refusedMs;
      if (!isRecent) notedMs.delete(id);
      return isRecent;
    },
  };
};
