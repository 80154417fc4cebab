import type { CallInput } from '#contracts/kernel/call-input.ts';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';
import { ApiAway, ApiProblem, isConflict } from './api-problem.ts';
import { type CallOptions, callOnce } from './call.ts';

/** A change that got no answer: whether it was saved is not known, and it is not sent again. */
export class NotSaved extends ApiAway {
  override readonly name = 'NotSaved';
}

type Listener = (isAnyWaiting: boolean) => void;
const listeners = new Set<Listener>();

/** Calls back when the first change begins to wait until it can be sent again, and when none does any more. */
export const onUnsent = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

let waiting = 0;
const count = (change: 1 | -1): void => {
  const wasAny = waiting > 0;
  waiting += change;
  if (waiting > 0 !== wasAny) for (const listener of listeners) listener(waiting > 0);
};

interface Timing {
  readonly pauseMs: number;
  /** A person waits no longer for a change. */
  readonly mostMs: number;
}
const usual: Timing = { pauseMs: 2000, mostMs: 120_000 };

/**
 * Calls an endpoint that changes something. While the API is away, it is sent again with the same key: what has no key and says not
 * what it is based on, only if it surely was not sent.
 * @throws {NotSaved} no answer came, or only one to a repetition, which proves nothing about the first
 * @throws what `callOnce` throws
 */
export const sendChange = async <const E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
  { pauseMs, mostMs }: Timing = usual,
): Promise<EndpointResponse<E>> => {
  const { idempotencyKey = crypto.randomUUID(), ...rest } = options;
  const isKeyed = endpoint.idempotent === true;
  const { body } = input as { readonly body?: unknown };
  const isBased = typeof body === 'object' && body !== null && ('version' in body || 'seen' in body);
  const isRepeatable = isKeyed || isBased;
  const giveUpAtMs = performance.now() + mostMs;
  let isWaiting = false;
  let isAnswerLost = false;
  try {
    for (;;) {
      try {
        return await callOnce(endpoint, input, { ...rest, ...(isKeyed && { idempotencyKey }) });
      } catch (error) {
        // The version may be newer because of the first try.
        if (isAnswerLost && isConflict(error)) throw new NotSaved('the answer was lost', { cause: error });
        if (!isAway(error)) throw error;
        const isUnsent = isNeverSent(error);
        isAnswerLost ||= !isUnsent;
        if (!(isRepeatable || isUnsent) || performance.now() >= giveUpAtMs)
          throw new NotSaved('no answer to a change', { cause: error });
        if (!isWaiting) count(1);
        isWaiting = true;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  } finally {
    if (isWaiting) count(-1);
  }
};

const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof ApiProblem && error.code !== undefined && codes.includes(error.code);

/** The desktop says so before it sends anything. */
const isNeverSent = (error: unknown): boolean => isCode(error, 'API_UNAVAILABLE', 'SHUTTING_DOWN');
const isAway = (error: unknown): boolean =>
  error instanceof ApiAway || isNeverSent(error) || isCode(error, 'DATABASE_UNAVAILABLE');
