// @module-tag identity

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { stackStatus } from '#contracts/operations/stack.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { eventually } from '#harness/eventually.ts';
import { expectAccessible } from '#harness/every-look.ts';
import { installedMod } from '#harness/mods-panel.ts';
import { openPanel, type Panel } from '#harness/panel.ts';
import { openPanelServers, type PanelServers, patienceMs } from '#harness/panel-servers.ts';
import type { SevenDaysSimulator } from '#simulators/seven-days-simulator.ts';
import { ask } from '../../../build/demo/program.ts';
import { joinModsAgent } from '../../../server/mods/testing/mods-agent.ts';
import { emptyList } from '../../../server/mods/testing/sample-mods.ts';
import { agentIdentity } from '../../../server/servers/agents/testing/scripted-agent.ts';

let servers: PanelServers<Panel>;
let panel: Panel;
let game: SevenDaysSimulator;
beforeAll(async () => {
  servers = await openPanelServers(() => openPanel({ bare: true }));
  ({ panel, game } = servers);
});
afterAll(async () => {
  await servers?.[Symbol.asyncDispose]();
});

/** Waits longer, for a loaded machine. */
const soon = <Value>(look: () => Promise<Value> | Value) => expect.poll(look, { timeout: patienceMs });
const line = (page: Page) => page.getByRole('textbox', { name: 'Command', exact: true });
const log = (page: Page) => page.getByRole('log');
const typed = (page: Page) => line(page).inputValue();

/** Kills the current API; each test ends with a new one. */
const killApi = async () => {
  const status = await ask('castellan', ['status'], { CASTELLAN_HOME: panel.info.home });
  const api = stackStatus.parse(status).components.find(({ name }) => name === 'api');
  process.kill(api?.pid ?? Number.NaN, 'SIGKILL');
};

const send = async (page: Page, command: string) => {
  await line(page).fill(command);
  await line(page).press('Enter');
  await soon(() => typed(page)).toBe('');
};

// Guarantee: after a kill of the API while a command is typed, the page says so and recovers by itself, the text is still there
// and is sent once, acknowledged commands are in the history, and a command in progress is marked unknown.
test('the API is killed', async () => {
  const server = await servers.newServer('Survivor');
  await servers.untilOnline(server);
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  const acknowledged = ['lp', 'version', 'say "before"'];
  for (const command of acknowledged) await send(page, command);
  const answered = async () => {
    const { rows } = await panel.call(consoleHttp.history, { query: { serverId: server.id } });
    return rows.filter(({ outcome }) => outcome === 'answered').length;
  };
  await soon(answered).toBe(acknowledged.length);
  await log(page).getByText('Game version:').waitFor();
  for (const command of acknowledged) await log(page).getByText(command, { exact: true }).first().waitFor();
  game.quirks.replyDelayMs = 60_000;
  await send(page, 'say "never answered"');
  await log(page).getByText('Running …').waitFor();

  await line(page).fill('say "after"');
  await killApi();
  game.quirks.replyDelayMs = 0;
  await page.getByText('The API is not responding').first().waitFor();
  await line(page).press('Enter');
  await page.getByText('The command was not sent').waitFor({ timeout: 60_000 });
  expect(await typed(page)).toBe('say "after"');
  await page.getByText('The API is not responding').waitFor({ state: 'hidden', timeout: 60_000 });
  await log(page).getByText('Outcome unknown').waitFor({ timeout: patienceMs });
  await servers.untilOnline(server);
  await line(page).press('Enter');
  await soon(() => typed(page)).toBe('');

  await soon(async () => {
    const { rows } = await panel.call(consoleHttp.history, { query: { serverId: server.id } });
    return rows.map(({ command, outcome }) => `${command} ${outcome}`).toReversed();
  }).toEqual([
    ...acknowledged.map((command) => `${command} answered`),
    'say "never answered" unknown',
    'say "after" answered',
  ]);
  expect(game.world.commands.filter((command) => command === 'say "after"')).toHaveLength(1);
  await page.close();
  expect(panel.faults()).toEqual([]);
});

// Guarantee: while the API is down the page says so, keeps its content, and recovers by itself.
test('the API goes and comes back', { tags: 'night' }, async () => {
  const page = await panel.page({ path: '/profile' });
  await page.getByRole('textbox', { name: 'Current password' }).fill('typed before');
  await page.getByRole('status').getByText('Live').waitFor();
  // The API restarts immediately; the route blocks the page for longer than that.
  await page.route('**/api/tickets', (route) => route.abort());
  await killApi();
  await page.getByText('The API has not responded since').waitFor();
  await expectAccessible(page);
  // Pressed while the route blocks: afterwards, the page may recover before the button is pressed.
  await page.getByRole('button', { name: 'Retry now' }).click();
  await page.unroute('**/api/tickets');
  await page.getByText('The API has not responded since').waitFor({ state: 'detached', timeout: 60_000 });
  await page.getByRole('status').getByText('Live').waitFor();
  expect(await page.getByRole('textbox', { name: 'Current password' }).inputValue()).toBe('typed before');
  await page.close();
});

// Guarantee: after a kill of the API during a change of mods, the page says so, finds the job when the API is back, and shows its
// end; the agent was asked once.
test('the API is killed while mods are changed', { tags: ['night'] }, async () => {
  const env = await readFile(join(panel.info.home, '.env'), 'utf8');
  const secret = /^GAME_AGENT_SECRET=(.+)$/m.exec(env)?.[1];
  const [cluster] = (await panel.call(clustersHttp.list, {})).rows;
  if (!secret || !cluster) throw new Error('the demo is not whole');
  const { id } = await panel.call(gameServersHttp.create, {
    body: { clusterId: cluster.id, name: 'Modded', game: 'minecraft' },
  });
  const identity = agentIdentity(id, secret);
  const list = { ...emptyList, installed: [installedMod('Lithium'), installedMod('Chunky')] };
  const connect = () =>
    eventually(
      () => joinModsAgent(Number(new URL(panel.info.apiUrl).port), id, { identity, list }),
      patienceMs,
    );
  const before = await connect();
  const page = await panel.page({ path: `/servers/${id}/mods` });
  await page.getByRole('button', { name: 'Actions for Chunky' }).click();
  await page.getByRole('menuitem', { name: 'Remove …' }).click();
  await page.getByRole('button', { name: /^Remove 1 mod/ }).click();
  const task = await before.nextChange();
  const status = page.locator('#mods-status');
  before.power.progress(task.id, { step: 'stop', done: 0, total: null });
  await status.getByText('Stopping the game').waitFor();

  // The API restarts immediately; the route blocks the page for longer than that.
  await page.route('**/api/tickets', (route) => route.abort());
  await killApi();
  await page.getByText('The API has not responded since').waitFor();
  await page.unroute('**/api/tickets');
  before[Symbol.dispose]();
  await page.getByText('The API has not responded since').waitFor({ state: 'detached', timeout: 60_000 });
  using after = await connect();
  await status.getByText(/^Changing mods/).waitFor();
  after.power.progress(task.id, { step: 'watch', done: 5, total: 120 });
  await status.getByText('Monitoring the game').waitFor({ timeout: patienceMs });
  after.finish(task);
  await page.getByText('Done: the game runs with the new mods').first().waitFor({ timeout: patienceMs });
  await page.getByRole('list', { name: 'Installed' }).getByText('Chunky').waitFor({ state: 'detached' });
  const { rows } = await panel.call(modsHttp.jobs, { params: { serverId: id } });
  expect(rows).toMatchObject([{ state: 'done', result: { health: 'proven' } }]);
  expect(after.changes.map((change) => change.id).filter((one) => one !== task.id)).toEqual([]);
  await page.close();
});
