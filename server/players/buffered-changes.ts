/** Changes that arrive before the database is ready: per server the last list, and the last change after it. */
export interface BufferedChanges {
  hold(serverId: string, change: () => void, isList: boolean): void;
  /** Applies them in order of arrival. */
  release(): void;
}

export const createBufferedChanges = (): BufferedChanges => {
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
