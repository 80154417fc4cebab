import type { Endpoint, EndpointBody, EndpointResponse } from '#contracts/kernel/http.ts';
import { problemDocument } from '#contracts/kernel/problems.ts';
import { stackControl } from '#contracts/operations/stack.ts';
import { callSupervisor } from '../control/control-client.ts';
import { CommandFailure } from './exit-codes.ts';
import { notSupervised } from './not-supervised.ts';

/**
 * Asks the API as the owner of this machine, through the supervisor, the only one that holds the credential for that.
 * @throws {CommandFailure} with the API's own words when it refuses
 */
export const askLocalApi = async <E extends Endpoint>(
  home: string,
  endpoint: E,
  {
    params = {},
    body,
  }: {
    readonly params?: Readonly<Record<string, string>>;
    readonly body?: EndpointBody<E>;
  } = {},
): Promise<EndpointResponse<E>> => {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const answer = await callSupervisor(home, stackControl.callApi, {
    body: { method: endpoint.method, path, ...(body === undefined ? {} : { body }) },
  });
  if (!answer) throw await notSupervised(home);
  if (answer.status === 200) return endpoint.response.parse(answer.body) as EndpointResponse<E>;
  throw new CommandFailure(refusalOf(answer.status, answer.body));
};

const refusalOf = (status: number, body: unknown): string => {
  const { data } = problemDocument.safeParse(body);
  const faults = data?.errors?.map(({ path, message }) => `  ${path}: ${message}`) ?? [];
  return [data?.detail ?? data?.title ?? `The API answered ${status}.`, ...faults].join('\n');
};
