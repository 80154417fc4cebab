import { desktopAccessHttp } from '#contracts/identity/desktop-access.ts';
import type { Endpoint, EndpointBody, EndpointResponse } from '#contracts/kernel/http.ts';
import { StartupError } from '#runtime/program.ts';
import type { Stack } from '../stack/stack.ts';

/** Asks the API as the owner of this machine. */
export type AskAsOwner = <E extends Endpoint>(
  endpoint: E,
  said?: { readonly params?: Readonly<Record<string, string>>; readonly body?: EndpointBody<E> },
) => Promise<EndpointResponse<E>>;

/** Asks through a stack that we run. @throws {StartupError} when the API refuses */
export const askThrough =
  ({ callApi }: Pick<Stack, 'callApi'>): AskAsOwner =>
  async (endpoint, { params = {}, body } = {}) => {
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const { method } = endpoint;
    const answer = await callApi({ method, path, ...(body === undefined ? {} : { body }) });
    if (answer.status !== 200) throw new StartupError(`The API answered ${answer.status}.`);
    return endpoint.response.parse(answer.body) as EndpointResponse<typeof endpoint>;
  };

/** The credential that lets one user's desktop on this machine in; it replaces the one that this user had. */
export const makeDesktopAccess = async (ask: AskAsOwner, user: string): Promise<string> =>
  (await ask(desktopAccessHttp.create, { body: { user } })).credential;

/** Without services, no desktop needs to be let in. */
export const revokeDesktopAccess = async (ask: AskAsOwner): Promise<void> => {
  const { rows } = await ask(desktopAccessHttp.list);
  for (const { id } of rows) await ask(desktopAccessHttp.revoke, { params: { id } });
};
