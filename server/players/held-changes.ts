/** What is heard of servers before the database is in use: of each the last list, and the last that came after it. */
export interface HeldChanges {
  hold(serverId: string, change: () => void, isList: boolean): void;
  /** In the order in which they came. */
  release(): void;
}

export const createHeldChanges = (): HeldChanges => {
  const held = new Map<string, { list: (() => void) | null; last: (() => void) | null }>();
  return {
    hold(serverId, change, isList) {
      const before = held.get(serverId)?.list ?? null;
      held.set(serverId, isList ? { list: change, last: null } : { list: before, last: change });
    },
    release() {
      for (const { list, last } of held.values()) {
        list?.();
        last?.();
      }
      held.clear();
    },
  };
};
