/** Announces every change that may take permissions away: a holder of an open connection checks its actor again. */
export interface AccessChanges {
  announce(): void;
  /** @returns how to stop listening */
  subscribe(listener: () => void): () => void;
}

export const createAccessChanges = (): AccessChanges => {
  const listeners = new Set<() => void>();
  return {
    announce() {
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
