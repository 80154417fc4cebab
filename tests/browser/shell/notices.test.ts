import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { livePath } from '#contracts/kernel/live.ts';
import { contractVersion } from '#contracts/kernel/product.ts';
import { licenseStateHttp } from '#contracts/license/license-state.ts';
import { type ApiPanel, openApiPanel, typeSignIn } from '#harness/api-panel.ts';
import { expectAccessible } from '#harness/every-look.ts';

let panel: ApiPanel;
beforeAll(async () => {
  panel = await openApiPanel();
  // Without an owner, every page is the set-up.
  await panel.newAdmin('owner', 'owner');
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

/** Signs in and opens a page of the panel. */
const enter = async (page: Page, role = 'viewer') => {
  await typeSignIn(page, await panel.newAdmin(`reader ${Math.random().toString(36).slice(2)}`, role));
  await page.locator('#content h1').waitFor();
};
const notice = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text);

// Guarantee: after too many tries the page shows the remaining wait, second by second, and then continues immediately with the
// typed values.
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
  await expectAccessible(page);
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

// Guarantee: the password field warns while Caps Lock is on, and can be revealed by keyboard alone.
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
  expect(await page.getByRole('button', { name: 'Show password', pressed: true }).count()).toBe(1);
});

// Guarantee: in the grace period every page says how long it lasts, and links to the license; afterwards the notice is gone.
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
    await notice(page, /Castellan keeps working for another 2d 1[12]h/).waitFor({ timeout: 60_000 });
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to license' }).click();
    await page.getByRole('heading', { name: 'License', level: 1 }).waitFor();
  } finally {
    panel.api.license.set('valid');
  }
  await notice(page, /Castellan keeps working for/).waitFor({ state: 'detached', timeout: 60_000 });
  // The page reads it repeatedly; a read in progress would fail when the page closes.
  await page.unrouteAll({ behavior: 'wait' });
});

// Guarantee: a device with a wrong clock gets a notice, and times are still those of the API's machine.
test('a wrong clock', async () => {
  await using page = await panel.open('/profile');
  // Half a minute more, since its clock starts late by the time that installing it takes.
  await page.clock.install({ time: Date.now() + 3 * 3_600_000 + 30_000 });
  await page.reload();
  await enter(page);
  await notice(page, /This device’s clock is off by 3h\./).waitFor();
  const begun = page.getByRole('listitem').filter({ hasText: 'This session' }).locator('time').first();
  await begun.waitFor();
  expect(await begun.textContent()).not.toContain('hour');
});

// Guarantee: an API of another version is reported, with a link to its own panel.
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
  await expectAccessible(page);
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('button', { name: 'Reload the page' }).click(),
  ]);
});

// Guarantee: a missing chunk of the panel affects nothing else: a page says so in its place, an overlay says so above the pages,
// and typed values stay.
test('a piece of the panel is gone', { tags: ['night'] }, async () => {
  await using page = await panel.open('/profile');
  await enter(page);
  const typed = page.getByRole('textbox', { name: 'New password', exact: true });
  await typed.fill('kept');
  await page.route(/\/assets\/(palette|clusters-page)/, (route) => route.fulfill({ status: 404 }));
  await page.keyboard.press('Control+k');
  await notice(page, 'Part of the panel could not be loaded').waitFor();
  expect(await typed.inputValue()).toBe('kept');
  await page.goto('/#/clusters');
  await page.getByRole('heading', { name: 'This page stopped working' }).waitFor();
  await page.goto('/#/profile');
  await page.getByRole('heading', { name: 'Your profile' }).waitFor();
});

// Guarantee: a page that is opened while the API is down appears once it is back, without a reload.
test('a page is opened while the API is away', { tags: ['night'] }, async () => {
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
  await notice(page, 'The API has not responded since').waitFor({ timeout: 120_000 });
  await page.goto('/#/clusters').catch(() => undefined);
  await expect.poll(() => asked.some((url) => url.endsWith('index.html')), { timeout: 20_000 }).toBe(true);
  isAway = false;
  await page.unrouteAll();
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Clusters' }).waitFor({ timeout: 60_000 });
});

// Guarantee: one tab does not undo what another stores; stored values that no version of the panel has written do no harm.
test('two tabs keep together', { tags: ['night'] }, async () => {
  await using page = await panel.open('/profile');
  await enter(page);
  const other = await page.context().newPage();
  await other.goto('/#/profile');
  await other.getByRole('button', { name: 'Collapse' }).waitFor();
  await page.keyboard.press('Control+/');
  await page.getByLabel('Single-key shortcuts').press('Space');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => other.evaluate(`localStorage.getItem('castellan.shell')`))
    .toContain('"hasShortcuts":false');
  await other.getByRole('button', { name: 'Collapse' }).click();
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
