// @module-tag browser

import { mkdir } from 'node:fs/promises';
import { generateSync } from 'otplib';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Language } from '#contracts/language.ts';
import {
  axeViolations,
  type Look,
  looks,
  openBrowser,
  overflows,
  type TestBrowser,
} from '#harness/browser.ts';
import type { TestDatabase } from '#harness/database.ts';
import { fillPortal, openEvent, rightToLeft } from '#harness/full-portal.ts';
import { movableClock, portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { Secret } from '#runtime/secret.ts';
import { enrolAccount } from '../../portal/vendor/testing/enrolled-account.ts';

const minuteMs = 60_000;
const adminToken = new Secret('the token for the very first account');
const clock = movableClock();
let database: TestDatabase;
let portal: TestPortal;
let chromium: TestBrowser;

beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url, clock, adminToken });
  chromium = await openBrowser();
});
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]();
  await portal?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const codeOf = (secret: string) => {
  clock.pass(minuteMs);
  return generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const readSecret = async (page: Page) =>
  ((await page.locator('.shown-once').textContent()) ?? '').replaceAll(' ', '');

/** In a separate browser whose pages may not run scripts. */
const withoutScripts = async (act: (page: Page, context: BrowserContext) => Promise<void>) => {
  const context = await chromium.browser.newContext({ javaScriptEnabled: false });
  try {
    await act(await context.newPage(), context);
  } finally {
    await context.close();
  }
};

/** Invites a person on the accounts page and signs them in for the first time. */
const enrol = async (
  page: Page,
  name: string,
  look: (name: string) => Promise<void> = async () => undefined,
) => {
  const invited = await portal.context.vendorArea.accounts.create(name, 'test');
  if (invited.outcome !== 'invited') throw new Error(invited.reason);
  const password = `${name} has a long password`;
  await page.goto(`${portal.url}/admin/sign-in`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(invited.initialPassword);
  await button(page, 'Continue').click();
  const secret = await readSecret(page);
  await look('enrol');
  await page.getByLabel('Your new password').fill(password);
  await page.getByLabel('Current code from your authenticator').fill(codeOf(secret));
  await button(page, 'Sign in').click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await look('recovery-codes');
  return { name, password, secret };
};

// Guarantee: from the admin token to a license that is issued, found by its key, extended and revoked, without any script; every
// secret is shown once, and none is in an address.
test('the first account issues a license', async () => {
  await withoutScripts(async (page) => {
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(`${portal.url}/admin`);
    await page.getByRole('link', { name: 'Create the first account' }).click();
    await page.getByLabel('Admin token').fill('not this one');
    await button(page, 'Continue').click();
    await page.getByText('The admin token is wrong.').first().waitFor();
    await page.getByLabel('Admin token').fill(adminToken.reveal());
    await button(page, 'Continue').click();
    const secret = await readSecret(page);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Your password').fill('a long password of hers');
    await page.getByLabel('Current code from your authenticator').fill(codeOf(secret));
    await button(page, 'Create account').click();
    const recovery = (await page.locator('.shown-once li').first().textContent()) ?? '';
    await page.getByRole('link', { name: 'I have saved my recovery codes' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${portal.url}/admin/setup`);
    expect(page.url()).toBe(`${portal.url}/admin`);

    await page.goto(`${portal.url}/admin/licenses/new`);
    await page.getByLabel('Buyer’s e-mail address').fill('buyer@example.com');
    await page.getByLabel('Tier').selectOption('standard');
    await page.getByLabel('All features').check();
    await page.getByLabel('Last day').fill('2026-04-01');
    await button(page, 'Issue license').click();
    const licenseKey = (await page.locator('.shown-once').textContent()) ?? '';
    expect(licenseKey).toMatch(/^CSTL-/);
    await page.reload();
    await page.getByText('This license was already issued').waitFor();
    expect(await page.content()).not.toContain(licenseKey);

    await page.goto(`${portal.url}/admin/licenses`);
    await page.getByRole('searchbox').fill(licenseKey.toLowerCase());
    await button(page, 'Search').click();
    await page.getByRole('link', { name: 'Extend' }).click();
    await page.getByLabel('Days').fill('30');
    await button(page, 'Extend').click();
    await page.getByText('License extended.').waitFor();
    await page.getByText('May 2, 2026').first().waitFor();
    await page.getByRole('link', { name: 'Revoke' }).click();
    await page.getByText('This is final').waitFor();
    await button(page, 'Revoke').click();
    await page.getByText('Enter a reason of 1 to 300 characters.').first().waitFor();
    await page.getByLabel('Reason for the customer').fill('Sold on without permission.');
    await button(page, 'Revoke').click();
    await page.getByText('License revoked.').waitFor();
    await page.getByRole('cell', { name: 'Ada' }).first().waitFor();

    await button(page, 'Sign out').click();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill('a long password of hers');
    await button(page, 'Continue').click();
    await page.getByLabel('Code from your authenticator').fill(recovery);
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const seen = addresses.map(decodeURIComponent).join('\n');
    for (const canary of [licenseKey, secret, recovery, adminToken.reveal()])
      expect(seen).not.toContain(canary);
  });
});

/** Screenshots are kept if a folder is named: people see what axe does not. */
const screenshotFolder = process.env.SCREENSHOT_FOLDER;

const lookAt = async (page: Page, name: string, how: Look) => {
  if (screenshotFolder) {
    await mkdir(screenshotFolder, { recursive: true });
    await page.screenshot({ path: `${screenshotFolder}/vendor-${name}-${how}.png`, fullPage: true });
  }
  expect([name, how, await axeViolations(page)]).toEqual([name, how, []]);
  expect([name, how, await overflows(page)]).toEqual([name, how, false]);
  const size = page.viewportSize();
  if (!how.includes('phone') || !size) return;
  await page.setViewportSize({ width: 320, height: size.height });
  expect([name, 'on 320 px', await overflows(page)]).toEqual([name, 'on 320 px', false]);
  await page.setViewportSize(size);
};

/** The languages in which the pages are checked. */
const spoken: Readonly<Record<Look, readonly Language[]>> = {
  light: ['en', 'pt-BR'],
  dark: ['en', 'pt-BR'],
  phone: ['en'],
  'dark phone': ['pt-BR'],
};

// Guarantee: from the first page to an issued license, its suspension with a reason, and the revenue takes six clicks, without any
// script; the customer sees the reason, and the sums are exact in each currency.
test('issue, suspend with a reason, revenue', async () => {
  await fillPortal(portal, clock);
  await withoutScripts(async (page) => {
    await enrol(page, 'Grace');
    await page.goto(`${portal.url}/admin`);
    let clicks = 0;
    const click = async (role: 'button' | 'link', name: string) => {
      clicks += 1;
      await page.getByRole(role, { name, exact: true }).first().click();
    };
    await click('link', 'Issue license');
    await page.getByLabel('Buyer’s e-mail address').fill('journey@example.com');
    await page.getByLabel('Plan', { exact: true }).selectOption('yearly');
    expect(await page.getByLabel('Tier').isVisible()).toBe(false);
    await click('button', 'Issue license');
    await click('link', 'Open license');
    await click('link', 'Suspend');
    await page.getByLabel('Reason for the customer').fill('Your payment failed. <Pay> again.');
    await click('button', 'Suspend');
    await page.getByText('Your payment failed. <Pay> again.').first().waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await click('link', 'Sales');
    await page.getByRole('heading', { name: 'Sales in EUR' }).waitFor();
    expect(clicks).toBe(6);
    for (const sum of ['€49.00', '¥0', '¥980', 'KWD 12.345'])
      await page
        .getByText(sum.replace(' ', '\u00a0'), { exact: true })
        .first()
        .waitFor({ state: 'attached' });

    const license = await portal.context.vendor.find(id);
    const { tenantId = '' } = license ?? {};
    const customers = await portal.context.customers.licenses.find(tenantId, id);
    expect(customers).toMatchObject({ status: 'suspended', reason: 'Your payment failed. <Pay> again.' });
  });
});

// Guarantee: part of a name finds the license by clicking alone, and a search without a match says what to try.
test('a search', async () => {
  await withoutScripts(async (page) => {
    await portal.issue({ buyerEmail: 'found@example.com', buyerName: 'Zoë Quartermain' });
    await enrol(page, 'Hedy');
    await page.goto(`${portal.url}/admin`);
    await page.getByRole('link', { name: 'Licenses', exact: true }).click();
    await page.getByRole('searchbox').fill('quarter found@');
    await button(page, 'Search').click();
    await page.getByRole('cell', { name: 'Zoë Quartermain' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('searchbox').fill('100%');
    await button(page, 'Search').click();
    await page.getByText('No matching licenses.').waitFor();
  });
});

/** axe is slow on a busy machine. */
const manyPages = { timeout: 400_000 };

// Guarantee: sign-in and the values that are shown once pass axe and fit the window, light and dark, on a desktop and a phone.
test.each(Object.keys(looks) as Look[])('signing in, %s', manyPages, async (how) => {
  await fillPortal(portal, clock);
  const context = await chromium.browser.newContext(looks[how]);
  try {
    const page = await context.newPage();
    const look = (name: string) => lookAt(page, name, how);
    await page.goto(`${portal.url}/admin/sign-in`);
    await look('sign-in');
    await page.getByLabel('Name').fill('nobody');
    await button(page, 'Continue').click();
    await look('sign-in-refused');
    const account = await enrol(page, `Vendor ${how}`, look);
    await page.goto(`${portal.url}/admin`);
    await button(page, 'Sign out').click();
    await look('signed-out');
    await page.getByLabel('Name').fill(account.name);
    await page.getByLabel('Password').fill(account.password);
    await button(page, 'Continue').click();
    await page.getByLabel('Code from your authenticator').fill('000000');
    await button(page, 'Sign in').click();
    await look('code-refused');
    await page.getByLabel('Code from your authenticator').fill(codeOf(account.secret));
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await look('overview');
    await page.goto(`${portal.url}/admin/licenses/new`);
    await button(page, 'Issue license').click();
    await look('issue-refused');
    await page.getByLabel('Buyer’s e-mail address').fill('buyer@example.com');
    await page.getByLabel('Plan', { exact: true }).selectOption('yearly');
    await button(page, 'Issue license').click();
    await look('issued');
    await page.goto(`${portal.url}/admin/keys`);
    await page.getByRole('link', { name: 'Revoke' }).first().click();
    await look('strike');
    await page.goto(`${portal.url}/admin/accounts`);
    await page.getByLabel('Name').fill(`Guest ${how}`);
    await button(page, 'Create account').click();
    await look('invited');
    await page.goto(`${portal.url}/admin/accounts`);
    await page.getByRole('link', { name: 'Reset' }).last().click();
    await look('reset');
  } finally {
    await context.close();
  }
});

const everyLook = (Object.keys(looks) as Look[]).flatMap((how) =>
  spoken[how].map((language) => [how, language] as const),
);

// Guarantee: so does every vendor page, in each of its languages, with tables shown and with names and reasons of any script and
// length.
test.each(everyLook)('every page, %s, %s', manyPages, async (how, language) => {
  const license = await fillPortal(portal, clock);
  const suspended = await portal.issue({ buyerEmail: 'late@example.com', buyerName: rightToLeft });
  await portal.context.vendor.suspend(suspended.id, `${rightToLeft} ${'a long reason '.repeat(20)}`.trim());
  const { token } = await enrolAccount(portal, `Looks ${how} ${language}`);
  const paths = {
    overview: '',
    licenses: '/licenses',
    'licenses-none': '/licenses?q=nothing',
    license: `/licenses/${license.id}`,
    extend: `/licenses/${license.id}/extend`,
    unbind: `/licenses/${license.id}/unbind`,
    revoke: `/licenses/${license.id}/revoke`,
    suspend: `/licenses/${license.id}/suspend`,
    suspended: `/licenses/${suspended.id}`,
    sales: '/sales?days=90',
    issue: '/licenses/new',
    customers: '/customers',
    customer: `/customers/${license.tenantId}`,
    events: '/events',
    'events-vendor': '/events/vendor',
    keys: '/keys',
    mail: '/mail',
    purchases: '/purchases',
    'purchase-dismiss': `/purchases/${openEvent}/dismiss`,
    accounts: '/accounts',
    account: '/account',
    'not-found': '/nothing',
  };
  const context = await chromium.browser.newContext({ ...looks[how], locale: language });
  try {
    await context.addCookies([{ name: 'castellan_vendor', value: token, url: portal.url }]);
    const page = await context.newPage();
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(`${portal.url}/admin${path}`);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      await lookAt(page, `${name}-${language}`, how);
      const folded = await page.locator('summary').all();
      for (const summary of folded) await summary.click();
      if (folded.length > 0) await lookAt(page, `${name}-numbers-${language}`, how);
    }
  } finally {
    await context.close();
  }
});

// Guarantee: so do the pages of the first start, with and without a token.
test.each(Object.keys(looks) as Look[])('the first start, %s', async (how) => {
  await using fresh = await portalDatabase();
  await using closed = await startTestPortal({ databaseUrl: fresh.url, clock });
  await using open = await startTestPortal({
    databaseUrl: fresh.url,
    masterKey: closed.masterKey,
    clock,
    adminToken,
  });
  const context = await chromium.browser.newContext(looks[how]);
  try {
    const page = await context.newPage();
    await page.goto(`${closed.url}/admin/setup`);
    await lookAt(page, 'setup-without-token', how);
    await page.goto(`${open.url}/admin/setup`);
    await lookAt(page, 'setup', how);
    await page.getByLabel('Admin token').fill(adminToken.reveal());
    await button(page, 'Continue').click();
    await button(page, 'Create account').click();
    await lookAt(page, 'setup-refused', how);
  } finally {
    await context.close();
  }
});
