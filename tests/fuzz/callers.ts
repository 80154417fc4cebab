import {
  botPermissions,
  discordUserPermissions,
  type Permission,
  permissionNames,
  permissions,
} from '#contracts/identity/permissions.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { Secret } from '#runtime/secret.ts';
import { customRole, newApiKey, person, signIn } from '../../server/kernel/testing/call.ts';
import { linkToOwner } from '../../server/kernel/testing/discord-user.ts';
import { testBotSecret, testDesktopCredential } from '../../server/kernel/testing/test-api.ts';

export const callerGroups = [
  'others',
  'one right for one server',
  'one right',
  'one right, asked again',
  'one right, by key',
] as const;
export type CallerGroup = (typeof callerGroups)[number];

type Headers = Readonly<Record<string, string>>;

/** One who asks, with what the routes' declarations give them. */
export interface Caller {
  readonly name: string;
  readonly kind: 'nobody' | 'admin' | 'api-key' | 'desktop' | 'bot' | 'discord';
  readonly holds: readonly Permission[];
  /** The only server for which `holds` was granted. */
  readonly onlyServer?: string;
  readonly steppedUp?: boolean;
  /** Makes the credential, which others who were here before may not have touched. @param port of the API */
  headers(port: number): Promise<Headers>;
}

const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });
export const desktopHeaders: Headers = {
  ...bearer(testDesktopCredential),
  [confirmationHeader]: confirmationBy(new Secret(testDesktopCredential)),
};

const ofPeople = permissionNames.filter((name) => name !== 'bot.report');
const keyName = 'matrix';

const byKey = async (port: number, holds: readonly Permission[]): Promise<Headers> => {
  const made = await newApiKey(port, testDesktopCredential, {
    ...{ name: keyName, permissions: [...holds], expiresInDays: 1 },
  });
  return bearer(made.key);
};

const bySession = async (
  port: number,
  { holds, onlyServer, steppedUp = false }: Pick<Caller, 'holds' | 'onlyServer' | 'steppedUp'>,
): Promise<Headers> => {
  const role = await customRole(port, [...holds]);
  const rights =
    onlyServer === undefined ? { role } : { role: null, serverGrants: [{ serverId: onlyServer, role }] };
  const made = await person(port, rights);
  return bearer(steppedUp ? made.token : await signIn(port, made.name, made.password));
};

/** By an owner's account that is linked, with a role that has everything that a role may have. */
const byDiscord = async (port: number): Promise<Headers> => {
  const owner = await person(port, { role: 'owner' });
  const user = { id: '999999999999999999', roleId: '222222222222222222' };
  const { asked, linked, mapped } = await linkToOwner(port, owner.token, user);
  if (linked.json.linked !== 'admin' || mapped.status !== 200) throw new Error(linked.text + mapped.text);
  return { ...bearer(asked.as), ...asked.headers };
};

const withoutRole = async (port: number): Promise<Headers> =>
  bearer((await person(port, { role: null })).token);

/** Everyone who may ask, in groups; `serverId` is the one that some have a right for. */
export const callers = (serverId: string): Readonly<Record<CallerGroup, readonly Caller[]>> => ({
  others: [
    { name: 'no one', kind: 'nobody', holds: [], headers: async () => ({}) },
    {
      ...{ name: 'a secret that no one gave', kind: 'nobody', holds: [] },
      headers: async () => bearer(`cse_${'A'.repeat(43)}`),
    },
    { name: 'the bot', kind: 'bot', holds: botPermissions, headers: async () => bearer(testBotSecret) },
    { name: 'a person in Discord', kind: 'discord', holds: discordUserPermissions, headers: byDiscord },
    {
      ...{ name: 'an admin without a role', kind: 'admin', holds: [], steppedUp: true },
      headers: withoutRole,
    },
    {
      ...{ name: 'a key with everything', kind: 'api-key', holds: ofPeople },
      headers: (port) => byKey(port, ofPeople),
    },
    {
      ...{ name: 'an admin with everything, signed in before', kind: 'admin', holds: ofPeople },
      headers: (port) => bySession(port, { holds: ofPeople }),
    },
    {
      ...{ name: 'the desktop, unconfirmed', kind: 'desktop', holds: ofPeople },
      headers: async () => bearer(testDesktopCredential),
    },
    {
      ...{ name: 'the desktop', kind: 'desktop', holds: ofPeople, steppedUp: true },
      headers: async () => desktopHeaders,
    },
  ],
  'one right for one server': ofPeople
    .filter((name) => permissions[name].perServer)
    .map((name): Caller => {
      const rights = { holds: [name], onlyServer: serverId, steppedUp: true };
      return { name, kind: 'admin', ...rights, headers: (port) => bySession(port, rights) };
    }),
  'one right': ofPeople.map(
    (name): Caller => ({
      ...{ name, kind: 'admin', holds: [name] },
      headers: (port) => bySession(port, { holds: [name] }),
    }),
  ),
  'one right, asked again': ofPeople.map(
    (name): Caller => ({
      ...{ name, kind: 'admin', holds: [name], steppedUp: true },
      headers: (port) => bySession(port, { holds: [name], steppedUp: true }),
    }),
  ),
  'one right, by key': ofPeople.map(
    (name): Caller => ({
      ...{ name, kind: 'api-key', holds: [name] },
      headers: (port) => byKey(port, [name]),
    }),
  ),
});
