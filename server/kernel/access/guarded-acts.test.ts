import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { createApp } from '#runtime/http/routes.ts';
import { bindFeatures } from '../../app.ts';
import { commandNames } from '../../storefronts/parse-command.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { createApiRoutes } from './authorize.ts';

/** Acts that ask a person again, and every way to the same end. A route's declared proof holds for the panel, for API keys and for the desktop. */
interface GuardedAct {
  readonly act: string;
  /** By the routes of admins, programs and the desktop: these declare `step-up`. */
  readonly routes: readonly string[];
  /** Routes whose handler asks in some cases, and in which. */
  readonly byCase?: Readonly<Record<string, string>>;
  /** By people in Discord, and what guards it there. */
  readonly discord?: Readonly<Record<string, string>>;
  /** By commands in chat, and what guards it there. */
  readonly chat?: Readonly<Partial<Record<(typeof commandNames)[number], string>>>;
}

const acts: readonly GuardedAct[] = [
  {
    act: 'join the wallets of two members, or separate them',
    routes: [
      'POST /api/members/:id/merge',
      'POST /api/members/:id/merges/:mergeId/undo',
      'POST /api/members/:id/link',
      'POST /api/members/:id/link-code',
    ],
    discord: {
      'POST /api/internal/discord/link': 'only the own account, with a code that was whispered to the player',
      'POST /api/internal/discord/link-code': 'only for the own account',
      'POST /api/internal/discord/unlink': 'only the own account; players and wallet stay together',
    },
    chat: {
      link: 'only the own player, with a number that was whispered to them, on a server that is trusted',
    },
  },
  {
    act: 'let the chat of a server spend and link',
    routes: ['PUT /api/servers/:id/chat-trust', 'POST /api/players/:id/chat-confirmation'],
    discord: {
      'POST /api/internal/discord/newcomers': 'only for the own player, on a server that is trusted',
    },
  },
  {
    act: "change whose word a server's is",
    routes: ['POST /api/agents/:serverId/enrolment'],
    byCase: {
      'PATCH /api/servers/:id': 'a person, for another host or port; it ends the trust in the chat',
      'POST /api/agents/:serverId/replacement': 'a person; it ends the trust in the chat',
    },
  },
  { act: 'erase a person', routes: ['POST /api/members/:id/erase'] },
  {
    act: 'give points again and again',
    routes: ['POST /api/rewards/rules', 'PUT /api/rewards/rules/:id', 'POST /api/rewards/code-batches'],
    byCase: { 'POST /api/rewards/code-batches/:id/switch': 'to switch codes on' },
  },
  { act: 'take what a season takes', routes: ['POST /api/seasons', 'POST /api/seasons/:id/undo'] },
  { act: 'end what lasts', routes: ['POST /api/entitlements/:id/end'] },
  {
    act: 'let an outside shop give',
    routes: [
      'POST /api/store/shops',
      'PATCH /api/store/shops/:id',
      'DELETE /api/store/shops/:id',
      'PUT /api/store/shops/:id/products',
      'POST /api/store/shops/:id/secrets',
      'POST /api/store/shops/:id/secrets/:secretId/remove',
    ],
  },
  {
    act: 'let orders run commands on the console',
    routes: ['POST /api/store/import', 'POST /api/store/products/:id/approval'],
    byCase: {
      'POST /api/store/products': 'a command that is new, or runs on more servers',
      'PUT /api/store/products/:id': 'a command that is new, or runs on more servers',
      'POST /api/store/products/:id/duplicate': 'a product with a command',
    },
  },
  {
    act: 'change the programs of a game',
    routes: ['POST /api/servers/:serverId/mods/jobs', 'POST /api/mods/waves'],
    byCase: { 'POST /api/queues/:name/jobs/:id/retry': 'a change of mods' },
  },
  {
    act: 'replace or delete a world',
    routes: ['POST /api/servers/:serverId/saves/runs'],
    byCase: { 'POST /api/servers/:serverId/saves': 'anything but a backup' },
  },
  { act: 'take everything off the machine', routes: ['POST /api/backups/:name/downloads'] },
  {
    act: 'let a person or a program in',
    routes: ['POST /api/admins/:id/password-reset', 'POST /api/api-keys', 'POST /api/desktop-access'],
    byCase: {
      'POST /api/admins': 'to give rights',
      'PATCH /api/admins/:id': 'to give rights',
      'DELETE /api/admins/:id': 'an owner',
      'POST /api/roles': 'to give rights that reach far',
      'PUT /api/roles/:id': 'to give rights that reach far',
      'POST /api/me/totp/disable': 'unless a second factor was shown',
      'POST /api/me/recovery-codes': 'unless a second factor was shown',
    },
  },
  {
    act: 'give rights by Discord',
    routes: [
      'PATCH /api/discord',
      'PUT /api/discord/role-rights/:id',
      'POST /api/discord/role-rules/:id/enable',
      'POST /api/me/discord/code',
    ],
  },
];

/**
 * Other changes with the same rights as a guarded act, or by the same people. They lead to no guarded end; a new route
 * of these kinds is either here or above.
 */
const others = [
  // They take nothing from anyone and give nothing.
  'POST /api/rewards/rules/:id/archive',
  'POST /api/seasons/preview',
  // One code, or one order that was paid outside, once.
  'POST /api/members/:id/redeem',
  'POST /api/store/shop-orders/:id/dismiss',
  'POST /api/store/shop-orders/:id/give',
  'POST /api/store/shop-orders/:id/receiver',
  'POST /api/store/shop-orders/:id/retry',
  // It sends an event without consequences to this API itself.
  'POST /api/store/shops/:id/test-event',
  // It takes an agent's code back.
  'DELETE /api/agents/:serverId/enrolment',
  // They write no command: what they save again keeps its approval, and a price moves points only.
  'PUT /api/store/order',
  'PUT /api/store/on-wipe',
  'POST /api/store/products/:id/archive',
  'POST /api/store/products/:id/release',
  'PUT /api/store/products/:id/picture',
  'POST /api/store/items',
  'POST /api/store/items/remove',
  'POST /api/store/items/confirm',
  'POST /api/store/discounts',
  'PUT /api/store/discounts/:id',
  'DELETE /api/store/discounts/:id',
  // They change no address and no agent.
  'PATCH /api/clusters/:id',
  'POST /api/clusters',
  'POST /api/clusters/:id/archive',
  'POST /api/clusters/:id/restoration',
  'POST /api/servers',
  'POST /api/servers/:id/archive',
  'POST /api/servers/:id/restoration',
  'POST /api/servers/connection-test',
  // What it lets through has no id, so it spends only after a whispered number.
  'PUT /api/servers/:id/chat-forms',
];
const guardedRights = [
  'store.write',
  'members.write',
  'rewards.write',
  'seasons.write',
  'shops.write',
  'agents.write',
  'servers.write',
];

/** What people in Discord do besides, with their own account and wallet. */
const otherDiscord = [
  'POST /api/internal/discord/orders',
  'POST /api/internal/discord/orders/preview',
  'POST /api/internal/discord/rewards/daily',
  'POST /api/internal/discord/rewards/gifts',
  'POST /api/internal/discord/rewards/gifts/:id/confirm',
  'POST /api/internal/discord/rewards/redeem',
];
const otherChat = ['shop', 'buy', 'points', 'claim', 'survivor', 'help', 'redeem'];

const running = apiForThisFile();
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const registered = (): readonly Endpoint[] => {
  const routes = createApiRoutes(createApp(false), {
    authorize: () => {
      throw new Error('nothing is asked here');
    },
  });
  bindFeatures(routes, running().api.context);
  return routes.endpoints;
};
const changes = () => registered().filter(({ method }) => method !== 'GET');
const decision = resolve(import.meta.dirname, '../../../docs/decisions/0094-text-that-becomes-an-act.md');
const sorted = (names: Iterable<string>) => [...names].toSorted();

// Guarantee: a guarded act is guarded at every door: each route that asks a person again is in the table, and so is every
// other way that a right, Discord or the chat of a game has to the same end.
test('every door of every guarded act', () => {
  const declared = (proof: string) => changes().filter((endpoint) => endpoint.proof === proof);
  expect(sorted(declared('step-up').map(nameOf))).toEqual(sorted(acts.flatMap(({ routes }) => routes)));
  const byCase = acts.flatMap((act) => Object.keys(act.byCase ?? {}));
  expect(byCase).toEqual(expect.arrayContaining(declared('step-up-by-case').map(nameOf)));

  const known = [...acts.flatMap(({ routes }) => routes), ...byCase, ...others];
  const withRights = changes().filter(({ access }) => guardedRights.includes(access));
  expect(sorted(withRights.map(nameOf).filter((name) => !known.includes(name)))).toEqual([]);
  expect(others.filter((name) => !withRights.map(nameOf).includes(name))).toEqual([]);

  const inDiscord = changes().filter(({ access }) => access === 'discord-user');
  const guardedThere = acts.flatMap(({ discord = {} }) => Object.keys(discord));
  expect(sorted(inDiscord.map(nameOf))).toEqual(sorted([...guardedThere, ...otherDiscord]));
  const guardedInChat = acts.flatMap(({ chat = {} }) => Object.keys(chat));
  expect(sorted(commandNames)).toEqual(sorted([...guardedInChat, ...otherChat]));
});

// Guarantee: the table of acts and doors says what each route may cause: every route that changes something, or that reads with a
// right to change, stands in it, and so does every command of the chat; no row names a route that is gone.
test('what each route may cause', async () => {
  const text = await readFile(decision, 'utf8');
  const named = [...text.slice(text.indexOf('## Acts and doors')).matchAll(/`([^`]+)`/g)].map(
    ([, name]) => name,
  );
  const routes = named.flatMap((name) => (/^[A-Z]+ \//.test(name ?? '') ? [name ?? ''] : []));
  const all = registered();
  const mustStand = all.filter(({ method, access }) => method !== 'GET' || access.endsWith('.write'));
  expect(sorted(mustStand.map(nameOf).filter((name) => !routes.includes(name)))).toEqual([]);
  const names = new Set(all.map(nameOf));
  expect(routes.filter((name) => !names.has(name))).toEqual([]);
  expect(routes).toHaveLength(new Set(routes).size);
  expect(commandNames.filter((name) => !named.includes(name))).toEqual([]);
});
