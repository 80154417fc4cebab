/** Keeps what arrives before its handler exists, and hands everything on in the order in which it came. */
export interface PendingQueue<Item> {
  readonly push: (item: Item) => void;
  /** To be called once. */
  serve(handle: (item: Item) => void): void;
}

export const createPendingQueue = <Item>(): PendingQueue<Item> => {
  const pending: Item[] = [];
  let handler: ((item: Item) => void) | null = null;
  return {
    push(item) {
      if (handler) handler(item);
      else pending.push(item);
    },
    serve(handle) {
      handler = handle;
      for (const item of pending.splice(0)) handle(item);
    },
  };
};
