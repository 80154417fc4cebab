import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { livePath } from '#contracts/kernel/live.ts';
import { setupHttp } from '#contracts/operations/setup.ts';
import { type ApiPanel, openApiPanel, typeSignIn as signIn } from '#harness/api-panel.ts';
import { expectAccessible } from '#harness/every-look.ts';

import { call } from '../../../server/kernel/testing/call.ts';

const owner = { name: 'Zoë 😀', password: 'the first password' };

let panel: ApiPanel;
beforeAll(async () => {
  panel = await openApiPanel();
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

const open = (path?: string) => panel.open(path);
const helper = async (name: string) => {
  // A test that runs alone finds no owner, and without one no one signs in.
  if ((await call(panel.api.port, setupHttp.state)).json.needed) await panel.newAdmin('owner', 'owner');
  return panel.newAdmin(name);
};
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });

/** The session ends as the new password is sent: any earlier, one of the page's own reads might notice it first. */
const loseSessionAtPassword = (page: Page) =>
  page.route(
    `**${accountHttp.changePassword.path}`,
    async (route) => {
      await page.context().clearCookies();
      await route.continue();
    },
    { times: 1 },
  );

// Guarantee: on a fresh installation, only the set-up link creates the first owner, who then starts at the first steps.
test('the first owner', async () => {
  await using page = await open();
  await heading(page, 'Open the setup link').waitFor();
  await expect.poll(() => page.getByText('castellan admin create').count()).toBe(1);
  const link = /#\/setup\?token=\S+/.exec(
    await readFile(join(panel.homePath, 'setup-link.txt'), 'utf8'),
  )?.[0];

  await page.goto('/#/setup?token=a-wrong-one');
  await heading(page, 'Create the owner account').waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(owner.name);
  await page.getByRole('textbox', { name: 'Password (at least 10 characters)' }).fill(owner.password);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Set-up link').first().waitFor();

  // Opened in the same tab; the typed values are still there.
  await page.goto(`/${link}`);
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(owner.name);
  await page.getByRole('button', { name: 'Create owner' }).click();
  await page.locator('#content').waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe('#/first-steps');
  expect((await call(panel.api.port, setupHttp.state)).json).toMatchObject({
    needed: false,
    community: { language: 'en' },
  });
});

// Guarantee: a person who opens the used link later is asked to sign in, and does not end at a dead page.
test('the set-up link after its use', async () => {
  await using page = await open('/setup?token=used');
  await heading(page, 'Sign in').waitFor();
  await signIn(page, owner);
  await heading(page, 'Overview').waitFor();
});

// Guarantee: a wrong password loses nothing that was typed; signing in and out needs no mouse.
test('signing in and out', async () => {
  await using page = await open('/profile');
  await heading(page, 'Sign in').waitFor();
  await signIn(page, { ...owner, password: 'not the password' });
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(owner.name);
  await expectAccessible(page);
  await signIn(page, owner);
  await heading(page, 'Your profile').waitFor();
  expect(await page.title()).toBe('Your profile – Castellan');
  await page.getByRole('button', { name: /^Your account/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
  await heading(page, 'Sign in').waitFor();
  await page.reload();
  await heading(page, 'Sign in').waitFor();
});

// Guarantee: after a sign-in the tab's title is that of the visible page, not of the page before it.
test('signing in at another page', { tags: ['night'] }, async () => {
  const person = await helper('elsewhere');
  await using page = await open('/profile');
  await signIn(page, person);
  await heading(page, 'Your profile').waitFor();
  await page.goto('/#/clusters');
  await heading(page, 'Clusters').waitFor();
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(page, 'Sign in').waitFor();
  expect(await page.title()).toBe('Sign in – Castellan');
  await page.goto('/#/profile');
  await signIn(page, person);
  await heading(page, 'Your profile').waitFor();
  expect(await page.title()).toBe('Your profile – Castellan');
});

// Guarantee: with two-step sign-in on, the password alone lets no one in; a recovery code does, once.
test('the second step', { tags: ['night'] }, async () => {
  const person = await helper('two-step');
  await using page = await open('/profile');
  await signIn(page, person);
  await page.getByRole('button', { name: 'Turn on' }).click();
  const ask = page.getByRole('dialog');
  await ask.getByRole('textbox', { name: 'Current password' }).fill(person.password);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await expectAccessible(page);
  const secret = (await ask.locator('code').textContent()) ?? '';
  await ask.getByLabel('Code from the app').fill(generateSync({ secret }));
  await page.keyboard.press('Enter');
  const list = page.getByRole('list', { name: 'Your recovery codes' });
  await list.waitFor();
  const codes = await list.getByRole('listitem').allTextContents();
  expect(codes.length).toBeGreaterThan(5);
  // Shown once, so neither Escape nor a hurried click takes them away.
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.getByLabel('I have saved my recovery codes').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(`${codes.length} recovery codes left`).waitFor();

  await using other = await open('/profile');
  await signIn(other, person);
  await other.getByRole('textbox', { name: 'Code' }).fill('000000');
  await other.keyboard.press('Enter');
  await other.getByRole('alert').waitFor();
  await other.getByRole('textbox', { name: 'Code' }).fill(codes[0] ?? '');
  await other.keyboard.press('Enter');
  await other.getByText(`${codes.length - 1} recovery codes left`).waitFor();
});

// Guarantee: when the session ends, the page stays with everything that was typed, and continues after signing in again.
test('a lost session', { tags: ['night'] }, async () => {
  const person = await helper('lost-session');
  await using page = await open('/profile');
  await signIn(page, person);
  await page.getByRole('textbox', { name: 'Current password' }).fill(person.password);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a longer password');
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill('a longer password');
  await loseSessionAtPassword(page);
  await page.getByRole('button', { name: 'Change password' }).click();
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  expect(await again.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(person.name);
  await again.getByRole('textbox', { name: 'Password', exact: true }).fill(person.password);
  await page.keyboard.press('Enter');
  await again.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed.').waitFor();
});

// Guarantee: another person who signs in there finds nothing of the previous one: no page, nothing that was typed or read.
test('somebody else signs in', { tags: ['night'] }, async () => {
  const [first, second] = [await helper('first'), await helper('second')];
  await using page = await open('/profile');
  await signIn(page, first);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('typed by the first');
  await loseSessionAtPassword(page);
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill('typed by the first');
  await page.getByRole('textbox', { name: 'Current password' }).fill('x');
  await page.keyboard.press('Enter');
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByRole('textbox', { name: 'Name', exact: true }).fill(second.name);
  await again.getByRole('textbox', { name: 'Password', exact: true }).fill(second.password);
  await page.keyboard.press('Enter');
  await heading(page, 'Overview').waitFor();
  await page.getByRole('button', { name: 'Your account, second' }).waitFor();
  await page.goto('/#/profile');
  expect(await page.getByRole('textbox', { name: 'New password', exact: true }).inputValue()).toBe('');
});

// Guarantee: signing out in one tab hides everything in the others; signing in lets them in again.
test('two tabs', { tags: ['night'] }, async () => {
  const person = await helper('two-tabs');
  await using page = await open('/profile');
  await signIn(page, person);
  await heading(page, 'Your profile').waitFor();
  const second = await page.context().newPage();
  await second.goto('/#/clusters');
  await heading(second, 'Clusters').waitFor();
  await second.getByRole('button', { name: /^Your account/ }).click();
  await second.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(second, 'Sign in').waitFor();
  await heading(page, 'Sign in').waitFor();
  await signIn(second, person);
  await heading(second, 'Clusters').waitFor();
  await heading(page, 'Your profile').waitFor();
});

// Guarantee: a person without the permission for a page is told so at its address, and sees no link to it elsewhere.
test('a viewer at the address of a page for admins', async () => {
  const person = await helper('viewer');
  await using page = await open('/admins');
  await signIn(page, person);
  await heading(page, 'You cannot open this page').waitFor();
  await page.getByText('admins.read').waitFor();
  await expectAccessible(page);
  await expect.poll(() => page.getByRole('navigation').getByText('Admins').count()).toBe(0);
});

// Guarantee: while the license is not valid, only that is shown; the notice goes away by itself, and the page is unchanged.
test('the license', { tags: ['night'] }, async () => {
  const person = await helper('licensed');
  await using page = await open('/profile');
  await signIn(page, person);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('kept over all of it');
  panel.api.license.set('rejected', 'REVOKED');
  await heading(page, 'License revoked').waitFor();
  await expectAccessible(page);
  // On this machine itself the hardware ID is shown, to be sent to the vendor.
  await page.getByText(`sha256:${'a'.repeat(64)}`).waitFor();
  await using stranger = await open();
  await heading(stranger, 'License revoked').waitFor();
  panel.api.license.set('valid');
  await heading(page, 'License revoked').waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'New password', exact: true }).inputValue()).toBe(
    'kept over all of it',
  );
  await heading(stranger, 'Sign in').waitFor();
});

// Guarantee: a license that is refused in the middle of a sign-in loses nothing that was typed there; the tab's title matches
// the visible page.
test('the license goes during a sign-in', { tags: ['night'] }, async () => {
  const person = await helper('typing');
  await using page = await open('/profile');
  await heading(page, 'Sign in').waitFor();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill(person.name);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(person.password);
  panel.api.license.set('rejected', 'REVOKED');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, 'License revoked').waitFor();
  expect(await page.title()).toBe('License revoked – Castellan');
  panel.api.license.set('valid');
  await heading(page, 'License revoked').waitFor({ state: 'detached' });
  expect(await page.title()).toBe('Sign in – Castellan');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, 'Your profile').waitFor();
});

// Guarantee: a request from before a sign-in that is refused after it does not end the new session, and the focus returns
// to its previous place.
test('an old refusal comes late', { tags: ['night'] }, async () => {
  const person = await helper('late');
  await using page = await open('/profile');
  let cut = (): Promise<void> => Promise.reject(new Error('there is no live connection yet'));
  await page.routeWebSocket(`**${livePath}*`, (socket) => {
    socket.connectToServer();
    cut = () => socket.close();
  });
  // The page would give up a request that is held back here for more than ten seconds.
  await page.addInitScript('AbortSignal.timeout = () => new AbortController().signal');
  // The init script applies only to documents that load later.
  await page.reload();
  await signIn(page, person);
  await heading(page, 'Your profile').waitFor();
  const live = page.getByRole('status').getByText('Live');
  await live.waitFor();
  const asked = Promise.withResolvers<number>();
  const refusal = Promise.withResolvers<void>();
  let isFirst = true;
  const keepBack = async (route: Route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    const response = await route.fetch();
    asked.resolve(response.status());
    await refusal.promise;
    await route.fulfill({ response });
  };
  // With `times: 1` the browser would remove the route just as the page asks again, and that request could be lost.
  await page.route('**/api/tickets', keepBack);
  const last = page.getByRole('textbox', { name: 'Confirm new password', exact: true });
  for (const label of ['Current password', 'New password', 'Confirm new password'])
    await page.getByRole('textbox', { name: label, exact: true }).fill('long enough for all');
  await page.context().clearCookies();
  // The live connection is requested again, and its refusal is on its way.
  await cut();
  expect(await asked.promise).toBe(401);
  await last.press('Enter');
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByRole('textbox', { name: 'Password', exact: true }).fill(person.password);
  await page.keyboard.press('Enter');
  await again.waitFor({ state: 'detached' });
  await last.and(page.locator(':focus')).waitFor();
  const late = page.waitForResponse((response) => response.url().endsWith('/api/tickets'));
  refusal.resolve();
  expect((await late).status()).toBe(401);
  await live.waitFor();
  expect(await again.count()).toBe(0);
});
