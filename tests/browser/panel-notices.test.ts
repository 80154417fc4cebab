// @module-tag browser

import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { licenseStateHttp } from '#contracts/license-state.ts';
import { livePath } from '#contracts/live.ts';
import { contractVersion } from '#contracts/product.ts';
import { sessionsHttp } from '#contracts/sessions.ts';
import { type ApiPanel, openApiPanel, typeSignIn } from '#harness/api-panel.ts';
import { axeViolations } from '#harness/browser.ts';

let panel: ApiPanel;
beforeAll(async () => {
  panel = await openApiPanel();
  // Until there is one, every page is the set-up.
  await panel.newAdmin('owner', 'owner');
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

/** Signed in at a page of the panel. */
const enter = async (page: Page, role = 'viewer') => {
  await typeSignIn(page, await panel.newAdmin(`reader ${Math.random().toString(36).slice(2)}`, role));
  await page.locator('#content h1').waitFor();
};
const notice = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text);

// Guarantee: whoever has tried too often sees for how long to wait, second by second, and may then go on at once with
// what was typed.
test('too many tries', async () => {
  await using page = await panel.open();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.clock.install();
  const stranger = { name: 'stranger', password: 'not the password' };
  const wait = page.getByRole('button', { name: /^Wait \d+ s$/ });
  await expect
    .poll(
      async () => {
        await typeSignIn(page, stranger);
        await page.getByRole('alert').waitFor();
        return wait.count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  expect(await wait.isDisabled()).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  const seconds = async () => Number(/\d+/.exec((await wait.textContent()) ?? '')?.[0]);
  const first = await seconds();
  await page.clock.runFor(1000);
  await expect.poll(seconds).toBeLessThan(first);
  await page.clock.runFor(first * 1000);
  const signIn = page.getByRole('button', { name: 'Sign in' });
  await expect.poll(() => signIn.isEnabled()).toBe(true);
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(stranger.name);
});

// Guarantee: going back from the second step loses nothing that was typed before it.
test('back from the second step', async () => {
  await using page = await panel.open();
  await page.route(`**${sessionsHttp.signIn.path}`, (route) =>
    route.fulfill({ json: { outcome: 'second-step', challenge: 'c', expiresInSeconds: 300 } }),
  );
  await typeSignIn(page, { name: 'somebody', password: 'a long password' });
  await page.getByRole('textbox', { name: 'Code' }).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  const password = page.getByRole('textbox', { name: 'Password', exact: true });
  expect(await password.inputValue()).toBe('a long password');
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('somebody');
  await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('password');
});

// Guarantee: a password typed with Caps Lock says so while it is on, and can be looked at by the keyboard alone.
test('Caps Lock', async () => {
  await using page = await panel.open();
  const password = page.getByRole('textbox', { name: 'Password', exact: true });
  await password.focus();
  // Playwright's keyboard has no Caps Lock.
  const press = (modifierCapsLock: boolean) =>
    password.dispatchEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock });
  await press(true);
  await notice(page, 'Caps Lock is on.').waitFor();
  await press(false);
  await notice(page, 'Caps Lock is on.').waitFor({ state: 'detached' });
  await page.keyboard.type('seen');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  expect(await password.getAttribute('type')).toBe('text');
  expect(await page.getByRole('button', { name: 'Show the password', pressed: true }).count()).toBe(1);
});

// Guarantee: in the days of grace every page says how long they last, and leads to the license; afterwards it is quiet.
test('days of grace', async () => {
  await using page = await panel.open();
  await enter(page);
  const graceEndsAt = new Date(Date.now() + 2.5 * 86_400_000).toISOString();
  await page.route(`**${licenseStateHttp.status.path}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), graceEndsAt } });
  });
  panel.api.license.set('grace');
  try {
    await notice(page, /Castellan goes on for 2d 1[12]h/).waitFor({ timeout: 60_000 });
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'To the license' }).click();
    await page.getByRole('heading', { name: 'License', level: 1 }).waitFor();
  } finally {
    panel.api.license.set('valid');
  }
  await notice(page, /Castellan goes on for/).waitFor({ state: 'detached', timeout: 60_000 });
  // The page reads it again and again; one that were on its way when the page goes would fail.
  await page.unrouteAll({ behavior: 'wait' });
});

// Guarantee: a device whose clock is wrong is told so, and times are still those of the API's machine.
test('a wrong clock', async () => {
  await using page = await panel.open('/profile');
  // Half a minute more: its clock begins as late as it takes to install it.
  await page.clock.install({ time: Date.now() + 3 * 3_600_000 + 30_000 });
  await page.reload();
  await enter(page);
  await notice(page, /The clock of this device is off by 3h\./).waitFor();
  const begun = page.getByRole('listitem').filter({ hasText: 'This one' }).locator('time').first();
  await begun.waitFor();
  expect(await begun.textContent()).not.toContain('hour');
});

// Guarantee: an API of another version is told, with the way to the panel that belongs to it.
test('another version', async () => {
  await using page = await panel.open();
  await page.routeWebSocket(
    (url) => url.pathname === livePath,
    (socket) => {
      socket.connectToServer().onMessage((text) => {
        const message = JSON.parse(String(text));
        const isWelcome = message.type === 'welcome';
        socket.send(
          JSON.stringify(isWelcome ? { ...message, contractVersion: contractVersion + 1 } : message),
        );
      });
    },
  );
  await enter(page);
  await notice(page, 'Castellan was updated.').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('button', { name: 'Reload the page' }).click(),
  ]);
});

// Guarantee: a part of the panel that is gone costs nothing but itself: a page says so in its place, what lies over the
// pages says so above them, and what was typed stays.
test('a piece of the panel is gone', async () => {
  await using page = await panel.open('/profile');
  await enter(page);
  const typed = page.getByRole('textbox', { name: 'New password', exact: true });
  await typed.fill('kept');
  await page.route(/\/assets\/(palette|clusters-page)/, (route) => route.fulfill({ status: 404 }));
  await page.keyboard.press('Control+k');
  await notice(page, 'A part of the panel could not be loaded').waitFor();
  expect(await typed.inputValue()).toBe('kept');
  await page.goto('/#/clusters');
  await page.getByRole('heading', { name: 'This page has failed' }).waitFor();
  await page.goto('/#/profile');
  await page.getByRole('heading', { name: 'Your profile' }).waitFor();
});

// Guarantee: a page that is opened while the API is away appears once it is back, without a reload.
test('a page is opened while the API is away', async () => {
  await using page = await panel.open('/profile');
  let isAway = false;
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/.*/, (socket) => {
    if (isAway) return void socket.close();
    sockets.push(socket);
    socket.connectToServer();
  });
  await enter(page);
  await notice(page, 'Live').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  isAway = true;
  await page.context().setOffline(true);
  await page.route('**/*', (route) => route.abort());
  for (const socket of sockets) await socket.close();
  await notice(page, 'The API has not answered since').waitFor({ timeout: 120_000 });
  await page.goto('/#/clusters').catch(() => undefined);
  await expect.poll(() => asked.some((url) => url.endsWith('index.html')), { timeout: 20_000 }).toBe(true);
  isAway = false;
  await page.unrouteAll();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Clusters' }).waitFor({ timeout: 60_000 });
});

// Guarantee: what one tab keeps, another does not undo; what no version of the panel has kept does no harm.
test('two tabs keep together', async () => {
  await using page = await panel.open('/profile');
  await enter(page);
  const other = await page.context().newPage();
  await other.goto('/#/profile');
  await other.getByRole('button', { name: 'Narrow this bar' }).waitFor();
  await page.keyboard.press('?');
  await page.getByLabel('Single keys').press('Space');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => other.evaluate(`localStorage.getItem('castellan.shell')`))
    .toContain('"hasShortcuts":false');
  await other.getByRole('button', { name: 'Narrow this bar' }).click();
  await page.reload();
  await page.getByRole('heading', { name: 'Your profile' }).waitFor();
  await page.keyboard.type('gc');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  expect(new URL(page.url()).hash).toBe('#/profile');

  await other.getByRole('radio', { name: 'Português (Brasil)' }).click();
  await page.getByRole('heading', { name: 'Seu perfil' }).waitFor();
  await page.evaluate(
    `localStorage.setItem('castellan.language', '{"state":{"language":"xx"},"version":1}')`,
  );
  await page.reload();
  await page.getByRole('heading', { name: 'Your profile' }).waitFor();
});
