import type { AgentFrame } from '#contracts/servers/agent-protocol.ts';

/** The next thing to send. */
export interface QueuedFrame {
  readonly frame: AgentFrame;
  /** Called once it is sent; until then, the same frame is the next one. */
  markSent(): void;
}

/** Receipts for the API's commands or tasks: that each was accepted, and its result. */
interface Receipts {
  accepted(id: string): void;
  finished(id: string): void;
  next(): QueuedFrame | null;
}

const mostIds = 100;

export const createReceipts = <Result extends object>(options: {
  /** Null when the API has acknowledged it. */
  readonly resultOf: (id: string) => Result | null;
  readonly acceptedFrame: (ids: string[]) => AgentFrame;
  readonly resultFrame: (id: string, result: Result) => AgentFrame;
}): Receipts => {
  const accepted = new Set<string>();
  const finished = new Set<string>();

  const nextAccepted = (): QueuedFrame | null => {
    const ids = [...accepted].slice(0, mostIds);
    if (ids.length === 0) return null;
    return {
      frame: options.acceptedFrame(ids),
      markSent: () => {
        for (const id of ids) accepted.delete(id);
      },
    };
  };
  const nextResult = (): QueuedFrame | null => {
    for (const id of finished) {
      const result = options.resultOf(id);
      if (result) return { frame: options.resultFrame(id, result), markSent: () => finished.delete(id) };
      finished.delete(id);
    }
    return null;
  };

  return {
    accepted: (id) => void accepted.add(id),
    finished(id) {
      accepted.delete(id);
      finished.add(id);
    },
    next: () => nextAccepted() ?? nextResult(),
  };
};
