import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ModerationAction } from '#contracts/people/players.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { createConsoleRouter } from '../../kernel/commands/console-router.ts';
import { uncontestedLeases } from '../../kernel/commands/testing/uncontested-leases.ts';
import { refuse } from '../../kernel/http/refusal.ts';
import { silentLog, testOwner } from '../../kernel/testing/feature-api.ts';
import type { Servers } from '../../servers/servers.ts';
import { type Bans, createBans } from '../bans/bans.ts';
import { createModerationActions, type ModerationActions } from './moderation-actions.ts';
import type { Presence } from './presence.ts';
import { listed, type PresenceOfATest, presenceOfATest } from './testing/presence-of-a-test.ts';

let bench: PresenceOfATest;
let presence: Presence;
let orders: ModerationActions;
let bans: Bans;
let minecraft: string;
let sevenDays: string;
let steve: string;
let survivor: string;

type GivenCommand = Parameters<Servers['console']['give']>[0];
const given: GivenCommand[] = [];
/** What the game answers next. */
let answer: Partial<CommandResult> = {};

/** No server can be reached. */
const away = createConsoleRouter({
  agents: {
    isPresent: () => false,
    isKnown: () => false,
    connectionOf: () => null,
    prepareCommands: async () => [],
    resultOf: async () => null,
    run: async () => Promise.reject(new Error('no agent is there')),
  },
  links: { read: () => null, run: async () => null },
  leases: uncontestedLeases,
  log: silentLog,
});

const by = (actor: Actor = testOwner) => ({ actor, address: '127.0.0.1' });
const order = (playerId: string, serverId: string, action: ModerationAction['action'], text = '') =>
  orders.order(playerId, { serverId, action, text }, by());

beforeAll(async () => {
  bench = await presenceOfATest();
  presence = await bench.start();
  minecraft = await bench.server('minecraft');
  sevenDays = await bench.server('seven-days-to-die');
  bans = createBans({
    db: bench.database.db,
    ways: away,
    servers: bench.servers,
    sessions: presence.openSessions,
    licenseHolds: () => true,
    log: silentLog,
  });
  presence.report(minecraft, 'direct', [listed('[VIP] Steve', 'minecraft:s', 'Steve')]);
  presence.report(sevenDays, 'direct', [listed('Ann B', 'steam:76561198000000001', '171')]);
  const idOn = (serverId: string) =>
    eventually(() => {
      const id = presence.read(serverId).players?.[0]?.playerId;
      if (id === undefined) throw new Error('not written yet');
      return id;
    });
  [steve, survivor] = [await idOn(minecraft), await idOn(sevenDays)];
  orders = createModerationActions({
    db: bench.database.db,
    directory: bench.servers,
    presence,
    bans,
    console: {
      async give(taken) {
        given.push(taken);
        const { outcome = 'answered', reply = '' } = answer;
        const result: CommandResult = { outcome, reply, truncated: false, sent: true, durationMs: 1 };
        const entry = {
          id: '1',
          at: bench.clock.now().toISOString(),
          serverId: taken.serverId,
          actor: { kind: 'admin', id: '1', name: null },
          command: taken.command,
          outcome,
          reply: reply ?? 'The game did not answer in time.',
          truncated: false,
          durationMs: 1,
          via: 'direct' as const,
          runId: '1',
        };
        return { entry, result };
      },
    },
  });
});
afterAll(async () => {
  await bans[Symbol.asyncDispose]();
  await bench[Symbol.asyncDispose]();
});
beforeEach(() => {
  given.length = 0;
  answer = {};
});

// Guarantee: an order identifies the player as the game needs it, is logged under its own name, and reports what the game's
// answer proves.
test('orders', async () => {
  answer = { reply: 'Kicked Steve: be nice' };
  expect(await order(steve, minecraft, 'kick', 'be nice')).toEqual({
    outcome: 'answered',
    verdict: 'done',
    detail: 'The game says that it kicked the player.',
  });
  expect(given).toMatchObject([
    { serverId: minecraft, command: 'kick Steve be nice', action: 'players.kick', target: `player:${steve}` },
  ]);
  answer = { reply: 'something else' };
  expect(await order(steve, minecraft, 'whitelist-add')).toMatchObject({ verdict: 'unproven' });
  answer = { reply: 'No player was found' };
  expect(await order(steve, minecraft, 'message', 'hi')).toMatchObject({ verdict: 'later' });
  await order(survivor, sevenDays, 'kick', 'bye');
  expect(given.at(-1)?.command).toMatch(/^kick 171\b/);
});

// Guarantee: without an answer nothing is claimed.
test('no answer', async () => {
  answer = { outcome: 'timeout', reply: null };
  expect(await order(steve, minecraft, 'kick')).toEqual({
    outcome: 'timeout',
    verdict: null,
    detail: 'The game did not answer in time.',
  });
});

// Guarantee: a ban for an unreachable server is kept, and reported as kept; if lifted before it was sent, nothing is left to do.
test('a ban of a server that is away', async () => {
  const kept = { outcome: 'unreachable', verdict: null, kept: true };
  expect(await order(steve, minecraft, 'ban', 'spam')).toMatchObject(kept);
  expect(await order(steve, minecraft, 'unban')).toMatchObject({ outcome: 'answered', verdict: 'done' });
  expect(given).toEqual([]);
});

// Guarantee: what the game has no command for is refused with the reason, and nothing is sent.
test('refused by the game', async () => {
  // A name from another game identifies no one here.
  expect(await order(survivor, minecraft, 'ban')).toMatchObject({
    refused: 'NO_SUCH_COMMAND',
    detail: expect.stringContaining('name'),
  });
  expect(await order(steve, sevenDays, 'ban')).toMatchObject({ refused: 'NO_SUCH_COMMAND' });
  expect(await orders.broadcast(minecraft, 'x'.repeat(5000), by())).toMatchObject({
    refused: 'NO_SUCH_COMMAND',
  });
  expect(given).toEqual([]);
});

// Guarantee: an order requires players.write on its own server, and a player whom the actor may see.
test('refused by us', async () => {
  const moderator: Actor = {
    ...testOwner,
    permissions: new Set(),
    serverPermissions: new Map([
      [minecraft, new Set(['players.read', 'players.write'] as const)],
      [sevenDays, new Set(['players.read'] as const)],
    ]),
  };
  const stranger: Actor = {
    ...moderator,
    serverPermissions: new Map([[minecraft, new Set(['players.write'] as const)]]),
  };
  const kick = (actor: Actor, playerId: string, serverId: string) =>
    orders.order(playerId, { serverId, action: 'kick', text: '' }, by(actor));
  expect(await kick(moderator, survivor, sevenDays)).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await kick(moderator, steve, 'nowhere')).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await kick(stranger, survivor, minecraft)).toMatchObject({ refused: 'NOT_FOUND' });
  expect(await kick(testOwner, steve, 'nowhere')).toMatchObject({ refused: 'NOT_FOUND' });
  expect(await kick(testOwner, '999999', minecraft)).toMatchObject({ refused: 'NOT_FOUND' });
  const archived = await bench.server();
  bench.archive(archived);
  expect(await kick(testOwner, steve, archived)).toMatchObject({ refused: 'SERVER_ARCHIVED' });
  expect(await orders.broadcast(sevenDays, 'hi', by(moderator))).toMatchObject({ refused: 'FORBIDDEN' });
  expect(given).toEqual([]);
  expect(await kick(stranger, steve, minecraft)).toMatchObject({ outcome: 'answered' });
  expect(given).toHaveLength(1);
});

// Guarantee: what the console refuses is refused.
test('refused by the console', async () => {
  const full = createModerationActions({
    db: bench.database.db,
    directory: bench.servers,
    presence,
    bans,
    console: { give: async () => refuse('RATE_LIMITED') },
  });
  expect(await full.broadcast(minecraft, 'hello', by())).toEqual({ refused: 'RATE_LIMITED' });
});

// Guarantee: a broadcast reaches its server as it was written.
test('a broadcast', async () => {
  await orders.broadcast(minecraft, 'hello all', by());
  expect(given).toMatchObject([
    { command: 'say hello all', action: 'players.broadcast', target: `server:${minecraft}` },
  ]);
});
