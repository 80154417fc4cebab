// @module-tag browser

import { mkdir } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  axeViolations,
  type Look,
  looks,
  openBrowser,
  overflows,
  type TestBrowser,
} from '#harness/browser.ts';
import type { TestDatabase } from '#harness/database.ts';
import { newestCode } from '#harness/mailbox.ts';
import {
  movableClock,
  newHwid,
  newMasterKey,
  portalDatabase,
  startTestPortal,
  type TestPortal,
} from '#harness/portal.ts';

const dayMs = 86_400_000;
const masterKey = newMasterKey();
const clock = movableClock();
let database: TestDatabase;
let portal: TestPortal;
let chromium: TestBrowser;

beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url, masterKey, clock });
  chromium = await openBrowser();
});
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]();
  await portal?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const codeFor = (email: string) => newestCode(portal.context, masterKey, email);

const customerWithLicense = async (email: string) => {
  const license = await portal.issue({ buyerEmail: email, tier: 'community' });
  const hwid = newHwid();
  expect((await portal.activate(license.licenseKey, hwid)).status).toBe(200);
  return { license, hwid };
};

const signIn = async (page: Page, email: string) => {
  await page.goto(`${portal.url}/account`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Mail me a code' }).click();
  await page.getByLabel('Code from the mail').fill((await codeFor(email)).toLowerCase());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Your licenses' }).waitFor();
};

/** In a browser of its own, whose pages may run no script. */
const withoutScripts = async (act: (page: Page, context: BrowserContext) => Promise<void>) => {
  const context = await chromium.browser.newContext({ javaScriptEnabled: false });
  try {
    await act(await context.newPage(), context);
  } finally {
    await context.close();
  }
};

// Guarantee: a customer who has a new machine gets from the sign-in page to a bound new machine without any script, and
// is told before when the next transfer is free.
test('sign in and transfer the license', async () => {
  const email = 'moving@example.com';
  const { license, hwid: oldHwid } = await customerWithLicense(email);
  const hwid = newHwid();
  await withoutScripts(async (page) => {
    await signIn(page, email);
    await page.getByRole('link', { name: 'community' }).click();
    await page.getByText(oldHwid).waitFor();
    await page.getByRole('link', { name: 'Transfer HWID' }).click();

    await page.getByLabel('HWID of the new machine').fill('sha256:1234');
    await page.getByRole('button', { name: 'Transfer the license' }).click();
    await expect.poll(() => page.title()).toMatch(/^Error: /);
    await page.getByRole('alert').getByRole('link').click();
    await page.waitForURL(/#field-hwid$/);

    await page.getByLabel('HWID of the new machine').fill(`  ${hwid.toUpperCase()} `.replace('SHA', 'sha'));
    await page.getByRole('button', { name: 'Transfer the license' }).click();
    await page.getByRole('status').getByText('The transfer is requested').waitFor();
    expect((await portal.activate(license.licenseKey, hwid)).status).toBe(200);
    await page.reload();
    await page.getByText(hwid).waitFor();

    await page.getByRole('link', { name: 'Transfer HWID' }).click();
    await page.getByText('31 Mar 2026').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goto(`${portal.url}/account/licenses/${license.id}`);
    expect(page.url()).toBe(`${portal.url}/account/sign-in`);
  });
});

// Guarantee: the key is shown for a fresh code, once, and stands in no address.
test('have the key shown', async () => {
  const email = 'forgetful@example.com';
  const { license } = await customerWithLicense(email);
  await withoutScripts(async (page) => {
    await signIn(page, email);
    await page.getByRole('link', { name: 'community' }).click();
    await page.getByRole('link', { name: 'Show the key' }).click();
    expect(await page.content()).not.toContain(license.licenseKey);
    await page.getByRole('button', { name: 'Mail me a code' }).click();
    const code = await codeFor(email);
    await page.getByLabel('Code from the mail').fill(code);
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByText(license.licenseKey).waitFor();
    expect(page.url()).not.toContain(license.licenseKey);

    await page.goto(`${portal.url}/account/licenses/${license.id}/reveal?step=code`);
    await page.getByLabel('Code from the mail').fill(code);
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByText('The code has run out, was used already').first().waitFor();
    expect(await page.content()).not.toContain(license.licenseKey);
  });
});

/** Kept when a folder is named: for eyes, which see what axe does not. */
const screenshotFolder = process.env.SCREENSHOT_FOLDER;

const look = async (page: Page, name: string, how: Look) => {
  if (screenshotFolder) {
    await mkdir(screenshotFolder, { recursive: true });
    await page.screenshot({ path: `${screenshotFolder}/${name}-${how}.png`, fullPage: true });
  }
  expect([name, how, await axeViolations(page)]).toEqual([name, how, []]);
  expect([name, how, await overflows(page)]).toEqual([name, how, false]);
};

// Guarantee: every page of the customer area passes axe and fits the window, light and dark, on a desk and on a phone.
test.each(Object.keys(looks) as Look[])('every page, %s', async (how) => {
  const email = `${how.replace(' ', '-')}@example.com`;
  const { license } = await customerWithLicense(email);
  const { license: suspended } = await customerWithLicense(email);
  await portal.issue({ buyerEmail: email, tier: 'pro', expiresAt: new Date(clock.now().getTime() + dayMs) });
  await portal.context.pool.query(`update licenses set status = 'suspended' where id = $1`, [suspended.id]);
  const context = await chromium.browser.newContext(looks[how]);
  try {
    const page = await context.newPage();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.goto(`${portal.url}/account`);
    await look(page, 'sign-in', how);
    await button('Mail me a code').click();
    await look(page, 'sign-in-refused', how);
    await page.getByLabel('E-mail address').fill(email);
    await button('Mail me a code').click();
    await page.getByLabel('Code from the mail').fill('0000-0000');
    await button('Sign in').click();
    await look(page, 'code-refused', how);
    await page.getByLabel('Code from the mail').fill(await codeFor(email));
    await button('Sign in').click();
    await look(page, 'licenses', how);
    await page.goto(`${portal.url}/account/licenses/${license.id}`);
    await look(page, 'license', how);
    await page.getByRole('link', { name: 'Transfer HWID' }).click();
    await look(page, 'transfer', how);
    await page.getByLabel('HWID of the new machine').fill('sha256:12');
    await button('Transfer the license').click();
    await look(page, 'transfer-refused', how);
    await page.getByLabel('HWID of the new machine').fill(newHwid());
    await button('Transfer the license').click();
    await look(page, 'license-pending', how);
    await page.getByRole('link', { name: 'Correct the HWID' }).click();
    await look(page, 'transfer-correct', how);
    await page.goto(`${portal.url}/account/licenses/${license.id}/reveal`);
    await look(page, 'reveal', how);
    await button('Mail me a code').click();
    await look(page, 'reveal-code', how);
    await page.getByLabel('Code from the mail').fill(await codeFor(email));
    await button('Show the key').click();
    await look(page, 'key', how);
    await page.goto(`${portal.url}/account/sessions`);
    await look(page, 'sessions', how);
    await page.goto(`${portal.url}/account/licenses/${suspended.id}/transfer`);
    await look(page, 'transfer-suspended', how);
    await page.goto(`${portal.url}/account/licenses/none`);
    await look(page, 'not-found', how);
    await page.goto(`${portal.url}/account/sessions`);
    await button('Sign out everywhere').click();
    await look(page, 'signed-out', how);
  } finally {
    await context.close();
  }
});
