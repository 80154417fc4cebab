// @module-tag browser

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersHttp } from '#contracts/clusters.ts';
import { problems } from '#contracts/problems.ts';
import { sessionsHttp } from '#contracts/sessions.ts';
import { axeViolations } from '#harness/browser.ts';
import { eventually } from '#harness/eventually.ts';
import { openPanel, type Panel } from '#harness/panel.ts';

let panel: Panel;

beforeAll(async () => {
  panel = await openPanel();
});
afterAll(async () => {
  const faults = [...panel.faults()];
  await panel[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const patience = { timeout: 30_000 };
const rows = (page: Page, list: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem');
const texts = async (page: Page, list: string) =>
  // Names are set apart by invisible marks.
  (await rows(page, list).allInnerTexts()).map((text) => text.replace(/[\u2068\u2069]/g, ''));

/** The API keeps no names that are nobody's: these are admins, so that failing to sign in as one of them is an event. */
const makeAdmins = async (...names: readonly string[]) => {
  for (const name of names) await panel.newAdmin({ role: 'viewer', name });
};

/** An event of our own making. */
const failToSignIn = (name: string) =>
  eventually(async () => {
    const answer = await fetch(panel.info.apiUrl + sessionsHttp.signIn.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, password: 'not the password' }),
      // Not less: one that was given up, and answered all the same, would be an event of its own.
      signal: AbortSignal.timeout(patience.timeout),
    });
    expect(answer.status).toBe(401);
  }, patience.timeout);

// Guarantee: an event is on the page without a reload, and after a restart of the API none is missing and none is
// there twice, also of those that happened while the page was cut off.
test('events come by themselves, over a restart of the API', async () => {
  const names = ['before the restart', 'while away', 'afterwards'] as const;
  await makeAdmins(...names);
  const page = await panel.page({ path: '/events?kind=login.failed,stack.started' });
  await rows(page, 'Events').filter({ hasText: 'has started' }).first().waitFor();
  await failToSignIn('before the restart');
  await rows(page, 'Events').filter({ hasText: 'before the restart' }).waitFor();

  process.kill(panel.info.pids.api ?? Number.NaN, 'SIGKILL');
  await failToSignIn('while away');
  await rows(page, 'Events').filter({ hasText: 'while away' }).waitFor(patience);
  await failToSignIn('afterwards');
  await rows(page, 'Events').filter({ hasText: 'afterwards' }).waitFor();
  const shown = await texts(page, 'Events');
  for (const name of names)
    expect(
      shown.filter((text) => text.includes(name)),
      name,
    ).toHaveLength(1);
  expect(shown.filter((text) => text.includes('has started'))).toHaveLength(2);
  await page.close();
});

// Guarantee: what somebody calls themselves is text on the page, never a part of it.
test('HTML in an event is shown as text', async () => {
  const name = '<img src=x onerror="document.title=1"><h1>owned</h1>';
  await makeAdmins(name);
  await failToSignIn(name);
  const page = await panel.page({ path: '/events?kind=login.failed' });
  await rows(page, 'Events').filter({ hasText: '<h1>owned</h1>' }).getByRole('button').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText(name, { exact: true }).waitFor();
  expect(await page.locator('img[src="x"], h1:text("owned")').count()).toBe(0);
  expect(await page.title()).not.toBe('1');
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(() => page.locator(':focus').textContent(), patience).toContain('owned');
  await page.close();
});

// Guarantee: the filters stand in the address, hold after a reload, and an address of nonsense shows all.
test('filters of events', async () => {
  await makeAdmins('somebody');
  await failToSignIn('somebody');
  const page = await panel.page({ path: '/events?kind=nonsense&from=yesterday&severity=loud' });
  await expect
    .poll(async () => (await texts(page, 'Events')).some((text) => /joined|left/.test(text)), patience)
    .toBe(true);
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Failed sign-in' }).click();
  await expect.poll(() => page.url(), patience).toContain('kind=login.failed');
  await expect
    .poll(
      async () => (await texts(page, 'Events')).every((text) => text.includes('Failed sign-in')),
      patience,
    )
    .toBe(true);
  await page.reload();
  await rows(page, 'Events').filter({ hasText: 'somebody' }).first().waitFor();
  expect((await texts(page, 'Events')).every((text) => text.includes('Failed sign-in'))).toBe(true);
  const csv = await page.getByRole('link', { name: /CSV/ }).getAttribute('href');
  expect(csv).toContain('kind=login.failed');
  await page.close();
});

// Guarantee: while somebody reads further down, new events wait and say how many they are; nothing moves by itself.
test('new events wait for whoever has scrolled down', async () => {
  const page = await panel.page({ path: '/events' });
  // The demo's players keep the log growing; it is enough for a page that scrolls.
  await rows(page, 'Events').nth(20).waitFor(patience);
  await rows(page, 'Events').first().getByRole('button').focus();
  const focusedRow = () =>
    page.evaluate<string | null>("document.activeElement.closest('li')?.dataset.id ?? null");
  const newest = await focusedRow();
  await page.keyboard.press('End');
  // The focus follows a moment after the key. Its row is the last one until older ones are read below it.
  await expect.poll(async () => [null, newest].includes(await focusedRow()), patience).toBe(false);
  const read = page.locator(':focus');
  const before = await read.textContent();
  await page.getByRole('button', { name: /new entr/ }).waitFor(patience);
  expect(await read.textContent()).toBe(before);
  await page.getByRole('button', { name: /new entr/ }).click();
  await page.getByRole('button', { name: /new entr/ }).waitFor({ state: 'detached' });
  await page.close();
});

// Guarantee: the audit log tells a change field by field, and leads to who did it and on what.
test('a change in the audit log', async () => {
  const made = await panel.call(clustersHttp.create, {
    body: { name: 'Records one', description: 'old <b>words</b>' },
  });
  await panel.call(clustersHttp.change, {
    params: { id: made.id },
    body: { version: made.version, name: 'Records one', description: 'new words' },
  });
  const page = await panel.page({ path: '/audit?action=clusters.change' });
  await rows(page, 'Audit log').filter({ hasText: 'Records one' }).getByRole('button').click();
  const drawer = page.getByRole('dialog');
  const change = drawer
    .getByRole('table', { name: 'What changed' })
    .getByRole('row')
    .filter({ hasText: 'description' });
  await expect
    .poll(() => change.getByRole('cell').allInnerTexts(), patience)
    .toEqual(['old <b>words</b>', 'new words']);
  expect(await axeViolations(page)).toEqual([]);
  await drawer.getByRole('link', { name: 'Everything on this' }).click();
  await expect
    .poll(() => page.url(), patience)
    .toContain(`target=${encodeURIComponent(`cluster:${made.id}`)}`);
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(async () => (await texts(page, 'Audit log')).length, patience).toBe(2);
  await page.getByLabel('Contains').fill('nothing has this text');
  await page.getByText('Nothing matches').waitFor();
  await page.close();
});

// Guarantee: an address that no API would take shows the log, and what it filters by is seen.
test('addresses of nonsense', async () => {
  const page = await panel.page({ path: '/audit?text=%00&actor=%00%20&from=%2B275760-09-13&to=0000-01-01' });
  await rows(page, 'Audit log').first().waitFor();
  await page.goto('/#/events?server=%3Cb%3Egone%3C/b%3E');
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Server' }).inputValue()).toBe('Server: <b>gone</b>');
  await page.close();
});

// Guarantee: a refusal of what was asked for is told, while what was read stays and can be asked for again.
test('a jump to the newest that is refused', async () => {
  const page = await panel.page({ path: '/' });
  const { title, status } = problems.RATE_LIMITED;
  const refusal = JSON.stringify({ type: 'about:blank', title, status, code: 'RATE_LIMITED' });
  let isRefused = false;
  // Short pages, of which only the first and the last ever come: the demo has hardly more than one long page.
  await page.route('**/api/events?*page=*', (route) =>
    isRefused
      ? route.fulfill({ status, contentType: 'application/problem+json', body: refusal })
      : route.continue({ url: `${route.request().url()}&limit=5` }),
  );
  await page.route('**/api/events?*cursor=*', () => undefined);
  await page.goto('/#/events');
  await rows(page, 'Events').first().waitFor();
  await page.getByRole('button', { name: 'To the oldest' }).click();
  const toNewest = page.getByRole('button', { name: 'To the newest' });
  await toNewest.waitFor();
  isRefused = true;
  await toNewest.click();
  await page.getByRole('alert').waitFor();
  await rows(page, 'Events').first().waitFor();
  isRefused = false;
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await toNewest.waitFor({ state: 'detached' });
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.close();
});

// Guarantee: a line that a component writes is on the page at once, and unfolds into all that it says.
test('the tail of a log', async () => {
  const page = await panel.page({ path: '/logs?component=supervisor&text=bot' });
  const list = 'Logs: Supervisor';
  await rows(page, list).filter({ hasText: 'bot is running' }).first().waitFor();
  const before = (await texts(page, list)).length;
  process.kill(panel.info.pids.bot ?? Number.NaN, 'SIGKILL');
  await expect.poll(async () => (await texts(page, list)).length, patience).toBeGreaterThan(before);
  await rows(page, list).last().getByRole('button').click();
  await page.getByRole('dialog').getByText('What else the line says').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.close();
});
