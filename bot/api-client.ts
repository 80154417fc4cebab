import { type DiscordUser, discordUserHeader, encodeDiscordUser } from '#contracts/discord/discord-users.ts';
import { addressOf, type CallInput } from '#contracts/kernel/call-input.ts';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';
import { type ProblemCode, type ProblemDocument, problemDocument } from '#contracts/kernel/problems.ts';
import type { Secret } from '#runtime/secret.ts';

/** Why the API did not do what it was asked, in words. */
export class ApiFault extends Error {
  override readonly name: string = 'ApiFault';
}

/** The API answered with a refusal. */
export class ApiProblem extends ApiFault {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** Null when something between the bot and the API answered instead. */
  readonly document: ProblemDocument | null;

  constructor(status: number, document: ProblemDocument | null) {
    super(`the API answers ${status}`);
    this.status = status;
    this.document = document;
  }

  get code(): ProblemCode | undefined {
    return this.document?.code;
  }
}

export interface ApiCallOptions {
  /** Ends the call early. */
  readonly signal?: AbortSignal;
  /** Covers the whole answer. */
  readonly deadlineMs?: number;
  readonly idempotencyKey?: string;
  /** The person whom the call is for: the API decides what they may do. */
  readonly user?: DiscordUser;
}

/** Calls endpoints of the API with the bot's own secret. */
export interface ApiClient {
  /**
   * @throws {ApiProblem} the API refuses
   * @throws {ApiFault} no answer in time, or an answer of another version; also when `signal` ends the call
   */
  call<const E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    options?: ApiCallOptions,
  ): Promise<EndpointResponse<E>>;
}

const usualDeadlineMs = 5000;

export const createApiClient = (apiUrl: string, secret: Secret): ApiClient => ({
  async call(endpoint, input, { signal, deadlineMs = usualDeadlineMs, idempotencyKey, user } = {}) {
    const { params, query, body } = input as { params?: unknown; query?: unknown; body?: unknown };
    const deadline = AbortSignal.timeout(deadlineMs);
    const response = await fetch(new URL(addressOf(endpoint.path, params, query), apiUrl), {
      method: endpoint.method,
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${secret.reveal()}`,
        ...(user && { [discordUserHeader]: encodeDiscordUser(user) }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(endpoint.method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    }).catch(() => null);
    if (!response) throw new ApiFault('the API does not answer');
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw new ApiProblem(response.status, problemDocument.safeParse(answer).data ?? null);
    if (answer === undefined) throw new ApiFault('the answer of the API broke off');
    const parsed = endpoint.response.safeParse(answer);
    if (!parsed.success) throw new ApiFault('the API is of another version', { cause: parsed.error });
    return parsed.data as EndpointResponse<typeof endpoint>;
  },
});
