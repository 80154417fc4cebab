/** Word of every change that may take something from somebody: whoever holds a connection open for one asks again. */
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
