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

const pictures = resolve(import.meta.dirname, '../../.cache/screenshots/desktop');
const email = 'keeper@example.com';
const resources = new AsyncDisposableStack();

let machine: DesktopMachine;
let desktop: RunningDesktop;
let page: Page;
let portal: TestPortal;
/** One of another vendor: the program does not trust its signatures. */
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

// Guarantee: a typo is told while typing and never sent; a complete key can be sent.
test('a key as it is typed', async () => {
  const { licenseKey } = await portal.issue();
  await page.getByLabel('License key').fill(licenseKey.slice(0, -3));
  await says('Not complete yet.');
  await page
    .getByLabel('License key')
    .fill(`${licenseKey.slice(0, -1)}${licenseKey.endsWith('0') ? '1' : '0'}`);
  await says(/^Mistyped:/);
  expect(await button('Activate on this machine').isDisabled()).toBe(true);
  await picture('mistyped');
  await page.getByLabel('License key').fill(licenseKey.toLowerCase());
  await says('The key is written correctly.');
  expect(
    await page
      .locator('code')
      .filter({ hasText: /^sha256:[0-9a-f]{64}$/ })
      .count(),
  ).toBe(1);
  expect(await axeViolations(page)).toEqual([]);
});

// Guarantee: each refusal says in plain words what is wrong and what helps; nothing typed is lost.
test('refusals', async () => {
  const { licenseKey: unknown } = await foreign.issue();
  await activate(unknown);
  await says('License not accepted');
  expect(await page.getByLabel('License key').inputValue()).toBe(unknown);

  const bound = await portal.issue();
  await portal.activate(bound.licenseKey, newHwid());
  await activate(bound.licenseKey);
  await says('License bound to another machine');
  await picture('hwid-mismatch');

  way.target = foreign.url;
  await activate(unknown);
  await says('Another portal than this program belongs to');

  way.target = null;
  await activate(unknown);
  await says('The portal cannot be reached');
  await page.getByLabel('Address of the proxy').waitFor();
  await picture('unreachable');
  await page.getByLabel('Address of the proxy').fill('socks5://proxy.example');
  await button('Use this proxy').click();
  await says('A proxy has an address such as http://proxy.example:8080.');
  await says('That did not work');
  way.target = portal.url;
});

// Guarantee: over the portal's limit, the wizard waits as long as the portal says and counts it down.
test('too many tries', async () => {
  const { licenseKey: unknown } = await foreign.issue();
  way.from = newAddress();
  const { licenseKey } = await portal.issue();
  for (let tries = 0; tries < 5; tries += 1) await portal.activate(licenseKey, newHwid(), way.from);
  await activate(unknown);
  await says('Too many tries');
  await page.getByRole('button', { name: /^Wait \d+ s$/ }).waitFor();
  await picture('rate-limited');
  way.from = newAddress();
});

const signIn = async () => {
  await button('The license is on another machine: bring it here').click();
  await page.getByLabel('E-mail address of the purchase').fill(email);
  await button('Mail me a code').click();
  await says(`If ${email} has bought a license`);
  const code = await codeFrom(null);
  await page.getByLabel('Code from the mail').fill('0000-0000');
  await button('Sign in').click();
  await says('The code is not right');
  await page.getByLabel('Code from the mail').fill(code);
  await button('Sign in').click();
  return code;
};

// Guarantee: a license comes from another machine in one flow, nothing copied by hand; a refused one names the day of
// the next free transfer, a waiting one can be cancelled, and in the end the other machine is refused.
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
  // What the code was typed into is gone: keyboard and screen reader go on with what came.
  const hasFocus = () => page.evaluate("document.activeElement?.textContent?.startsWith('Which license?')");
  await eventually(async () => expect(await hasFocus()).toBe(true));
  expect(await axeViolations(page)).toEqual([]);
  await picture('licenses');
  await rowOf(spent).getByRole('button', { name: 'Bring it here' }).click();
  await says(/One transfer is free every 30 days\. The next one is free on/);
  await picture('too-soon');

  await rowOf(license).getByRole('button', { name: 'Bring it here' }).click();
  await says('A second code was mailed to you.');
  const second = await codeFrom(first);
  await button('Back').click();
  await rowOf(license).getByRole('button', { name: 'Cancel the waiting transfer' }).click();
  await rowOf(license).getByText('A transfer is free now.').waitFor();
  await rowOf(license)
    .getByRole('button', { name: 'Cancel the waiting transfer' })
    .waitFor({ state: 'detached' });
  await eventually(async () => expect(await hasFocus()).toBe(true));

  await rowOf(license).getByRole('button', { name: 'Bring it here' }).click();
  await says('A second code was mailed to you.');
  await page.reload();
  await says('A second code was mailed to you.');
  await picture('second-code');
  await page.getByLabel('Code from the mail').fill(await codeFrom(second));
  await button('Activate here').click();
  await page.locator('#content').waitFor({ timeout: 60_000 });
  await untilState(page, 'running');
  expect((await portal.validate(license, body.token, elsewhere)).body).toMatchObject({
    code: 'HWID_MISMATCH',
  });
}, 180_000);

// Guarantee: a license that the vendor takes back closes the panel and says why; given again, the panel comes back with
// all that it showed.
test('rejected, and healed', async () => {
  const { licenseId } = await askDesktop(page, 'license.status');
  const { vendor } = portal.context;
  await vendor.suspend(licenseId ?? '');
  await askDesktop(page, 'license.check');
  await page
    .getByRole('heading', { level: 1, name: 'The license does not hold' })
    .waitFor({ timeout: 30_000 });
  await says('The vendor has suspended this license for a time.');
  await picture('suspended');
  await vendor.resume(licenseId ?? '');
  await button('Ask the portal now').click();
  await button('Ask the portal now').waitFor({ state: 'detached', timeout: 30_000 });
  await page.locator('#content').waitFor();
  await untilState(page, 'running');
}, 120_000);
