import { accountHttp } from '#contracts/identity/account.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { addressOf, type CallInput } from '#contracts/kernel/call-input.ts';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';

/** The API answered with a refusal. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string | undefined;
  constructor(asked: string, status: number, text: string) {
    super(`${asked}: ${status} ${text}`);
    this.status = status;
    this.code = /"code":"(\w+)"/.exec(text)?.[1];
  }
}

export interface ApiSession {
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<EndpointResponse<E>>;
}

const timeoutMs = 30_000;

/** A person who has signed in like a script, and enters the password again for a step-up. */
export const signInToApi = async (
  apiUrl: string,
  person: { readonly name: string; readonly password: string },
): Promise<ApiSession> => {
  const send = async <E extends Endpoint>(
    endpoint: E,
    { params, query, body }: CallInput<E>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EndpointResponse<E>> => {
    const address = addressOf(endpoint.path, params, query);
    const response = await fetch(apiUrl + address, {
      method: endpoint.method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(endpoint.method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Refused(`${endpoint.method} ${address}`, response.status, text);
    return endpoint.response.parse(JSON.parse(text)) as EndpointResponse<E>;
  };
  const answer = await send(sessionsHttp.signIn, { body: { ...person, transport: 'bearer' } });
  if (answer.outcome !== 'signed-in') throw new Error(`${person.name} signs in with two steps`);
  const authorization = { Authorization: `Bearer ${answer.token}` };
  const call: ApiSession['call'] = (endpoint, input) =>
    send(endpoint, input, authorization).catch(async (error: unknown) => {
      if (!(error instanceof Refused) || error.code !== 'STEP_UP_REQUIRED') throw error;
      await send(accountHttp.stepUp, { body: { password: person.password } }, authorization);
      return send(endpoint, input, authorization);
    });
  return { call };
};
