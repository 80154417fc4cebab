import { afterAll, beforeAll, expect, test } from 'vitest';
import { livePath } from '#contracts/kernel/live.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { powerHttp } from '#contracts/servers/power.ts';
import { expectAccessible } from '#harness/every-look.ts';
import { button, openPowerPanel, type PowerPanel, runningReport, shot, soon } from '#harness/power-panel.ts';
import type { TestPanel } from '#harness/test-panel.ts';

let power: PowerPanel;
let panel: TestPanel;
beforeAll(async () => {
  power = await openPowerPanel();
  ({ panel } = power);
});
afterAll(async () => {
  await power?.[Symbol.asyncDispose]();
});

/** The page's reads of a server's power state while its clock stands still, so that no timer causes a read. */
const frozenPage = async (server: GameServer) => {
  const page = await panel.page({ path: `/servers/${server.id}` });
  await page.getByText('Process 4711').waitFor();
  await page.clock.install();
  await page.reload();
  await page.getByText('Process 4711').waitFor();
  // A connection that is still opening would wait for the clock.
  await page.getByText('Live', { exact: true }).waitFor();
  await page.clock.pauseAt(Date.now() + 5000);
  // Past the pause after the first read, which begins when that has ended.
  await page.waitForLoadState('networkidle');
  await page.clock.runFor(2000);
  let reads = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/api/servers/${server.id}/power`) reads += 1;
  });
  return { page, reads: () => reads };
};

// Guarantee: the agent's reports about its process reach the page by live messages, not by polling; a storm of reports causes one
// read a second.
test('told at once', { tags: ['night'] }, async () => {
  const { server, agent } = await power.managed('Swift', runningReport);
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
  const { server, agent } = await power.managed('Mute', runningReport);
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
  const { server, agent } = await power.managed('Updated', runningReport, { renewal });
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
  const seen = await power.managed('Seen', runningReport);
  using _seen = seen.agent;
  const hidden = await power.managed('Hidden', runningReport);
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

// Guarantee: without an agent, the page says that one is needed, and offers its set-up in place of buttons that do nothing.
test('a server without an agent', { tags: ['night'] }, async () => {
  const server = await power.newServer('Alone');
  const page = await panel.page({ path: `/servers/${server.id}`, look: 'phone' });
  await page.getByRole('alert').getByText('The game is started and stopped by a Game Agent').waitFor();
  await page
    .getByRole('link', { name: 'Set up a Game Agent' })
    .or(button(page, 'Set up a Game Agent'))
    .waitFor();
  expect(await button(page, 'Start').count()).toBe(0);
  await expectAccessible(page);
  await shot(page, 'no-agent-phone');
  await page.close();
});
