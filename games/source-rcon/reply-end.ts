/** Detects the end of a reply, which the protocol does not mark. */
export interface ReplyEnd {
  /** Call it with each frame of the reply. */
  take(body: Buffer): void;
  /** @returns whether a frame with this id answers a fence of this reply, which is then complete */
  takeFence(id: number): boolean;
  /** Any bytes have arrived. */
  heard(): void;
  /** Everything that these bytes completed has been processed. */
  caughtUp(): void;
  /** Whether the frames themselves show that nothing is missing. */
  isWhole(): boolean;
  stop(): void;
}

/**
 * ARK: it is documented nowhere where it splits replies. A frame this large may be continued; if it is not, the wait for silence
 * is wasted.
 */
const continuableBytes = 1024;

/** After a frame that may be continued, the reply is complete when no byte follows for `quietMs`. */
export const endByQuiet = (
  {
    hasPartial,
    over,
  }: {
    /** A frame has begun and is incomplete: it will be continued. */
    hasPartial(): boolean;
    over(isWhole: boolean): void;
  },
  quietMs: number,
): ReplyEnd => {
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

interface QuietTimer {
  /** Calls back when no byte has arrived for this long. */
  start(ms: number, onQuiet: () => void): void;
  /** Call it when bytes have arrived. */
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
      // Bytes that arrived while this machine was busy are read first.
      late = setImmediate(() => {
        if (hasPartial()) return again?.();
        again = undefined;
        onQuiet();
      });
    }, ms);
  };
  return { start, restart: () => again?.(), stop };
};
