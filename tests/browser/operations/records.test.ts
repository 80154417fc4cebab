// @module-tag identity

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { problems } from '#contracts/kernel/problems.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';

import { eventually } from '#harness/eventually.ts';
import { expectAccessible, expectEveryLook, prepareLooks } from '#harness/every-look.ts';
import { openPanel, type Panel } from '#harness/panel.ts';

let panel: Panel;

beforeAll(async () => {
  panel = await openPanel();
}, 240_000);
afterAll(async () => {
  const faults = [...(panel?.faults() ?? [])];
  await panel?.[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const patience = { timeout: 30_000 };
const rows = (page: Page, list: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem');
const texts = async (page: Page, list: string) =>
  // Names are isolated by invisible marks.
  (await rows(page, list).allInnerTexts()).map((text) => text.replace(/[\u2068\u2069]/g, ''));

/** The API records no unknown names: these are admins, so that a failed sign-in as one of them is an event. */
const makeAdmins = async (...names: readonly string[]) => {
  for (const name of names) await panel.newAdmin({ role: 'viewer', name });
};

/** Causes an event. */
const failToSignIn = (name: string) =>
  eventually(async () => {
    const answer = await fetch(panel.info.apiUrl + sessionsHttp.signIn.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, password: 'not the password' }),
      // Not shorter: a request that was given up and still answered would be another event.
      signal: AbortSignal.timeout(patience.timeout),
    });
    expect(answer.status).toBe(401);
  }, patience.timeout);

// Guarantee: an event appears without a reload, and after a restart of the API none is missing or duplicated, including events
// that happened while the page was disconnected.
test('events come by themselves, over a restart of the API', { tags: ['night'] }, async () => {
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

// Guarantee: the filters are in the address and survive a reload, and a nonsensical address shows everything.
test('filters of events', { tags: ['night'] }, async () => {
  await makeAdmins('somebody');
  await failToSignIn('somebody');
  const page = await panel.page({ path: '/events?kind=nonsense&from=yesterday&severity=loud' });
  await expect
    .poll(async () => (await texts(page, 'Events')).some((text) => /joined|left/.test(text)), patience)
    .toBe(true);
  await page.getByRole('combobox', { name: 'Event type' }).click();
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

// Guarantee: while the reader is further down, new events wait and their number is shown; nothing moves by itself.
test('new events wait for whoever has scrolled down', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/events' });
  // The demo's players keep the log growing; this is enough for a page that scrolls.
  await rows(page, 'Events').nth(15).waitFor(patience);
  await rows(page, 'Events').first().getByRole('button').focus();
  const focusedRow = () =>
    page.evaluate<string | null>("document.activeElement.closest('li')?.dataset.id ?? null");
  const newest = await focusedRow();
  await page.keyboard.press('End');
  // The focus follows a moment after the key. Its row is the last one until older rows load below it.
  await expect.poll(async () => [null, newest].includes(await focusedRow()), patience).toBe(false);
  const read = page.locator(':focus');
  const before = await read.textContent();
  await page.getByRole('button', { name: /^\d+ new$/ }).waitFor(patience);
  expect(await read.textContent()).toBe(before);
  await page.getByRole('button', { name: /^\d+ new$/ }).click();
  await page.getByRole('button', { name: /^\d+ new$/ }).waitFor({ state: 'detached' });
  await page.close();
});

// Guarantee: the audit log words a change with the old and new value, and links the actor and the target; the raw record is
// collapsed.
test('a change in the audit log', { tags: ['night'] }, async () => {
  const name = `Records one ${'x'.repeat(60)} \u05e9\u05dc\u05d5\u05dd \u{1F995}`;
  const made = await panel.call(clustersHttp.create, { body: { name, description: 'old <b>words</b>' } });
  await panel.call(clustersHttp.change, {
    params: { id: made.id },
    body: { version: made.version, name, description: 'new words' },
  });
  const page = await panel.page({ path: '/audit?action=clusters.change' });
  await prepareLooks(page);
  const row = rows(page, 'Audit log').filter({ hasText: 'Records one' });
  await row.getByText('Description: old <b>words</b> → new words').waitFor();
  await row.getByRole('button').click();
  const drawer = page.getByRole('dialog');
  const change = drawer.getByRole('list', { name: 'What changed' }).getByRole('listitem');
  await expect
    .poll(() => change.allInnerTexts(), patience)
    .toEqual(['Description: old <b>words</b> → new words']);
  const raw = drawer.locator('details', { hasText: 'Raw record' });
  expect(await raw.getByText('"clusters.change"').isVisible()).toBe(false);
  await raw.getByText('Raw record').click();
  await raw.getByText('"clusters.change"').waitFor();
  await drawer.getByRole('button', { name: 'Copy raw record' }).waitFor();
  await expectEveryLook(page, 'audit-entry');
  await drawer.getByRole('link', { name: 'All on this item' }).click();
  await expect
    .poll(() => page.url(), patience)
    .toContain(`target=${encodeURIComponent(`cluster:${made.id}`)}`);
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(async () => (await texts(page, 'Audit log')).length, patience).toBe(2);
  // Actor and target are shown by names, never by ids.
  expect(await page.getByRole('combobox', { name: 'On what' }).inputValue()).toContain('Cluster Records one');
  await page.getByLabel('Contains').fill('nothing has this text');
  await page.getByText('Nothing matches').waitFor();
  await page.close();
});

// Guarantee: a person can be chosen by name, also one who was removed; the address keeps the id, so that a link to the page
// shows the same; the export contains the shown rows.
test('one person of the audit log, by name', { tags: ['night'] }, async () => {
  const leaver = await panel.newAdmin({ role: 'viewer', name: 'Leaving \u{1F44B} \u05e9\u05dc\u05d5\u05dd' });
  const { rows: admins } = await panel.call(adminsHttp.list, {});
  const id = admins.find(({ name }) => name.startsWith('Leaving'))?.id ?? '';
  await (await panel.page({ as: leaver })).close();
  await panel.call(adminsHttp.remove, { params: { id } });
  const page = await panel.page({ path: '/audit' });
  await page.getByRole('combobox', { name: 'Who' }).fill('leav');
  await page.getByRole('option', { name: /Leaving.*\(removed\)/ }).click();
  const address = `actor=${encodeURIComponent(`admin:${id}`)}`;
  await expect.poll(() => page.url(), patience).toContain(address);
  const shown = rows(page, 'Audit log');
  await expect
    .poll(async () => (await shown.allInnerTexts()).every((text) => text.includes('Leaving')), patience)
    .toBe(true);
  await page.reload();
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Who' }).inputValue(), patience)
    .toMatch(/^Who: Leaving.*\(removed\)$/);
  await shown.filter({ hasText: 'Signed in' }).first().waitFor();
  expect(await page.getByRole('link', { name: /CSV/ }).getAttribute('href')).toContain(address);
  await page.close();
});

// Guarantee: a span of days is in the address by its name, and requests whole days in this device's time zone.
test('spans of days', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/audit' });
  await prepareLooks(page);
  await rows(page, 'Audit log').first().waitFor();
  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'Yesterday' }).click();
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  expect(page.url()).toContain('when=yesterday');
  const csv = new URL(
    (await page.getByRole('link', { name: /CSV/ }).getAttribute('href')) ?? '',
    panel.info.apiUrl,
  ).searchParams;
  expect(Date.parse(csv.get('to') ?? '') - Date.parse(csv.get('from') ?? '')).toBe(86_400_000);
  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'Range' }).click();
  await page.getByLabel('From').waitFor();
  await rows(page, 'Audit log').first().waitFor();
  await expectEveryLook(page, 'audit-range');
  await page.close();
});

// Guarantee: an action appears without a reload; while the pointer is on the rows, or one of them is open, it waits and nothing
// moves.
test('acts come by themselves, and none under a pointer', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/audit?action=clusters.create' });
  const act = (name: string) => panel.call(clustersHttp.create, { body: { name, description: '' } });
  await act('Live one');
  await rows(page, 'Audit log').filter({ hasText: 'Live one' }).waitFor(patience);
  await rows(page, 'Audit log').first().hover();
  await act('Live two');
  await page.getByRole('button', { name: '1 new' }).waitFor(patience);
  expect((await texts(page, 'Audit log'))[0]).toContain('Live one');
  await rows(page, 'Audit log')
    .first()
    .getByRole('button')
    .click({ position: { x: 20, y: 20 } });
  await page.getByRole('dialog').waitFor();
  await page.mouse.move(0, 0);
  expect((await texts(page, 'Audit log'))[0]).toContain('Live one');
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await texts(page, 'Audit log'))[0], patience).toContain('Live two');
  await page.close();
});

// Guarantee: five hundred actions with long names are one list that can be read from the newest to the end.
test('five hundred acts', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/' });
  await prepareLooks(page);
  const name = (index: number) => `${index} ${'n'.repeat(180)} \u05e9\u05dc\u05d5\u05dd`;
  const row = (index: number) => ({
    id: String(1000 - index),
    at: new Date(Date.UTC(2026, 0, 2) - index * 60_000).toISOString(),
    actor: { kind: 'admin', id: 'a', name: name(index) },
    action: 'admins.change',
    target: 'admin:b',
    address: '::1',
    before: { name: name(index), permissions: ['audit.read'] },
    after: { name: name(index + 1), permissions: [] },
    detail: {},
  });
  const size = 100;
  await page.route('**/api/audit?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const start = Number(query.get('cursor') ?? 0);
    const isNewer = query.has('from');
    const json = {
      rows: isNewer ? [] : Array.from({ length: size }, (_, index) => row(start + index)),
      nextCursor: isNewer || start + size >= 500 ? null : String(start + size),
      previousCursor: null,
      names: { 'admin:b': name(0) },
    };
    return route.fulfill({ json });
  });
  await page.goto('/#/audit');
  await rows(page, 'Audit log').first().waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  await rows(page, 'Audit log').first().getByRole('button').focus();
  for (let pages = 0; pages < 6 && (await page.getByText('End of list').count()) === 0; pages += 1) {
    await page.keyboard.press('End');
    await expect
      .poll(
        async () =>
          (await page.getByText('End of list').count()) +
          (await page.getByRole('button', { name: 'More' }).count()),
        patience,
      )
      .toBe(1);
  }
  await page.getByText('End of list').waitFor(patience);
  await page.keyboard.press('End');
  await rows(page, 'Audit log').filter({ hasText: '499 nnn' }).last().waitFor(patience);
  await expectEveryLook(page, 'audit-many');
  await page.close();
});

// Guarantee: an empty log says what it is for.
test('nothing in the logs yet', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/' });
  await prepareLooks(page);
  const json = { rows: [], nextCursor: null, previousCursor: null, names: {}, liveCursor: 'none' };
  await page.route(/\/api\/(audit|events)\?/, (route) => route.fulfill({ json }));
  await page.goto('/#/audit');
  await page.getByRole('heading', { name: 'No entries yet' }).waitFor();
  await expectEveryLook(page, 'audit-empty');
  await page.close();
});

// Guarantee: the events of one player can be filtered by the player's name.
test('one person of the events', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/events?kind=player.joined' });
  await prepareLooks(page);
  const first = rows(page, 'Events').first();
  await first.waitFor(patience);
  await first.getByRole('button').click();
  const drawer = page.getByRole('dialog');
  await expectEveryLook(page, 'event');
  await drawer.getByRole('link', { name: 'All events of this person' }).click();
  await drawer.waitFor({ state: 'detached' });
  expect(page.url()).toContain('person=player');
  const who = page.getByRole('combobox', { name: 'Who' });
  await expect.poll(() => who.inputValue(), patience).toMatch(/^Who: (?!Player \d)/);
  const name = (await who.inputValue()).slice('Who: '.length);
  await expect
    .poll(async () => (await texts(page, 'Events')).every((text) => text.includes(name)), patience)
    .toBe(true);
  await who.click();
  await page.getByRole('option', { name }).first().waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expectEveryLook(page, 'events');
  await page.close();
});

// Guarantee: an address that the API would not accept shows the log, and the active filters are visible.
test('addresses of nonsense', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/audit?text=%00&actor=%00%20&from=%2B275760-09-13&to=0000-01-01' });
  await rows(page, 'Audit log').first().waitFor();
  await page.goto('/#/events?server=%3Cb%3Egone%3C/b%3E');
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Server' }).inputValue()).toBe('Server: <b>gone</b>');
  await page.close();
});

// Guarantee: a refused request is reported, while the loaded rows stay and the request can be retried.
test('a jump to the newest that is refused', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/' });
  const { title, status } = problems.RATE_LIMITED;
  const refusal = JSON.stringify({ type: 'about:blank', title, status, code: 'RATE_LIMITED' });
  let isRefused = false;
  // Short pages, of which only the first and the last are served: the demo has hardly more than one long page.
  await page.route('**/api/events?*page=*', (route) =>
    isRefused
      ? route.fulfill({ status, contentType: 'application/problem+json', body: refusal })
      : route.continue({ url: `${route.request().url()}&limit=5` }),
  );
  await page.route('**/api/events?*cursor=*', () => undefined);
  await page.goto('/#/events');
  await rows(page, 'Events').first().waitFor();
  await page.getByRole('button', { name: 'Jump to oldest' }).click();
  const toNewest = page.getByRole('button', { name: 'Jump to newest' });
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

// Guarantee: a line that a component writes appears immediately, and expands to its full content.
test('the tail of a log', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/logs?component=supervisor&text=bot' });
  const list = 'Logs: Supervisor';
  await rows(page, list).filter({ hasText: 'bot is running' }).first().waitFor();
  const before = (await texts(page, list)).length;
  process.kill(panel.info.pids.bot ?? Number.NaN, 'SIGKILL');
  await expect.poll(async () => (await texts(page, list)).length, patience).toBeGreaterThan(before);
  await rows(page, list).last().getByRole('button').click();
  await page.getByRole('dialog').getByText('Details').waitFor();
  await expectAccessible(page);
  await page.close();
});
