/** A request as it came in, for a fault to choose by. */
export interface RestRequest {
  readonly method: string;
  /** Without /api/v10 and query. */
  readonly path: string;
  readonly body: unknown;
}

/**
 * What becomes of a request.
 * - `answer`: done and answered
 * - `lose-answer`: done, then the connection ends without an answer
 * - `drop`: the connection ends and nothing was done
 * - a status: answered with it (a 502 is Cloudflare's page), and nothing was done, unless `isDone`
 * - throttle: answered 429
 */
export type Fate =
  | 'answer'
  | 'lose-answer'
  | 'drop'
  | { readonly status: 500 | 502 | 503 | 504; readonly isDone?: boolean }
  | { readonly throttleMs: number; readonly scope?: 'user' | 'global' | 'shared' };

/** How Discord misbehaves. May be changed at any time; each reading asks anew. */
export interface Faults {
  fateOf: (request: RestRequest) => Fate;
  /** Before each answer. */
  answerDelayMs: number;
  /** Heartbeats are read and not acknowledged: to the client, a zombie. */
  withholdAcks: boolean;
  /** The gateway falls silent: before its HELLO, or after an IDENTIFY. */
  silentFrom: 'hello' | 'ready' | null;
  /** IDENTIFY is answered with this close code. */
  refuseIdentifyWith: number | null;
  /** Edits of messages older than an hour answer 30046. */
  refuseOldEdits: boolean;
}

export const noFaults = (): Faults => ({
  fateOf: () => 'answer',
  answerDelayMs: 0,
  withholdAcks: false,
  silentFrom: null,
  refuseIdentifyWith: null,
  refuseOldEdits: false,
});

/** The fate of the next so many requests that `matches`. */
export const nextTimes = (
  count: number,
  fate: Fate,
  matches: (request: RestRequest) => boolean = () => true,
): Faults['fateOf'] => {
  let left = count;
  return (request) => {
    if (left <= 0 || !matches(request)) return 'answer';
    left -= 1;
    return fate;
  };
};
