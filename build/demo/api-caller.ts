import type * as z from 'zod';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import type { Endpoint, EndpointBody, EndpointResponse } from '#contracts/kernel/http.ts';
import { StartupError } from '#runtime/program.ts';
import type { DemoStack } from './stack.ts';

export interface ApiCaller {
  /** Calls an endpoint without parameters in its path. @throws {StartupError} when it is refused */
  call<E extends Endpoint>(endpoint: E, body?: EndpointBody<E>): Promise<EndpointResponse<E>>;
  /** The same for an endpoint with parameters in its path. */
  callWith<E extends Endpoint>(
    endpoint: E,
    params: Readonly<Record<string, string>>,
    body?: EndpointBody<E>,
  ): Promise<EndpointResponse<E>>;
}

const timeoutMs = 10_000;

/** Calls an endpoint of the API. @throws {StartupError} when it is refused */
export const callApi = async <E extends Endpoint>(
  apiUrl: string,
  endpoint: E,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  params: Readonly<Record<string, string>> = {},
): Promise<EndpointResponse<E>> => {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  const response = await fetch(apiUrl + path, {
    method: endpoint.method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  if (!response.ok) throw new StartupError(`${endpoint.method} ${path}: ${text}`);
  const schema: z.ZodType = endpoint.response;
  return schema.parse(JSON.parse(text)) as EndpointResponse<E>;
};

/** Signs in as the demo's owner. */
export const signInToApi = async ({
  apiUrl,
  admin,
}: Pick<DemoStack, 'apiUrl' | 'admin'>): Promise<ApiCaller> => {
  const signedIn = await callApi(apiUrl, sessionsHttp.signIn, { ...admin, transport: 'bearer' });
  if (signedIn.outcome !== 'signed-in') throw new StartupError('The demo cannot sign in: two steps are on.');
  const authorization = { Authorization: `Bearer ${signedIn.token}` };
  return {
    call: (endpoint, body) => callApi(apiUrl, endpoint, body, authorization),
    callWith: (endpoint, params, body) => callApi(apiUrl, endpoint, body, authorization, params),
  };
};
