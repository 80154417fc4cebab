import { randomBytes } from 'node:crypto';
import { accountHttp } from '#contracts/identity/account.ts';
import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import type { Permission } from '#contracts/identity/permissions.ts';
import { type Role, rolesHttp } from '#contracts/identity/roles.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import type { Endpoint, EndpointBody } from '#contracts/kernel/http.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { Secret } from '#runtime/secret.ts';
import { type Answer, ask } from './ask.ts';
import { testDesktopCredential } from './test-api.ts';

export interface CallOptions<E extends Endpoint> {
  /** Bearer token. */
  readonly as?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: EndpointBody<E>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly localAddress?: string;
  /** Whether the desktop's credential comes with the person's confirmation; defaults to true. */
  readonly confirmed?: boolean;
}

const confirmation = { [confirmationHeader]: confirmationBy(new Secret(testDesktopCredential)) };

/** Calls an endpoint of the API as a client would. */
export const call = <const E extends Endpoint>(
  port: number,
  endpoint: E,
  { as, params = {}, body, headers = {}, localAddress, confirmed = true }: CallOptions<E> = {},
): Promise<Answer> =>
  ask(
    port,
    endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? ''),
    {
      method: endpoint.method,
      headers: {
        ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
        ...(as === testDesktopCredential && confirmed ? confirmation : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(localAddress === undefined ? {} : { localAddress }),
    },
  );

export interface TestPerson {
  readonly id: string;
  readonly name: string;
  readonly password: string;
  /** A session's token. */
  readonly token: string;
}

let people = 0;

/** Creates an admin, as the owner of the machine, who signs in with a fresh step-up. */
export const person = async (
  port: number,
  rights: { readonly role: string | null; readonly serverGrants?: { serverId: string; role: string }[] },
): Promise<TestPerson> => {
  people += 1;
  const name = `person ${people}`;
  const password = randomBytes(9).toString('base64url');
  const made = await call(port, adminsHttp.create, {
    as: testDesktopCredential,
    body: { name, password, ...rights },
  });
  if (made.status !== 200) throw new Error(made.text);
  const token = await signIn(port, name, password);
  await stepUp(port, token, password);
  return { id: String(made.json.id), name, password, token };
};

export const stepUp = async (port: number, token: string, password: string): Promise<void> => {
  const { status, text } = await call(port, accountHttp.stepUp, { as: token, body: { password } });
  if (status !== 200) throw new Error(text);
};

/** @returns a session's token */
export const signIn = async (port: number, name: string, password: string): Promise<string> => {
  const answer = await call(port, sessionsHttp.signIn, { body: { name, password, transport: 'bearer' } });
  if (answer.json.outcome !== 'signed-in') throw new Error(answer.text);
  return String(answer.json.token);
};

/** Creates a role with these permissions. @returns its id */
export const customRole = async (port: number, permissions: Permission[]): Promise<string> => {
  people += 1;
  const made = await call(port, rolesHttp.create, {
    as: testDesktopCredential,
    body: { name: `role ${people}`, permissions },
  });
  if (made.status !== 200) throw new Error(made.text);
  return String(made.json.id);
};

export type AdminEdit = Omit<EndpointBody<(typeof adminsHttp)['change']>, 'version'>;

/** Changes an admin, based on its current state. */
export const changeAdmin = async (
  port: number,
  { as, id, edit }: { readonly as: string; readonly id: string; readonly edit: AdminEdit },
): Promise<Answer> => {
  const { json } = await call(port, adminsHttp.list, { as: testDesktopCredential });
  const version = (json.rows as Admin[]).find((admin) => admin.id === id)?.version ?? 0;
  return call(port, adminsHttp.change, { as, params: { id }, body: { version, ...edit } });
};

type RoleEdit = EndpointBody<(typeof rolesHttp)['create']>;

/** Changes a role, based on its current state. */
export const changeRole = async (
  port: number,
  { as, id, edit }: { readonly as: string; readonly id: string; readonly edit: RoleEdit },
): Promise<Answer> => {
  const { json } = await call(port, rolesHttp.list, { as: testDesktopCredential });
  const version = (json.rows as Role[]).find((role) => role.id === id)?.version ?? 0;
  return call(port, rolesHttp.change, { as, params: { id }, body: { version, ...edit } });
};

export const newApiKey = async (
  port: number,
  as: string,
  body: EndpointBody<(typeof apiKeysHttp)['create']>,
): Promise<{ readonly id: string; readonly key: string }> => {
  const made = await call(port, apiKeysHttp.create, { as, body });
  if (made.status !== 200) throw new Error(made.text);
  return { id: (made.json.apiKey as { id: string }).id, key: String(made.json.key) };
};

/** Creates a cluster, as the owner of the machine. @returns its id */
export const newCluster = async (port: number): Promise<string> => {
  people += 1;
  const made = await call(port, clustersHttp.create, {
    as: testDesktopCredential,
    body: { name: `cluster ${people}` },
  });
  if (made.status !== 200) throw new Error(made.text);
  return String(made.json.id);
};

/** Creates a game server, as the owner of the machine; in its own cluster by default. @returns its id */
export const newServer = async (
  port: number,
  body: Partial<EndpointBody<(typeof gameServersHttp)['create']>> = {},
): Promise<string> => {
  people += 1;
  const clusterId = body.clusterId ?? (await newCluster(port));
  const made = await call(port, gameServersHttp.create, {
    as: testDesktopCredential,
    body: { name: `server ${people}`, game: 'minecraft', ...body, clusterId },
  });
  if (made.status !== 200) throw new Error(made.text);
  return String(made.json.id);
};
