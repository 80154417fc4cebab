/** Finds out when a reply is over, which the protocol does not say. */
export interface ReplyEnd {
  /** A frame of the reply. */
  take(body: Buffer): void;
  /** @returns whether a frame of this id answers a fence of this reply, which is then over */
  takeFence(id: number): boolean;
  /** Bytes have come, of whatever. */
  heard(): void;
  /** All that these bytes completed was taken. */
  caughtUp(): void;
  /** Whether what has come shows by itself that nothing is missing. */
  isWhole(): boolean;
  stop(): void;
}

export interface ReplyEndOptions {
  /** A frame has begun and is not complete: it will be continued. */
  hasPartial(): boolean;
  over(isWhole: boolean): void;
}

/** ARK: nobody has written down where it cuts. A frame this large may be continued; wrong, that costs the quiet. */
const continuableBytes = 1024;

/** After a frame that may be continued, the reply is over when no byte follows for `quietMs`. */
export const endByQuiet = ({ hasPartial, over }: ReplyEndOptions, quietMs: number): ReplyEnd => {
  const timer = createQuietTimer(hasPartial);
  let hasText = false;
  return {
    take(body) {
      // An empty frame after others is the last one; an empty first one may be an echo before the reply.
      if (body.length === 0 ? hasText : body.length < continuableBytes) return over(true);
      hasText ||= body.length > 0;
      timer.start(quietMs, () => over(true));
    },
    takeFence: () => false,
    heard: timer.restart,
    caughtUp: () => undefined,
    isWhole: () => false,
    stop: timer.stop,
  };
};

export interface QuietTimer {
  /** Calls back when no byte has come for this long. */
  start(ms: number, onQuiet: () => void): void;
  /** Bytes have come. */
  restart(): void;
  stop(): void;
}

export const createQuietTimer = (hasPartial: () => boolean): QuietTimer => {
  let timer: NodeJS.Timeout | undefined;
  let late: NodeJS.Immediate | undefined;
  let again: (() => void) | undefined;
  const stop = () => {
    clearTimeout(timer);
    clearImmediate(late);
    again = undefined;
  };
  const start = (ms: number, onQuiet: () => void) => {
    stop();
    again = () => start(ms, onQuiet);
    timer = setTimeout(() => {
      // What came while this machine was busy elsewhere is read first.
      late = setImmediate(() => {
        if (hasPartial()) return again?.();
        again = undefined;
        onQuiet();
      });
    }, ms);
  };
  return { start, restart: () => again?.(), stop };
};
