import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProcessReport } from '#contracts/servers/agent-tasks.ts';
import { expectAccessible, lookOfTier } from '#harness/every-look.ts';
import { button, openPowerPanel, type PowerPanel, runningReport, shot, soon } from '#harness/power-panel.ts';
import type { TestPanel } from '#harness/test-panel.ts';
import type { PowerAgent } from '../../../server/servers/power/testing/power-agent.ts';

let power: PowerPanel;
let panel: TestPanel;
beforeAll(async () => {
  power = await openPowerPanel();
  ({ panel } = power);
});
afterAll(async () => {
  await power?.[Symbol.asyncDispose]();
});
const playersOn = (agent: PowerAgent, number: number, ...names: string[]) =>
  agent.send({
    v: 1,
    type: 'heartbeat',
    number,
    state: 'online',
    detail: null,
    players: names.map((name) => ({ name, platformId: null, handle: name })),
  });

// Guarantee: the question before a stop shows the players on the server and the length of the announcement; the stop is shown step
// by step, and can be cancelled only during the announcement.
test('a stop with players on', async () => {
  const { server, agent } = await power.managed('Fjord', runningReport);
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
  const { server, agent } = await power.managed('Hanging', runningReport);
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
  const { server, agent } = await power.managed(
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
  const looping = await power.managed('Looping', {
    state: 'crash-looping',
    wanted: 'running',
    crashes: 5,
    lastCrash,
  });
  using _looping = looping.agent;
  const backing = await power.managed('Backing', {
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
  const { server, agent } = await power.managed('Absent', report);
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
  const { agent } = await power.managed('Reef', runningReport);
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
  const { server, agent } = await power.managed('Quay');
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
  const many = [
    await power.managed('Isle one', runningReport),
    await power.managed('Isle two', runningReport),
  ];
  using _one = many[0]?.agent;
  using _two = many[1]?.agent;
  await power.newServer('Isle three');
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
