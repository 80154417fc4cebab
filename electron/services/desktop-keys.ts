import { type ApiKey, apiKeyMaxDays, apiKeysHttp } from '#contracts/api-keys.ts';
import type { Endpoint, EndpointBody, EndpointResponse } from '#contracts/http.ts';
import { builtInRoles } from '#contracts/permissions.ts';
import { StartupError } from '#runtime/program.ts';
import type { Stack } from '../stack/stack.ts';

/** Asks the API as the owner of this machine. */
export type AskAsOwner = <E extends Endpoint>(
  endpoint: E,
  said?: { readonly params?: Readonly<Record<string, string>>; readonly body?: EndpointBody<E> },
) => Promise<EndpointResponse<E>>;

/** Through a stack that is run by ourselves. @throws {StartupError} when the API refuses */
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

const namePrefix = 'Desktop of ';
/** A name has at most 64 characters. */
const longestUser = 50;
const nameOf = (user: string): string => namePrefix + [...user].slice(0, longestUser).join('');

/** Made by the owner of this machine and not by an admin who has signed in. */
const isDesktops = ({ name, creatorId }: ApiKey): boolean =>
  creatorId === null && name.startsWith(namePrefix);

/** A key for the desktop of one user of this machine; it takes the place of the one that this user had. */
export const makeDesktopKey = async (ask: AskAsOwner, user: string): Promise<string> => {
  const name = nameOf(user);
  const { rows } = await ask(apiKeysHttp.list);
  const { key, apiKey } = await ask(apiKeysHttp.create, {
    body: { name, permissions: [...builtInRoles.owner], expiresInDays: apiKeyMaxDays },
  });
  for (const row of rows)
    if (isDesktops(row) && row.name === apiKey.name)
      await ask(apiKeysHttp.revoke, { params: { id: row.id } });
  return key;
};

/** Where no services are, no desktop needs a key. */
export const revokeDesktopKeys = async (ask: AskAsOwner): Promise<void> => {
  const { rows } = await ask(apiKeysHttp.list);
  for (const row of rows.filter(isDesktops)) await ask(apiKeysHttp.revoke, { params: { id: row.id } });
};
