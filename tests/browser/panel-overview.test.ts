// @module-tag browser

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersHttp } from '#contracts/clusters.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { axeViolations, overflows } from '#harness/browser.ts';
import { openPanel, type Panel } from '#harness/panel.ts';

let panel: Panel;
beforeAll(async () => {
  panel = await openPanel();
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

/** A process of the demo by its name; it was started for this file alone. */
const processId = (name: string): number => {
  const pid = panel.info.pids[name];
  if (!pid) throw new Error(`the demo has no process called ${name}`);
  return pid;
};

const part = (page: Page, name: string) => page.locator(`[data-part="${name}"]`);
const greenSigns = (page: Page) => page.locator('[data-part] svg[fill="var(--tone-ok)"]');
/** Silence is noticed after three heartbeats, a dead process after a look or two of its supervisor. */
const noticed = { timeout: 60_000 };

// Guarantee: what works is shown as such, and what nobody has set up is not called well.
test('the parts of a healthy stack', async () => {
  const page = await panel.page();
  for (const name of [
    'api',
    'database',
    'queues',
    'agents',
    'secrets',
    'disk',
    'backups',
    'entitlements',
    'license',
  ])
    await part(page, name).getByText('Works', { exact: true }).waitFor();
  await part(page, 'bot').getByText('Not in use').waitFor();
  await expect.poll(() => greenSigns(page).count()).toBe(9);
  await expect.poll(() => page.getByText('Last known').count()).toBe(0);
  await page.getByRole('region', { name: 'Servers' }).getByText('Minecraft').waitFor();
  await page.close();
});

// Guarantee: an agent that falls silent is told without a reload, with what it means and where to go; once it is heard
// of again, the page is right by itself.
test('an agent falls silent and comes back', async () => {
  const page = await panel.page();
  await part(page, 'agents').getByText('Works', { exact: true }).waitFor();
  process.kill(processId('agent'), 'SIGSTOP');
  try {
    await part(page, 'agents').getByText('Needs a look').waitFor(noticed);
    await part(page, 'agents').getByText('The Quarry').waitFor();
    await page.getByText(/Nothing is heard from the Game Agent of .*The Quarry.* any more/).waitFor(noticed);
    expect(await axeViolations(page)).toEqual([]);
    await part(page, 'agents').getByRole('link', { name: 'Open Game Agents' }).click();
    await page.waitForURL(/#\/agents/);
    await page.goto('/#/health');
    await page.getByText('Game Agents: Needs a look').waitFor();
    await page.goto('/#/');
  } finally {
    process.kill(processId('agent'), 'SIGCONT');
  }
  await part(page, 'agents').getByText('Works', { exact: true }).waitFor(noticed);
  await page.close();
});

// Guarantee: while the API is away nothing is green, what was known stays with its age, and all comes right by itself
// when the supervisor has started it again.
test('the API dies and is started again', async () => {
  const page = await panel.page();
  await part(page, 'database').getByText('Works', { exact: true }).waitFor();
  const server = page.getByRole('region', { name: 'Servers' }).getByText('Fjordland');
  await server.waitFor();
  // Held still: one that is killed may be back before anybody has looked.
  process.kill(processId('supervisor'), 'SIGSTOP');
  try {
    process.kill(processId('api'), 'SIGKILL');
    await part(page, 'api').getByText('Does not answer').waitFor(noticed);
    await page.getByText('Last known').first().waitFor();
    expect(await greenSigns(page).count()).toBe(0);
    await server.waitFor();
    expect(await axeViolations(page)).toEqual([]);
  } finally {
    process.kill(processId('supervisor'), 'SIGCONT');
  }
  await part(page, 'api').getByText('Works', { exact: true }).waitFor(noticed);
  await expect.poll(() => page.getByText('Last known').count(), noticed).toBe(0);
  await page.close();
});

// Guarantee: charts show what is known and nothing else, grow by themselves, and tell the keyboard and a screen reader
// what they show; the span stands in the address.
test('charts', async () => {
  const page = await panel.page();
  const picture = page.getByRole('img', { name: /^Players: now / });
  // The API was started anew: the next figure may be ten seconds away, and the first count of players more.
  await picture.waitFor(noticed);
  // The demo is younger than the hour that is shown.
  expect(await picture.getAttribute('aria-label')).toContain('Not known at times.');
  const cursor = page.getByRole('slider', { name: 'Point of time in Players' });
  // After a restart the newest step is not known at first.
  await expect.poll(() => cursor.getAttribute('aria-valuetext'), noticed).toMatch(/: \d/);
  const newest = await cursor.getAttribute('aria-valuetext');
  await expect.poll(() => cursor.getAttribute('aria-valuetext'), noticed).not.toBe(newest);

  await cursor.press('Home');
  await expect.poll(() => cursor.getAttribute('aria-valuetext')).toMatch(/: not known$/);
  await cursor.press('End');
  await expect.poll(() => cursor.getAttribute('aria-valuetext')).toMatch(/: \d/);

  await page.getByText('Month', { exact: true }).click();
  await page.waitForURL(/span=month/);
  await page.reload();
  await page.getByRole('img', { name: /^Players: / }).waitFor();
  expect(await page.getByRole('radio', { name: 'Month' }).isChecked()).toBe(true);
  await page.goto('/#/?span=century');
  await expect.poll(() => page.getByRole('radio', { name: 'Hour' }).isChecked()).toBe(true);
  await page.close();
});

// Guarantee: a name is text, whatever is in it, and makes no page wider.
test('a hostile name of a server', async () => {
  const cluster = (await panel.call(clustersHttp.list, { query: {} })).rows[0];
  const name = `<img src=x onerror=alert(1)> מִבְצָר ${'W'.repeat(40)}`;
  const server = await panel.call(gameServersHttp.create, {
    body: { clusterId: cluster?.id ?? '', name, game: 'minecraft' },
  });
  const page = await panel.page({ look: 'phone' });
  await page.getByRole('link', { name, exact: true }).waitFor();
  expect(await overflows(page)).toBe(false);
  await page.close();
  await panel.call(gameServersHttp.archive, { params: { id: server.id } });
});

// Guarantee: whoever has rights for one server sees that one, and none of the stack.
test('rights for a single server', async () => {
  const [seen, other] = panel.info.servers;
  if (!seen || !other) throw new Error('the demo has too few servers');
  const as = await panel.newAdmin({
    role: null,
    serverGrants: [{ serverId: seen.id, role: 'viewer' }],
  });
  const refusals = panel.refusals().length;
  const page = await panel.page({ as });
  await page.getByRole('link', { name: seen.name }).waitFor();
  expect(await page.getByText(other.name).count()).toBe(0);
  expect(await page.locator('[data-part]').count()).toBe(0);
  expect(await page.getByRole('slider').count()).toBe(0);
  await page.goto('/#/license');
  await page.getByText('You may not see this page').waitFor();
  expect(panel.refusals().slice(refusals)).toEqual([]);
  await page.close();
});

// Guarantee: every figure of the queues, the database and the records is there, and each table can be reached by keys.
test('system health', async () => {
  const page = await panel.page({ path: '/health' });
  // After a restart of the API, agents take up to half a minute to be back.
  await page.getByText('Everything works').waitFor(noticed);
  await page.getByRole('cell', { name: 'Daily upkeep' }).waitFor();
  await page.getByRole('cell', { name: 'Audit log' }).waitFor();
  await page.getByText(/^\d+ of \d+ open, \d+ of them free$/).waitFor();
  await page.getByText('Waits to be set up').waitFor();
  await page.close();
});

// Guarantee: the portal's answer is told; a second question too soon is explained; while the portal is away the license
// is called unconfirmed, with how long it still holds.
test('the license is checked', async () => {
  const page = await panel.page({ path: '/license' });
  await page.getByText('The license holds', { exact: true }).waitFor();
  await page.getByText(panel.info.hwid).waitFor();
  const ask = page.getByRole('button', { name: 'Ask the portal now' });
  await ask.click();
  await page.getByText('The portal has confirmed the license.').waitFor();
  await ask.click();
  await page.getByRole('alert').waitFor();

  process.kill(processId('portal'), 'SIGKILL');
  await expect
    .poll(
      async () => {
        if (await ask.isEnabled()) await ask.click();
        return page.getByText('The license could not be confirmed', { exact: true }).count();
      },
      { timeout: 60_000, interval: 2000 },
    )
    .toBe(1);
  expect(await page.getByRole('timer').textContent()).toMatch(/\d/);
  await page.goto('/#/');
  await part(page, 'license').getByText('Not confirmed lately').waitFor(noticed);
  await page.close();
});

// Guarantee: no page had an error of its own.
test('nothing failed behind the scenes', () => {
  expect(panel.faults()).toEqual([]);
});
