/** Keeps what arrives before its handler exists, and passes everything on in order of arrival. */
interface PendingQueue<Item> {
  readonly push: (item: Item) => void;
  /** Call it once. */
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
