/** A received request, by which a fault is chosen. */
export interface RestRequest {
  readonly method: string;
  /** Without /api/v10 and query. */
  readonly path: string;
  readonly body: unknown;
}

/**
 * What happens to a request.
 * - `answer`: carried out and answered
 * - `lose-answer`: carried out, then the connection ends without an answer
 * - `drop`: the connection ends and nothing was carried out
 * - a status: answered with it (502 is Cloudflare's page), and not carried out, unless `isDone`
 * - throttle: answered 429
 */
export type Fate =
  | 'answer'
  | 'lose-answer'
  | 'drop'
  | { readonly status: 500 | 502 | 503 | 504; readonly isDone?: boolean }
  | { readonly throttleMs: number; readonly scope?: 'user' | 'global' | 'shared' };

/** How Discord misbehaves. May be changed at any time; it is read on each use. */
export interface Faults {
  fateOf: (request: RestRequest) => Fate;
  /** Before each answer. */
  answerDelayMs: number;
  /** Heartbeats are read but not acknowledged: for the client, a zombie connection. */
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

/** The given fate for the next `count` matching requests. */
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
