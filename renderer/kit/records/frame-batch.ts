interface FrameBatch<Item> extends Disposable {
  add(items: readonly Item[]): void;
}

/**
 * Passes items on once per frame, however fast they come.
 * @param most the number kept for one frame; a page that is not visible has no frame for hours, and then `flush` gets
 * the newest items and the number of those left out before them
 */
export const createFrameBatch = <Item>(
  most: number,
  flush: (items: readonly Item[], leftOut: number) => void,
  { request, cancel } = {
    request: (act: () => void): number => requestAnimationFrame(act),
    cancel: (id: number): void => cancelAnimationFrame(id),
  },
): FrameBatch<Item> => {
  let waiting: Item[] = [];
  let leftOut = 0;
  let frame: number | null = null;
  return {
    add(items) {
      if (items.length === 0) return;
      waiting.push(...items);
      if (waiting.length > 2 * most) {
        leftOut += waiting.length - most;
        waiting = waiting.slice(-most);
      }
      frame ??= request(() => {
        const now = waiting;
        const before = leftOut;
        waiting = [];
        leftOut = 0;
        frame = null;
        flush(now, before);
      });
    },
    [Symbol.dispose]() {
      if (frame !== null) cancel(frame);
      frame = null;
      waiting = [];
    },
  };
};
