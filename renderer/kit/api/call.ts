import { addressOf, type CallInput } from '#contracts/kernel/call-input.ts';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';
import { licenseCheckHeader } from '#contracts/license/license-state.ts';
import {
  AnswerNotUnderstood,
  ApiAway,
  ApiProblem,
  isForeignPage,
  ProxyRefusal,
  readProblem,
} from './api-problem.ts';
import { heardServerTime } from './server-clock.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For an endpoint that accepts one: if the call is repeated with it, the change is made once. */
  readonly idempotencyKey?: string;
  /** The body of an endpoint that takes bytes instead of JSON. */
  readonly bytes?: Blob;
  /** While the license keeps the API closed, the API first asks the portal. */
  readonly checksLicense?: boolean;
}

/** @param sentAtMs when its call was sent, by `performance.now()` */
type Listener = (problem: ApiProblem, sentAtMs: number) => void;
const listeners = new Set<Listener>();

/** Calls back for every problem response of any call: the end of the session and the license concern more than one caller. */
export const onProblem = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Asks the person for the password or a code again. @returns whether the person confirmed */
type StepUpAsker = () => Promise<boolean>;
let askForStepUp: StepUpAsker | null = null;

/** A call that was refused for lack of a step-up is repeated, once, after `ask` has succeeded. */
export const onStepUpRequired = (ask: StepUpAsker): void => {
  askForStepUp = ask;
};

type Read = Endpoint & { readonly method: 'GET' };

/** Reads from an endpoint, as `callOnce`. What changes something is sent by `sendChange`, which knows whether it was saved. */
export const call = <const E extends Read>(
  endpoint: E,
  input: CallInput<E>,
  options?: CallOptions,
): Promise<EndpointResponse<E>> => callOnce(endpoint, input, options);

/**
 * Calls an endpoint of the API without a second try, and asks the person first if it requires that: for previews, for signing in
 * and confirming, and for callers that find out by themselves what became of a change without an answer.
 * @throws {ApiProblem} its refusal
 * @throws {ApiAway} no answer
 * @throws {ProxyRefusal} what stands in between refused it
 * @throws {AnswerNotUnderstood} an answer of another version
 */
export const callOnce = async <const E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<EndpointResponse<E>> => {
  try {
    return await send(endpoint, input, options);
  } catch (error) {
    const isStepUpRequired = error instanceof ApiProblem && error.code === 'STEP_UP_REQUIRED';
    if (!isStepUpRequired || !(await askForStepUp?.())) throw error;
    return send(endpoint, input, options);
  }
};

const send = async <const E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  { signal, idempotencyKey, bytes, checksLicense }: CallOptions,
): Promise<EndpointResponse<E>> => {
  const { params, query, body } = input as { params?: unknown; query?: unknown; body?: unknown };
  const sentAtMs = performance.now();
  const isUnsafe = endpoint.method !== 'GET';
  const response = await fetch(addressOf(endpoint.path, params, query), {
    method: endpoint.method,
    headers: {
      // Changes without a body declare JSON all the same: no other site can send that.
      ...(isUnsafe && {
        'Content-Type': bytes ? (endpoint.bodyType ?? 'application/octet-stream') : 'application/json',
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      }),
      ...(checksLicense && { [licenseCheckHeader]: '1' }),
    },
    ...(isUnsafe && { body: bytes ?? JSON.stringify(body ?? {}) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiAway('no answer from the API', { cause: error });
  });
  heardServerTime(response.headers.get('Date'));
  if (!response.ok) {
    const problem = await readProblem(response);
    if (problem instanceof ApiProblem) for (const listener of listeners) listener(problem, sentAtMs);
    throw problem;
  }
  if (isForeignPage(response)) throw new ProxyRefusal(response);
  const answer: unknown = await response.json().catch((error: unknown) => {
    throw new ApiAway('the answer broke off', { cause: error });
  });
  const parsed = endpoint.response.safeParse(answer);
  if (!parsed.success)
    throw new AnswerNotUnderstood(`${endpoint.method} ${endpoint.path}`, { cause: parsed.error });
  return parsed.data as EndpointResponse<E>;
};
