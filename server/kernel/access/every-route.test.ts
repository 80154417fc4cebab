import { expect, test } from 'vitest';
import { discordHttp } from '#contracts/discord/discord.ts';
import { discordRightsHttp, ownDiscordHttp } from '#contracts/discord/discord-rights.ts';
import { discordRolesHttp } from '#contracts/discord/discord-roles.ts';
import { accountHttp } from '#contracts/identity/account.ts';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { desktopAccessHttp } from '#contracts/identity/desktop-access.ts';
import {
  botPermissions,
  discordUserPermissions,
  type Permission,
  permissionNames,
  permissions,
} from '#contracts/identity/permissions.ts';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { ticketsHttp } from '#contracts/identity/tickets.ts';
import { type Endpoint, guardedAccess, type Proof } from '#contracts/kernel/http.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { backupsHttp } from '#contracts/operations/backups.ts';
import { communityHttp } from '#contracts/operations/community-http.ts';
import { publicAddressHttp } from '#contracts/operations/public-address.ts';
import { setupHttp } from '#contracts/operations/setup.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { enrolmentsHttp } from '#contracts/servers/agent-enrolment.ts';
import { savesHttp } from '#contracts/servers/saves.ts';
import { catalogueTransferHttp } from '#contracts/store/catalogue-transfer.ts';
import { entitlementsHttp } from '#contracts/store/entitlements.ts';
import { rewardsHttp } from '#contracts/store/rewards.ts';
import { seasonsHttp } from '#contracts/store/seasons.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { chatTrustHttp } from '#contracts/storefronts/chat-trust.ts';
import { shopWebhooksHttp } from '#contracts/storefronts/shop-webhooks.ts';
import { shopsHttp } from '#contracts/storefronts/shops.ts';
import { createApp } from '#runtime/http/routes.ts';
import { bindFeatures } from '../../app.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { ask } from '../testing/ask.ts';
import { call, customRole, newApiKey, person, signIn } from '../testing/call.ts';
import { linkToOwner } from '../testing/discord-user.ts';
import { testBotSecret } from '../testing/test-api.ts';
import { createApiRoutes } from './authorize.ts';

const running = apiForThisFile();

/** What the API binds, and nothing else: app.test.ts compares it with Express's own router. */
const endpoints = (): readonly Endpoint[] => {
  const routes = createApiRoutes(createApp(false), {
    authorize: () => {
      throw new Error('nothing is asked here');
    },
  });
  bindFeatures(routes, running().api.context);
  return routes.endpoints;
};

const isPermission = (access: string): access is Permission => Object.hasOwn(permissions, access);

/** Needs no credential in a header: agents prove themselves by the body, which the tests next to the gateway cover. */
const provesNothing = ({ access }: Endpoint): boolean => access === 'public' || access === 'agent';

/** A proxy's header removes what this machine itself may do without a credential. */
const fromAfar = { 'X-Forwarded-For': '192.0.2.1' };
const knock = ({ method, path }: Endpoint, token?: string, more: Readonly<Record<string, string>> = {}) =>
  ask(running().port, path.replace(/:\w+/g, 'some-id'), {
    method,
    headers: { ...fromAfar, ...more, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
  });

// Guarantee: every route declares who may call it, in meaningful terms.
test('every route declares its access', () => {
  const known = ['public', 'signed-in', 'session', 'owner', 'agent', 'discord-user', ...permissionNames];
  expect(endpoints().length).toBeGreaterThan(30);
  for (const { method, path, access } of endpoints()) expect(known, `${method} ${path}`).toContain(access);
});

// Guarantee: a route that could create an account, or keep one alive, declares which proof it takes; only a person
// changes admins, roles, keys or their own account through it, and the routes that ask for that person again are these.
test('every guarded route declares its proof', () => {
  const guarded = endpoints().filter(({ access }) => guardedAccess.some((each) => each === access));
  expect(guarded.length).toBeGreaterThan(15);
  const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
  for (const route of guarded) {
    expect(route.proof, nameOf(route)).toBeDefined();
    if (route.proof === 'any') expect(nameOf(route)).toBe(nameOf(apiKeysHttp.revoke));
  }
  const asking = (proof: Proof) =>
    new Set(
      endpoints()
        .filter((route) => route.proof === proof)
        .map(nameOf),
    );
  const { merge, undoMerge, redeemCode, linkCode, erase } = membersHttp;
  const ofMembers = [merge, undoMerge, redeemCode, linkCode, erase];
  const { addSecret, removeSecret, setProducts } = shopsHttp;
  const ofShops = [
    shopsHttp.create,
    shopsHttp.change,
    shopsHttp.remove,
    setProducts,
    addSecret,
    removeSecret,
  ];
  const { createRule, changeRule, createBatch } = rewardsHttp;
  const ofRewards = [createRule, changeRule, createBatch];
  const ofSeasons = [seasonsHttp.begin, seasonsHttp.undo];
  expect(asking('step-up')).toEqual(
    new Set(
      [
        apiKeysHttp.create,
        backupsHttp.prepareDownload,
        discordHttp.change,
        discordRightsHttp.set,
        discordRolesHttp.enable,
        ownDiscordHttp.code,
        adminsHttp.resetPassword,
        desktopAccessHttp.create,
        enrolmentsHttp.create,
        entitlementsHttp.end,
        modsHttp.begin,
        modsHttp.beginWave,
        ...ofMembers,
        chatTrustHttp.set,
        chatTrustHttp.confirm,
        ...ofShops,
        ...ofRewards,
        ...ofSeasons,
        savesHttp.run,
        catalogueTransferHttp.import,
        storeHttp.approve,
      ].map(nameOf),
    ),
  );
  const { create, change, remove } = adminsHttp;
  const byCase = [create, change, remove, rolesHttp.create, rolesHttp.change];
  expect(asking('step-up-by-case')).toEqual(
    new Set([...byCase, accountHttp.disableTotp, accountHttp.renewRecoveryCodes].map(nameOf)),
  );
});

// Guarantee: every route that requires a person refuses a program, and every route that asks for the person again
// refuses a session without a recent step-up, before the body is read.
test('programs and sessions without a step-up', async () => {
  const { port } = running();
  const owner = await person(port, { role: 'owner' });
  const all = permissionNames.filter((name) => name !== 'bot.report');
  const { key } = await newApiKey(port, owner.token, { name: 'all', permissions: all, expiresInDays: 1 });
  const fresh = await signIn(port, owner.name, owner.password);
  for (const endpoint of endpoints()) {
    const { proof = 'any', method, path } = endpoint;
    if (proof === 'any') continue;
    const program = await knock(endpoint, key);
    expect([program.status, program.json.code], `${method} ${path}`).toEqual([403, 'PERSON_REQUIRED']);
    if (proof !== 'step-up') continue;
    const session = await knock(endpoint, fresh);
    expect([session.status, session.json.code], `${method} ${path}`).toEqual([403, 'STEP_UP_REQUIRED']);
  }
});

// Guarantee: only signing in, the first set-up, the name and logo of the community, the proof that an API key is known,
// and what a signature proves are open to everyone; a new public route has to be named here.
test('what is public', () => {
  const open = endpoints().filter(({ access }) => access === 'public');
  const expected = [
    ...[setupHttp.state, setupHttp.createOwner, sessionsHttp.signIn, sessionsHttp.secondStep],
    ...[communityHttp.read, communityHttp.logo],
    publicAddressHttp.seen,
    apiKeysHttp.prove,
    shopWebhooksHttp.take,
    ...[modsHttp.playerList, modsHttp.playerPack, modsHttp.playerPage],
  ];
  expect(new Set(open)).toEqual(new Set(expected));
});

// Guarantee: without a credential, or with an invalid one, every other route answers 401, no matter what the body is.
test('nobody', async () => {
  for (const endpoint of endpoints()) {
    if (provesNothing(endpoint)) continue;
    for (const token of [undefined, 'nonsense', `cse_${'A'.repeat(43)}`, `cst_abc_${'A'.repeat(43)}`]) {
      const { status, json } = await knock(endpoint, token);
      expect([status, json.code], `${endpoint.method} ${endpoint.path}`).toEqual([401, 'UNAUTHENTICATED']);
    }
  }
});

// Guarantee: a caller that holds every permission but the required one is refused, by session and by API key alike.
test('somebody who lacks the permission', async () => {
  const { port } = running();
  const needed = new Set(
    endpoints()
      .map(({ access }) => access)
      .filter(isPermission),
  );
  for (const lacking of needed) {
    const all = permissionNames.filter((name) => name !== 'bot.report');
    const held = all.filter((name) => name !== lacking);
    const { token } = await person(port, { role: await customRole(port, held) });
    const key = held.includes('api-keys.write')
      ? (await newApiKey(port, token, { name: 'k', permissions: held, expiresInDays: 1 })).key
      : null;
    for (const endpoint of endpoints().filter(({ access }) => access === lacking)) {
      for (const shown of key === null ? [token] : [token, key]) {
        const { status, json } = await knock(endpoint, shown);
        expect([status, json.code], `${endpoint.method} ${endpoint.path}`).toEqual([403, 'FORBIDDEN']);
      }
    }
  }
});

// Guarantee: the bot reaches what is on its list and nothing else; it has no account, no session and no ticket.
test('the bot', async () => {
  for (const endpoint of endpoints()) {
    const { access, method, path } = endpoint;
    if (provesNothing(endpoint) || (isPermission(access) && botPermissions.includes(access))) continue;
    const { status, json } = await knock(endpoint, testBotSecret);
    expect([status, json.code], `${method} ${path}`).toEqual([403, 'FORBIDDEN']);
  }
  const { port } = running();
  const answer = await call(port, sessionsHttp.signIn, {
    as: testBotSecret,
    body: { name: 'discord', password: testBotSecret },
  });
  expect(answer.json.code).toBe('WRONG_CREDENTIALS');
  expect((await call(port, ticketsHttp.issue, { as: testBotSecret })).status).toBe(403);
});

// Guarantee: a person in Discord whose account belongs to an owner, and whose role has everything that a role can have,
// reaches what is on the list and what is their own, and nothing else.
test('a person in Discord', async () => {
  const { port } = running();
  const owner = await person(port, { role: 'owner' });
  const user = { id: '111111111111111111', roleId: '222222222222222222' };
  const { asked, linked, mapped } = await linkToOwner(port, owner.token, user);
  expect(linked.json.linked).toBe('admin');
  expect(mapped.status).toBe(200);
  const { as, headers } = asked;
  for (const endpoint of endpoints()) {
    const { access, method, path } = endpoint;
    const isListed = discordUserPermissions.some((name) => name === access);
    if (provesNothing(endpoint) || isListed || access === 'discord-user') continue;
    const { status, json: answer } = await knock(endpoint, as, headers);
    expect([status, answer.code], `${method} ${path}`).toEqual([403, 'FORBIDDEN']);
  }
  for (const { access, proof } of endpoints())
    if (discordUserPermissions.some((name) => name === access)) expect(proof ?? 'any').toBe('any');
});

// Guarantee: an API key is not a person: it opens no session and changes no account.
test('an API key', async () => {
  const { port } = running();
  const { token } = await person(port, { role: 'owner' });
  const { key } = await newApiKey(port, token, {
    name: 'all',
    permissions: permissionNames.filter((name) => name !== 'bot.report'),
    expiresInDays: 1,
  });
  expect((await call(port, accountHttp.me, { as: key })).json).toMatchObject({
    kind: 'api-key',
    account: null,
  });
  for (const endpoint of endpoints().filter(({ access }) => access === 'session'))
    expect((await knock(endpoint, key)).status, endpoint.path).toBe(403);
});
