import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MachineFacts, ProcessReport } from '#contracts/agent-tasks.ts';
import { clustersHttp } from '#contracts/clusters.ts';
import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import { livePath } from '#contracts/live.ts';
import { powerHttp } from '#contracts/power.ts';
import { expectAccessible, lookOfTier } from '#harness/every-look.ts';

import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { joinPowerAgent, type PowerAgent } from '../../server/power/testing/power-agent.ts';

let panel: TestPanel;
let clusterId: string;

beforeAll(async () => {
  panel = await openTestPanel();
  ({ id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Demo' } }));
});
afterAll(async () => {
  const faults = [...panel.faults()];
  await panel[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

/** Waits longer, for a loaded machine. */
const soon = <Value>(look: () => Promise<Value> | Value) => expect.poll(look, { timeout: 30_000 });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const runningReport: Partial<ProcessReport> = {
  state: 'running',
  wanted: 'running',
  pid: 4711,
  upMs: 90_000,
};

const newServer = (name: string): Promise<GameServer> =>
  panel.call(gameServersHttp.create, { body: { clusterId, name, game: 'minecraft' } });
const port = () => Number(new URL(panel.info.apiUrl).port);

const managed = async (
  name: string,
  report: Partial<ProcessReport> = {},
  machine: Partial<MachineFacts> = {},
): Promise<{ server: GameServer; agent: PowerAgent }> => {
  const server = await newServer(name);
  const agent = await joinPowerAgent(port(), server.id, { process: report, machine });
  await soon(
    async () => (await panel.call(powerHttp.read, { params: { serverId: server.id } })).process?.report.state,
  ).toBe(report.state ?? 'stopped');
  return { server, agent };
};
const playersOn = (agent: PowerAgent, number: number, ...names: string[]) =>
  agent.send({
    v: 1,
    type: 'heartbeat',
    number,
    state: 'online',
    detail: null,
    players: names.map((name) => ({ name, platformId: null, handle: name })),
  });
const shot = (page: Page, name: string) =>
  process.env.PICTURES
    ? page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true })
    : undefined;

// Guarantee: the question before a stop shows the players on the server and the length of the announcement; the stop is shown step
// by step, and can be cancelled only during the announcement.
test('a stop with players on', async () => {
  const { server, agent } = await managed('Fjord', runningReport);
  using _ = agent;
  playersOn(agent, 2, 'Otter', 'Seal');
  const page = await panel.page({ path: `/servers/${server.id}` });
  await page.getByText('Online').first().waitFor();
  await page.getByText('/srv/games/fjord').waitFor();
  await page.getByText('castellan-agent setup').waitFor();
  // A running server offers no start.
  expect(await button(page, 'Start').count()).toBe(0);
  await expectAccessible(page);
  await shot(page, 'running');

  await button(page, 'Stop').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 players online:').waitFor();
  await dialog.getByText('Otter').waitFor();
  const countdown = dialog.getByLabel('Announcement');
  expect(await countdown.inputValue()).toBe('60');
  await countdown.selectOption('300');
  await expectAccessible(page);
  await shot(page, 'stop-dialog');
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  const task = await agent.nextTask();
  expect(task.task).toMatchObject({ action: 'stop', countdown: { seconds: 300 } });
  agent.progress(task.id, { step: '120 s until the stop', done: 180, total: 300 });
  await page.getByText('Announced: 2m left').waitFor();
  await expectAccessible(page);
  await shot(page, 'announced');
  await button(page, 'Cancel').click();
  await soon(() => agent.cancelled).toContain(task.id);
  agent.end(task.id, 'cancelled');
  await page.getByText('Stop – Cancelled').waitFor();

  await button(page, 'Stop').click();
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  const again = await agent.nextTask();
  agent.progress(again.id, { step: 'The game shuts down', done: 0, total: null });
  await page.getByText('Waiting for the game to stop').waitFor();
  expect(await button(page, 'Cancel').count()).toBe(0);
  agent.tell({});
  agent.end(again.id, 'done');
  await page.getByText('Stopped').first().waitFor();
  await page.getByText('Stop – Done').waitFor();
  await page.close();
});

// Guarantee: a kill is behind a menu and a question, which says what is lost.
test('a kill', async () => {
  const { server, agent } = await managed('Hanging', runningReport);
  using _ = agent;
  const page = await panel.page({ path: `/servers/${server.id}` });
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Kill …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('without saving').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
  expect(agent.tasks).toHaveLength(0);
  await shot(page, 'kill');
  await dialog.getByRole('button', { name: 'Kill', exact: true }).click();
  expect((await agent.nextTask()).task).toMatchObject({ action: 'kill', countdown: null });
  await page.close();
});

// Guarantee: actions that the machine does not allow are disabled, and the page says what to run there.
test('a machine that does not allow it', { tags: ['night'] }, async () => {
  const { server, agent } = await managed(
    'Forbidden',
    {},
    { allows: { power: false, files: false, mods: false } },
  );
  using _ = agent;
  const page = await panel.page({ path: `/servers/${server.id}`, look: lookOfTier('dark') });
  await page.getByRole('alert').getByText('does not allow Castellan to start and stop the game').waitFor();
  for (const name of ['Start', 'Restart', 'More']) expect(await button(page, name).isDisabled()).toBe(true);
  expect(await button(page, 'Stop').count()).toBe(0);
  await button(page, 'Start').click({ force: true });
  expect(agent.tasks).toHaveLength(0);
  await expectAccessible(page);
  await shot(page, 'not-allowed-dark');
  await page.close();
});

// Guarantee: a crash is shown with its lines, and process states in words, in the list and on the page, in both languages.
test('crashes in words', { tags: ['night'] }, async () => {
  const lastCrash = {
    ageMs: 5000,
    exitCode: 139,
    signal: null,
    lines: ['java.lang.OutOfMemoryError', 'at line 2'],
  };
  const looping = await managed('Looping', {
    state: 'crash-looping',
    wanted: 'running',
    crashes: 5,
    lastCrash,
  });
  using _looping = looping.agent;
  const backing = await managed('Backing', {
    state: 'backing-off',
    wanted: 'running',
    crashes: 1,
    nextStartInMs: 600_000,
    lastCrash,
  });
  using _backing = backing.agent;
  const page = await panel.page({ path: `/servers/${looping.server.id}` });
  await page.getByText('Crashed 5 times. Stopped until you start it').first().waitFor();
  await page.getByText(': Exit code 139').waitFor();
  await page.getByText('java.lang.OutOfMemoryError').waitFor();
  await expectAccessible(page);
  await shot(page, 'looping');
  await page.close();
  const inPortuguese = await panel.page({ path: `/servers/${backing.server.id}`, locale: 'pt-BR' });
  await inPortuguese
    .getByText(/Caiu, reinicia em \d/)
    .first()
    .waitFor();
  await shot(inPortuguese, 'backing-pt');
  await inPortuguese.close();
  const list = await panel.page({ path: '/servers' });
  await list
    .getByRole('row', { name: /Looping/ })
    .getByText('Stopped after crashes')
    .waitFor();
  await list
    .getByRole('row', { name: /Backing/ })
    .getByText('Crashed')
    .waitFor();
  await expectAccessible(list);
  await shot(list, 'list');
  await list.close();
});

// Guarantee: a server whose program is not there says so with its reason, in both languages; a start tries it again, and a stop
// ends the wait.
test('a program that is not there', { tags: ['night'] }, async () => {
  const program = {
    code: 'interpreter-missing',
    values: ['/srv/games/fjord/start.sh', '/bin/bash'],
  } as const;
  const report: Partial<ProcessReport> = {
    state: 'stopped',
    wanted: 'running',
    detail: 'in English',
    program: { ...program, values: [...program.values] },
  };
  const { server, agent } = await managed('Absent', report);
  using _ = agent;
  const page = await panel.page({ path: `/servers/${server.id}` });
  await page.getByText('Cannot start: its program is missing or cannot be run').waitFor();
  await page.getByText('/srv/games/fjord/start.sh is run by /bin/bash, which does not exist.').waitFor();
  expect(await page.getByText('in English').count()).toBe(0);
  await expectAccessible(page);
  await shot(page, 'program-fault');
  await button(page, 'Start').click();
  const start = await agent.nextTask();
  expect(start.task).toMatchObject({ action: 'start' });
  agent.end(start.id, 'failed', 'in English', { program });
  await page.getByText(/Start – failed/i).waitFor();
  expect(await page.getByText('in English').count()).toBe(0);
  await shot(page, 'program-fault-tried');
  await button(page, 'Stop').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
  expect((await agent.nextTask()).task).toMatchObject({ action: 'stop' });
  await page.close();
  const there = await panel.page({ path: `/servers/${server.id}`, locale: 'pt-BR' });
  await there.getByText('/srv/games/fjord/start.sh é executado por /bin/bash, que não existe.').waitFor();
  await there.close();
});

// Guarantee: the palette opens the question for an action, by keyboard alone, and does nothing by itself.
test('the palette', { tags: ['night'] }, async () => {
  const { agent } = await managed('Reef', runningReport);
  using _ = agent;
  const page = await panel.page({ path: '/' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('restart reef');
  await page.getByRole('option', { name: 'Restart Reef' }).waitFor();
  await shot(page, 'palette');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('Restart Reef?').waitFor();
  expect(agent.tasks).toHaveLength(0);
  // Past the countdown and the Cancel button.
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  expect((await agent.nextTask()).task).toMatchObject({ action: 'restart', countdown: null });
  await page.close();
});

// Guarantee: a question that makes no sense in the current state says why, does nothing, and does not come back later.
test('asked for nothing', { tags: ['night'] }, async () => {
  const { server, agent } = await managed('Quay');
  using _ = agent;
  const page = await panel.page({ path: `/servers/${server.id}?power=stop` });
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The server is already stopped.').waitFor();
  const stop = dialog.getByRole('button', { name: 'Stop', exact: true });
  expect(await stop.isDisabled()).toBe(true);
  agent.tell(runningReport);
  await soon(() => stop.isEnabled()).toBe(true);
  agent.tell({});
  await soon(() => stop.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  agent.tell(runningReport);
  await soon(() => button(page, 'Stop').isEnabled()).toBe(true);
  expect(await dialog.count()).toBe(0);
  await page.close();
});

// Guarantee: several servers can be restarted together from the list, after a question; one without a process is left out.
test('several at once', { tags: ['night'] }, async () => {
  const many = [await managed('Isle one', runningReport), await managed('Isle two', runningReport)];
  using _one = many[0]?.agent;
  using _two = many[1]?.agent;
  await newServer('Isle three');
  const page = await panel.page({ path: '/servers?q=isle' });
  for (const name of ['Isle one', 'Isle two', 'Isle three'])
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .click();
  await page.getByRole('button', { name: /^Restart 2/ }).click();
  const question = page.getByRole('dialog');
  await question.getByText('This restarts 2 servers').waitFor();
  await expectAccessible(page);
  await shot(page, 'several');
  await question.getByRole('button', { name: 'Restart', exact: true }).click();
  for (const { agent } of many) expect((await agent.nextTask()).task).toMatchObject({ action: 'restart' });
  await page.close();
});

/** The page's reads of a server's power state while its clock stands still, so that no timer causes a read. */
const frozenPage = async (server: GameServer) => {
  const page = await panel.page({ path: `/servers/${server.id}` });
  await page.getByText('Process 4711').waitFor();
  await page.clock.install();
  await page.reload();
  await page.getByText('Process 4711').waitFor();
  // Past the pause after the first read.
  await page.clock.pauseAt(Date.now() + 5000);
  let reads = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/api/servers/${server.id}/power`) reads += 1;
  });
  return { page, reads: () => reads };
};

// Guarantee: the agent's reports about its process reach the page by live messages, not by polling; a storm of reports causes one
// read a second.
test('told at once', { tags: ['night'] }, async () => {
  const { server, agent } = await managed('Swift', runningReport);
  using _ = agent;
  const { page, reads } = await frozenPage(server);
  agent.tell({ ...runningReport, pid: 4712 });
  await page.getByText('Process 4712').waitFor();
  await page.clock.runFor(1000);
  const before = reads();
  for (let pid = 5000; pid < 5200; pid += 1) agent.tell({ ...runningReport, pid });
  await soon(
    async () =>
      (await panel.call(powerHttp.read, { params: { serverId: server.id } })).process?.report.pid ?? 0,
  ).toBe(5199);
  await soon(async () => {
    await page.clock.runFor(1000);
    return page.getByText('Process 5199').count();
  }).toBe(1);
  expect(reads() - before).toBeLessThan(20);
  await page.close();
});

// Guarantee: without a live connection, the page polls.
test('asked while nothing is told', { tags: ['night'] }, async () => {
  const { server, agent } = await managed('Mute', runningReport);
  using _ = agent;
  const page = await panel.page({ path: `/servers/${server.id}` });
  await page.routeWebSocket(`**${livePath}*`, (socket) => socket.close());
  await page.clock.install();
  await page.reload();
  await page.getByText('Process 4711').waitFor();
  agent.tell({ ...runningReport, pid: 4712 });
  await soon(async () => {
    await page.clock.runFor(10_000);
    return page.getByText('Process 4712').count();
  }).toBe(1);
  await page.close();
});

// Guarantee: a failed update of the agent is shown on the pages of its server and its agent, with the reason and the remedy, in
// both languages; so is an update in progress.
test('an update of the agent', { tags: ['night'] }, async () => {
  const renewal = { step: 'trying', version: '1.5.0', detail: null, againInMs: null } as const;
  const { server, agent } = await managed('Updated', runningReport, { renewal });
  using _ = agent;
  const page = await panel.page({ path: `/servers/${server.id}` });
  await page.getByText('Updating to 1.5.0').waitFor();
  await shot(page, 'agent-updating');
  const detail = 'it ended by itself (3)';
  agent.tellMachine({ renewal: { ...renewal, step: 'went-back', detail, againInMs: 3_600_000 } });
  await page.getByText('The update to 1.5.0 failed and was undone').waitFor();
  await page.getByText(detail).waitFor();
  await page.getByText('Next attempt').waitFor();
  await expectAccessible(page);
  await shot(page, 'agent-went-back');
  await page.goto(`/#/agents/${server.id}`);
  await page.getByText('The Game Agent was not updated').waitFor();
  await page.getByText('create a command under “Set up a Game Agent”').waitFor();
  await expectAccessible(page);
  await shot(page, 'agent-page-went-back');
  await page.close();
  const inPortuguese = await panel.page({ path: `/agents/${server.id}`, locale: 'pt-BR', look: 'phone' });
  await inPortuguese.getByText('falhou e foi desfeita').waitFor();
  await shot(inPortuguese, 'agent-page-went-back-pt');
  await inPortuguese.close();
});

// Guarantee: no live message reaches a person about a server that they may not see.
test('only of servers that one may see', { tags: ['night'] }, async () => {
  const seen = await managed('Seen', runningReport);
  using _seen = seen.agent;
  const hidden = await managed('Hidden', runningReport);
  using _hidden = hidden.agent;
  const viewer = await panel.newAdmin({
    role: null,
    serverGrants: [{ serverId: seen.server.id, role: 'viewer' }],
  });
  const page = await panel.page({ as: viewer, path: '/' });
  const messages: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => void messages.push(String(payload))),
  );
  await page.goto(`/#/servers/${seen.server.id}`);
  await page.reload();
  await page.getByText('Process 4711').waitFor();
  hidden.agent.tell({ ...runningReport, pid: 4712 });
  seen.agent.tell({ ...runningReport, pid: 4713 });
  await page.getByText('Process 4713').waitFor();
  // The page may have read it again before the message came.
  await expect
    .poll(() => messages.filter((message) => message.includes('agent-tasks')).join())
    .toContain(seen.server.id);
  expect(messages.join()).not.toContain(hidden.server.id);
  await page.close();
});

// Guarantee: without an agent, the page says that one is needed, and a person without the permission sees why everything is
// disabled.
test('a server without an agent', { tags: ['night'] }, async () => {
  const server = await newServer('Alone');
  const page = await panel.page({ path: `/servers/${server.id}`, look: 'phone' });
  await page.getByRole('alert').getByText('The game is started and stopped by a Game Agent').waitFor();
  expect(await button(page, 'Start').isDisabled()).toBe(true);
  await expectAccessible(page);
  await shot(page, 'no-agent-phone');
  await page.close();
});
