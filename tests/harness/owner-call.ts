import type * as z from 'zod';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';
import type { ApiProcess } from './licensed-home.ts';

export interface OwnerCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Calls an endpoint as the owner of the machine. @throws when it is refused */
export const callAsOwner = async <E extends Endpoint>(
  api: Pick<ApiProcess, 'fetch'>,
  endpoint: E,
  { params = {}, body }: OwnerCall = {},
): Promise<EndpointResponse<E>> => {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  const answer = await api.fetch(path, {
    method: endpoint.method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${endpoint.method} ${path}: ${text}`);
  return (endpoint.response as z.ZodType).parse(JSON.parse(text)) as never;
};
