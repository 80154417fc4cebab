import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthHttp } from '#contracts/operations/health.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { type AgentProgram, agentPrograms } from '#contracts/servers/agent-downloads.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { powerHttp } from '#contracts/servers/power.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { openBrowser } from '#harness/browser.ts';
import { startDemo } from '#harness/demo.ts';
import { eventually } from '#harness/eventually.ts';
import { type Panel, panelIn } from '#harness/panel.ts';
import { copyOfPrograms } from '#harness/panel-programs.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';
import { usualBot } from '#simulators/discord/discord.ts';
import { startMinecraft } from '#simulators/minecraft-simulator.ts';
import { genericPaid } from '../../../server/storefronts/shops/testing/documented-events.ts';
import { type OwnerMachine, openOwnerMachine } from '../../journeys/owner-machine.ts';
import {
  type OwnerWalk,
  serverName,
  walkAgent,
  walkFirstEvening,
  walkFirstItem,
} from '../../journeys/owner-walk.ts';
import { walkDesk, walkDiscord, walkSeason, walkShop } from '../../journeys/owner-walk-store.ts';
import { walkCastellanBackup, walkWorlds } from '../../journeys/owner-walk-worlds.ts';
import { openWalk, tableOf, type WalkedStep } from '../../journeys/walk.ts';

const patienceMs = 120_000;
const folder = process.env.CASTELLAN_TEST_PICTURES;
const resources = new AsyncDisposableStack();
let panel: Panel;
let machine: OwnerMachine;
let owned: OwnerWalk;

const files: readonly AgentProgram[] = ['castellan-agent-linux-x64', 'castellan-agent-win-x64.exe'];

/** The panel offers a line only if it has these; the walk runs the agent that a run of the tests has built. */
const addAgentPrograms = async (programs: string): Promise<void> => {
  const rest = { bytes: 9, sha256: 'ab'.repeat(32), coding: 'none' };
  await mkdir(join(programs, 'agents'));
  for (const file of files) await writeFile(join(programs, 'agents', file), 'a program');
  const listed = files.map((file) => ({ file, system: agentPrograms[file], stored: file, ...rest }));
  await writeFile(join(programs, 'agents', 'programs.json'), JSON.stringify({ files: listed }));
};

const untilHealthy = (apiUrl: string): Promise<void> =>
  eventually(async () => {
    const { ok } = await fetch(apiUrl + healthHttp.stack.path);
    if (!ok) throw new Error('the API does not answer yet');
  }, patienceMs);

beforeAll(async () => {
  const programs = resources.use(await copyOfPrograms());
  await addAgentPrograms(programs.path);
  const options = { bare: true, discord: true, programs: programs.path };
  const { info } = resources.use(await startDemo(undefined, options));
  const { browser } = resources.use(await openBrowser());
  const { path } = resources.use(await temporaryFolder('owner-machine'));
  machine = resources.use(await openOwnerMachine({ folder: path, home: info.home, programs: programs.path }));
  // The owner enters the bot's token in the panel.
  await machine.castellan('stop');
  await editEnvFile(join(info.home, '.env'), { DISCORD_BOT_TOKEN: null, CLIENT_ID: null, GUILD_ID: null });
  machine.startCastellan();
  await Promise.all([untilHealthy(info.apiUrl), machine.startByHand()]);
  panel = resources.use(panelIn(browser, info, new AsyncDisposableStack()));
  // Players are on the server: the walk does not wait for the minute of the announcement.
  const { sections } = await panel.call(settingsHttp.list, {});
  const version = sections.find(({ name }) => name === 'power')?.version ?? 0;
  const body = { version, values: { countdownSeconds: 0 } };
  await panel.call(settingsHttp.change, { params: { section: 'power' }, body });
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const walk = openWalk(await panel.page({ as: null }), folder);
  owned = { walk, owner: panel.info.admin, machine };
});
afterAll(async () => {
  await printTable(owned?.walk.steps ?? [])
    .finally(() => stopGame())
    .finally(() => resources.disposeAsync());
});

const printTable = async (steps: readonly WalkedStep[]): Promise<void> => {
  process.stdout.write(`${tableOf(steps)}\n`);
  if (folder !== undefined) await writeFile(join(folder, 'walk.md'), tableOf(steps));
};

/** A member's paid order whose answer is lost, so that no one knows whether it arrived. */
const plantUnknownDelivery = async (): Promise<AsyncDisposable> => {
  await using opening = new AsyncDisposableStack();
  const game = opening.use(await startMinecraft());
  game.world.join('Alex');
  const { rows } = await panel.call(clustersHttp.list, {});
  const { port, password } = game;
  const body = { clusterId: rows[0]?.id ?? '', name: 'Atoll', game: 'minecraft' as const };
  await panel.call(gameServersHttp.create, { body: { ...body, host: '127.0.0.1', port, password } });
  const memberId = await eventually(async () => {
    const found = (await panel.call(membersHttp.search, { query: { text: 'Alex' } })).rows[0];
    if (!found) throw new Error('Alex was not seen');
    return found.id;
  }, patienceMs);
  const params = { id: memberId };
  await panel.call(membersHttp.grant, { params, body: { kind: 'grant', points: 100 } });
  const lines = [{ kind: 'command' as const, command: 'say lost {orderId}', needsPlayer: false }];
  const product = { name: 'Greeting', game: 'minecraft' as const, price: 10, lines, isEnabled: true };
  const { id: productId } = await panel.call(storeHttp.create, { body: product });
  game.quirks.fateOf = (command) => (command.startsWith('say lost') ? 'die-after' : 'answer');
  const { deliveries } = await panel.call(ordersHttp.place, {
    body: { memberId, lines: [{ productId, quantity: 1 }] },
  });
  const id = deliveries[0]?.id ?? '';
  await eventually(async () => {
    const { state } = await panel.call(deliveriesHttp.read, { params: { id } });
    if (state !== 'unknown') throw new Error(`the delivery is ${state}`);
  }, patienceMs);
  return opening.move();
};

const secret = new Secret('the-secret-of-our-site');
const pay = async (address: string, orderId: string): Promise<void> => {
  const receiver = { game: 'minecraft', name: 'Otter' };
  const body = JSON.stringify(genericPaid(orderId, [{ product: 'vip', quantity: 1 }], receiver));
  const headers = {
    'Content-Type': 'application/json',
    'Castellan-Signature': signed(body, new Date(), secret),
  };
  const { status } = await fetch(address, { method: 'POST', headers, body });
  expect(status).toBe(200);
};

/** The game outlives its agent. */
const stopGame = async (): Promise<void> => {
  const { rows } = await panel.call(gameServersHttp.list, {});
  const serverId = rows.find(({ name }) => name === serverName)?.id ?? '';
  const read = () => panel.call(powerHttp.read, { params: { serverId } });
  const state = async () => (await read()).process?.report.state;
  // The agent may be about to come back to an API that has just started.
  await eventually(async () => expect((await read()).isAgentPresent).toBe(true), patienceMs);
  await eventually(async () => expect(await state()).not.toBe('starting'), patienceMs);
  if ((await state()) !== 'running') return;
  const body = { action: 'stop' as const, countdownSeconds: 0 };
  await panel.call(powerHttp.act, { params: { serverId }, body });
  await eventually(async () => expect(await state()).toBe('stopped'), patienceMs);
};

// Guarantee: an owner who begins with nothing gets to a first item, a moderator, Discord, backups, a shop and a season by what the
// pages offer: each step ends with a button or a link to go on, and fits a phone. Each test goes on where the one before has ended.
test('from the sign-in to a game with an agent', { tags: ['night'] }, async () => {
  await walkFirstEvening(owned);
  resources.use(await walkAgent(owned));
});

// Guarantee: restoring a world takes at most three clicks and one dialog.
test('worlds', { tags: ['night'] }, async () => {
  const restored = await walkWorlds(owned);
  expect(restored.clicks).toBeLessThanOrEqual(3);
});

test('a first item, a moderator and Discord', { tags: ['night'] }, async () => {
  await walkFirstItem(owned);
  const { guildId } = panel.info.discord ?? { guildId: '' };
  await walkDiscord(owned, { token: usualBot.token, guildId });
});

// Guarantee: a paid order that waits for a person is solved with at most five clicks on one page, an external one, too.
test('a shop, the desk and a season', { tags: ['night'] }, async () => {
  const external = await walkShop(owned, { shopName: 'Our site', secret: secret.reveal(), pay });
  expect(external.clicks).toBeLessThanOrEqual(5);
  resources.use(await plantUnknownDelivery());
  const atDesk = await walkDesk(owned);
  expect(atDesk.clicks).toBeLessThanOrEqual(5);
  await walkSeason(owned);
});

test('a backup of Castellan', { tags: ['night'], timeout: 600_000 }, async () => {
  await walkCastellanBackup(owned);
  expect(panel.faults()).toEqual([]);
});
