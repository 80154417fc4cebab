// @module-tag desktop

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from '#harness/browser.ts';
import { testDatabase } from '#harness/database.ts';
import {
  askDesktop,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
  untilState,
} from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import { newestCode } from '#harness/mailbox.ts';
import { newAddress, newHwid, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { openPortalWay, type PortalRoute } from '#harness/portal-way.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { wizardLooks } from './wizard-looks.ts';

const pictures = resolve(import.meta.dirname, '../../../.cache/screenshots/desktop');
const email = 'keeper@example.com';
const resources = new AsyncDisposableStack();

let machine: DesktopMachine;
let desktop: RunningDesktop;
let page: Page;
let portal: TestPortal;
/** Another vendor's portal, whose signatures the program does not trust. */
let foreign: TestPortal;
let way: PortalRoute;

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  const database = resources.use(await testDatabase());
  portal = resources.use(await startTestPortal({ databaseUrl: database.url }));
  const other = resources.use(await testDatabase());
  foreign = resources.use(await startTestPortal({ databaseUrl: other.url }));
  way = resources.use(await openPortalWay(portal.url));
  machine = resources.use(await openDesktopMachine());
  await editEnvFile(join(machine.home, '.env'), {
    LICENSE_SERVER_URL: way.url,
    LICENSE_SERVER_PUBLIC_KEY: portal.context.keyRing.active.publicKey,
  });
  desktop = resources.use(await machine.start());
  page = await desktop.page();
  await page.getByRole('heading', { level: 1, name: 'Activate Castellan' }).waitFor({ timeout: 60_000 });
}, 180_000);
afterAll(() => resources.disposeAsync());

const picture = (name: string) =>
  page.screenshot({ path: join(pictures, `license-${name}.png`), fullPage: true });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const activate = async (key: string) => {
  await page.getByLabel('License key').fill(key);
  await button('Activate on this machine').click();
};
const codeFrom = async (before: string | null): Promise<string> =>
  eventually(async () => {
    const code = await newestCode(portal.context, portal.masterKey, email);
    if (code === before) throw new Error('no newer mail');
    return code;
  });

// Guarantee: a typo is shown while typing and never sent; a complete key can be sent.
test('a key as it is typed', async () => {
  const { licenseKey } = await portal.issue();
  await page.getByLabel('License key').fill(licenseKey.slice(0, -3));
  await says('Incomplete.');
  await page
    .getByLabel('License key')
    .fill(`${licenseKey.slice(0, -1)}${licenseKey.endsWith('0') ? '1' : '0'}`);
  await says(/^There is a typo in this key\./);
  expect(await button('Activate on this machine').isDisabled()).toBe(true);
  await picture('mistyped');
  await page.getByLabel('License key').fill(licenseKey.toLowerCase());
  await says('Complete.');
  expect(
    await page
      .locator('code')
      .filter({ hasText: /^sha256:[0-9a-f]{64}$/ })
      .count(),
  ).toBe(1);
  expect(await axeViolations(page)).toEqual([]);
});

/** The primary button: the first of the step. */
const primary = () => page.locator('form button[type=submit]').first().textContent();

// Guarantee: each refusal says in plain words what is wrong, and the primary button offers the remedy, never the action that
// has just failed; nothing typed is lost on the way there and back.
test('refusals', async () => {
  const { licenseKey: unknown } = await foreign.issue();
  await activate(unknown);
  await says('License not accepted');
  expect(await primary()).toBe('Find my license');
  expect(await wizardLooks(page, 'license-unauthorized')).toEqual([]);
  // Enter works like the button.
  await page.getByLabel('License key').press('Enter');
  await page.getByLabel('E-mail address of the purchase').fill('someone@example.com');
  await button('Back').click();
  expect(await page.getByLabel('License key').inputValue()).toBe(unknown);
  await button('Transfer from another machine').click();
  expect(await page.getByLabel('E-mail address of the purchase').inputValue()).toBe('someone@example.com');
  await page.getByLabel('E-mail address of the purchase').fill('');
  await button('Back').click();

  const bound = await portal.issue();
  await portal.activate(bound.licenseKey, newHwid());
  await activate(bound.licenseKey);
  await says('License bound to another machine');
  expect(await primary()).toBe('Transfer to this machine');
  expect(await button('Activate on this machine').count()).toBe(0);
  expect(await wizardLooks(page, 'license-hwid-mismatch')).toEqual([]);

  way.target = foreign.url;
  await activate(unknown);
  await says('This is a different license portal');
  await button('Contact the vendor …').click();
  await says('Reason: LICENSE_WRONG_ENVIRONMENT');
  expect(await wizardLooks(page, 'license-contact')).toEqual([]);
  await button('Back').click();

  way.target = null;
  await activate(unknown);
  await says('The portal could not be reached');
  expect(await primary()).toBe('Try again');
  await page.getByLabel('Proxy address').waitFor();
  expect(await wizardLooks(page, 'license-unreachable', { mayScroll: true })).toEqual([]);
  await page.getByLabel('Proxy address').fill('socks5://proxy.example');
  await button('Use proxy').click();
  await says('Enter the address of the proxy, such as http://proxy.example:8080.');
  await says('Activation failed');
  way.target = portal.url;
  // Another key starts over.
  await page.getByLabel('License key').fill(bound.licenseKey);
  expect(await primary()).toBe('Activate on this machine');
});

// Guarantee: over the portal's limit, the wizard waits as long as the portal says and counts it down.
test('too many tries', async () => {
  const { licenseKey: unknown } = await foreign.issue();
  way.from = newAddress();
  const { licenseKey } = await portal.issue();
  for (let tries = 0; tries < 5; tries += 1) await portal.activate(licenseKey, newHwid(), way.from);
  await activate(unknown);
  await says('Too many attempts');
  await page.getByRole('button', { name: /^Wait \d+ s$/ }).waitFor();
  await picture('rate-limited');
  way.from = newAddress();
});

const signIn = async () => {
  await button('Transfer from another machine').click();
  await page.getByLabel('E-mail address of the purchase').fill(email);
  await button('E-mail me a code').click();
  await says(`If ${email} has bought a license`);
  const code = await codeFrom(null);
  await page.getByLabel('Code from the e-mail').fill('0000-0000');
  await button('Sign in').click();
  await says('Wrong code');
  await page.getByLabel('Code from the e-mail').fill(code);
  await button('Sign in').click();
  return code;
};

// Guarantee: a license moves from another machine in one flow, with nothing copied by hand; a refused transfer names the day of
// the next free one, a waiting one can be cancelled, and in the end the other machine is refused.
test('the transfer from another machine', async () => {
  const elsewhere = newHwid();
  const spent = await portal.issue({ buyerEmail: email });
  const license = await portal.issue({ buyerEmail: email });
  for (const { licenseKey } of [spent, license]) await portal.activate(licenseKey, elsewhere);
  const newHome = newHwid();
  const { transfers } = portal.context.customers;
  await transfers.request({ tenantId: spent.tenantId, licenseId: spent.id, hwid: newHome, replaces: null });
  await portal.activate(spent.licenseKey, newHome);
  const { body } = await portal.activate(license.licenseKey, elsewhere);

  const first = await signIn();
  const rowOf = ({ licenseKey }: { readonly licenseKey: string }) =>
    page.getByRole('region', { name: licenseKey.slice(-4) });
  await rowOf(license).getByText(elsewhere).waitFor();
  // The code's field is gone: keyboard and screen reader continue with the new content.
  const hasFocus = () => page.evaluate("document.activeElement?.textContent?.startsWith('Choose a license')");
  await eventually(async () => expect(await hasFocus()).toBe(true));
  expect(await wizardLooks(page, 'license-choice', { mayScroll: true })).toEqual([]);
  await rowOf(spent).getByRole('button', { name: 'Transfer to this machine' }).click();
  await says(/You get one free transfer every 30 days\. The next one is on/);
  await picture('too-soon');

  await rowOf(license).getByRole('button', { name: 'Transfer to this machine' }).click();
  await says('We e-mailed you a second code.');
  const second = await codeFrom(first);
  await button('Back').click();
  await rowOf(license).getByRole('button', { name: 'Cancel pending transfer' }).click();
  await rowOf(license).getByText('You have a free transfer.').waitFor();
  await rowOf(license)
    .getByRole('button', { name: 'Cancel pending transfer' })
    .waitFor({ state: 'detached' });
  await eventually(async () => expect(await hasFocus()).toBe(true));

  await rowOf(license).getByRole('button', { name: 'Transfer to this machine' }).click();
  await says('We e-mailed you a second code.');
  await page.reload();
  await says('We e-mailed you a second code.');
  await picture('second-code');
  await page.getByLabel('Code from the e-mail').fill(await codeFrom(second));
  await button('Activate here').click();
  await page.locator('#content').waitFor({ timeout: 60_000 });
  await untilState(page, 'running');
  expect((await portal.validate(license, body.token, elsewhere)).body).toMatchObject({
    code: 'HWID_MISMATCH',
  });
}, 180_000);

// Guarantee: a license that the vendor revokes closes the panel and says why; once restored, the panel comes back with
// everything that it showed.
test('rejected, and healed', async () => {
  const { licenseId } = await askDesktop(page, 'license.status');
  const { vendor } = portal.context;
  await vendor.suspend(licenseId ?? '');
  await askDesktop(page, 'license.check');
  await page.getByRole('heading', { level: 1, name: 'License suspended' }).waitFor({ timeout: 30_000 });
  await says('The vendor has temporarily suspended this license.');
  await button('Check again').waitFor();
  expect(await wizardLooks(page, 'license-suspended')).toEqual([]);
  await button('Contact the vendor …').click();
  await says(`License number: ${licenseId}`);
  await button('Back').click();
  await vendor.resume(licenseId ?? '');
  await button('Check again').click();
  await button('Check again').waitFor({ state: 'detached', timeout: 30_000 });
  await page.locator('#content').waitFor();
  await untilState(page, 'running');
}, 120_000);

// Guarantee: for an expired license the page says since when, and links to its renewal; after that, the panel comes back
// by itself.
test('expired, and renewed', async () => {
  const { licenseId } = await askDesktop(page, 'license.status');
  const expire = (at: Date | null) =>
    portal.context.db
      .updateTable('licenses')
      .set({ expires_at: at })
      .where('id', '=', licenseId ?? '')
      .execute();
  const end = new Date(Date.now() + 86_400_000);
  await expire(end);
  expect(await askDesktop(page, 'license.check')).toMatchObject({ endsAt: end.toISOString() });
  await expire(new Date(Date.now() - 86_400_000));
  await askDesktop(page, 'license.check');
  await page.getByRole('heading', { level: 1, name: 'License expired' }).waitFor({ timeout: 30_000 });
  await button('Renew').waitFor();
  expect(await wizardLooks(page, 'license-expired')).toEqual([]);
  await expire(null);
  await button('Check again').click();
  await page.locator('#content').waitFor();
  await untilState(page, 'running');
  expect(await askDesktop(page, 'license.status')).toMatchObject({ state: 'valid', endsAt: null });
}, 120_000);

// Guarantee: for a license that was moved to another machine, the page offers to move it back, and nothing that would fail.
test('moved to another machine', async () => {
  const { licenseId } = await askDesktop(page, 'license.status');
  const moved = newHwid();
  await portal.context.db
    .updateTable('machines')
    .set({ hwid: moved })
    .where('license_id', '=', licenseId ?? '')
    .execute();
  await askDesktop(page, 'license.check');
  await page
    .getByRole('heading', { level: 1, name: 'License bound to another machine' })
    .waitFor({ timeout: 30_000 });
  expect(await wizardLooks(page, 'license-moved')).toEqual([]);
  await button('Transfer to this machine').click();
  await page.getByLabel('E-mail address of the purchase').waitFor();
}, 60_000);
