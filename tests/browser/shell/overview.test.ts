// @module-tag identity

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { overflows } from '#harness/browser.ts';
import { expectAccessible } from '#harness/every-look.ts';
import { openPanel, type Panel } from '#harness/panel.ts';

let panel: Panel;
beforeAll(async () => {
  panel = await openPanel();
}, 240_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

/** The id of a demo process by its name; the demo was started for this file alone. */
const processId = (name: string): number => {
  const pid = panel.info.pids[name];
  if (!pid) throw new Error(`the demo has no process called ${name}`);
  return pid;
};

const part = (page: Page, name: string) => page.locator(`[data-part="${name}"]`);
const problem = (page: Page, name: string) => page.locator(`[data-problem="${name}"]`);
const greenSigns = (page: Page) => page.locator('[data-part][data-tone=ok]');
/** Silence is noticed after three heartbeats, a dead process after one or two checks of its supervisor. */
const noticed = { timeout: 60_000 };

// Guarantee: components that work are shown as such, and those that are not set up are not shown as healthy.
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
    'integrity',
    'entitlements',
    'bans',
    'license',
  ])
    await part(page, name).getByText('Working', { exact: true }).waitFor();
  await part(page, 'bot').getByText('Not in use').waitFor();
  await expect.poll(() => greenSigns(page).count()).toBe(11);
  await expect.poll(() => page.getByText('Last known').count()).toBe(0);
  await page.getByRole('region', { name: 'Servers' }).getByText('Minecraft').waitFor();
  await page.close();
});

// Guarantee: an agent that falls silent is shown without a reload, with the meaning and where to go; once it is heard from again,
// the page updates by itself.
test('an agent falls silent and comes back', { tags: ['night'] }, async () => {
  const page = await panel.page();
  await part(page, 'agents').getByText('Working', { exact: true }).waitFor();
  process.kill(processId('agent'), 'SIGSTOP');
  try {
    await part(page, 'agents').getByText('Needs attention').waitFor(noticed);
    await problem(page, 'agents').getByText('The Quarry').waitFor();
    await problem(page, 'agents').locator('time').waitFor();
    await page.getByText(/The Game Agent of .*The Quarry.* is not responding/).waitFor(noticed);
    await expectAccessible(page);
    await problem(page, 'agents').getByRole('link', { name: 'Open Game Agents' }).click();
    await page.waitForURL(/#\/agents/);
    await page.goto('/#/health');
    await page.getByText('Game Agents: Needs attention').waitFor();
    await page.goto('/#/');
  } finally {
    process.kill(processId('agent'), 'SIGCONT');
  }
  await part(page, 'agents').getByText('Working', { exact: true }).waitFor(noticed);
  await page.close();
});

// Guarantee: while the API is down nothing is green, known values stay with their age, and everything recovers by itself once the
// supervisor has restarted it.
test('the API dies and is started again', { tags: ['night'] }, async () => {
  const page = await panel.page();
  await part(page, 'database').getByText('Working', { exact: true }).waitFor();
  const server = page.getByRole('region', { name: 'Servers' }).getByText('Fjordland');
  await server.waitFor();
  // Paused, because a killed API may be back before the test can look.
  process.kill(processId('supervisor'), 'SIGSTOP');
  try {
    process.kill(processId('api'), 'SIGKILL');
    await part(page, 'api').getByText('Not responding').waitFor(noticed);
    await problem(page, 'away').getByText('Castellan is not responding').waitFor();
    expect(await page.getByText('Everything works').count()).toBe(0);
    await page.getByText('Last known').first().waitFor();
    expect(await greenSigns(page).count()).toBe(0);
    await server.waitFor();
    await expectAccessible(page);
  } finally {
    process.kill(processId('supervisor'), 'SIGCONT');
  }
  await part(page, 'api').getByText('Working', { exact: true }).waitFor(noticed);
  await expect.poll(() => page.getByText('Last known').count(), noticed).toBe(0);
  await page.close();
});

// Guarantee: charts show only known values, grow by themselves, and give keyboard and screen reader users the same values; the
// span is in the address.
test('charts', { tags: ['night'] }, async () => {
  const page = await panel.page();
  const picture = page.getByRole('img', { name: /^Players: now / });
  // The API was restarted: the next figure may be ten seconds away, and the first count of players longer.
  await picture.waitFor(noticed);
  // The demo has run for less than the shown hour.
  expect(await picture.getAttribute('aria-label')).toContain('Some values are missing.');
  const cursor = page.getByRole('slider', { name: 'Time in Players' });
  // After a restart the newest step is unknown at first.
  await expect.poll(() => cursor.getAttribute('aria-valuetext'), noticed).toMatch(/: \d/);
  const newest = await cursor.getAttribute('aria-valuetext');
  await expect.poll(() => cursor.getAttribute('aria-valuetext'), noticed).not.toBe(newest);

  await cursor.press('Home');
  await expect.poll(() => cursor.getAttribute('aria-valuetext')).toMatch(/: no data$/);
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

// Guarantee: any name is shown as text and makes no page wider.
test('a hostile name of a server', { tags: ['night'] }, async () => {
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

// Guarantee: a person with permissions for one server sees that server, and nothing of the stack.
test('rights for a single server', { tags: ['night'] }, async () => {
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
  // Nothing is known here about the rest, so the page says nothing about it.
  expect(await page.getByText('Everything works').count()).toBe(0);
  expect(await page.locator('[data-part]').count()).toBe(0);
  expect(await page.getByRole('slider').count()).toBe(0);
  await page.goto('/#/license');
  await page.getByText('You cannot open this page').waitFor();
  expect(panel.refusals().slice(refusals)).toEqual([]);
  await page.close();
});

// Guarantee: every figure of the queues, the database and the records is shown, and each table can be reached by keyboard.
test('system health', async () => {
  const page = await panel.page({ path: '/health' });
  // After a restart of the API, agents take up to half a minute to be back.
  await page.getByText('The stack works').waitFor(noticed);
  await page.getByRole('cell', { name: 'Daily maintenance' }).waitFor();
  await page.getByRole('cell', { name: 'Audit log' }).waitFor();
  await page.getByText(/^\d+ of \d+ open, \d+ idle$/).waitFor();
  await page.getByText('Not set up').waitFor();
  await page.close();
});

// Guarantee: the portal's answer is shown; a second check too soon is explained; while the portal is down the license is shown as
// unconfirmed, with its remaining time.
test('the license is checked', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/license' });
  await page.getByText('License active', { exact: true }).waitFor();
  await page.getByText(panel.info.hwid).waitFor();
  const ask = page.getByRole('button', { name: 'Check now' });
  await ask.click();
  await page.getByText('The portal has confirmed the license.').waitFor();
  await ask.click();
  await page.getByRole('alert').waitFor();

  process.kill(processId('portal'), 'SIGKILL');
  await expect
    .poll(
      async () => {
        if (await ask.isEnabled()) await ask.click();
        return page.getByText('License not confirmed: the portal does not answer', { exact: true }).count();
      },
      { timeout: 60_000, interval: 2000 },
    )
    .toBe(1);
  expect(await page.getByRole('timer').textContent()).toMatch(/\d/);
  await page.goto('/#/');
  await part(page, 'license').getByText('Not verified recently').waitFor(noticed);
  await page.close();
});

// Guarantee: no page had an error.
test('nothing failed behind the scenes', () => {
  expect(panel.faults()).toEqual([]);
});
