// @module-tag browser

import { mkdir } from 'node:fs/promises';
import { generateSync } from 'otplib';
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
import { movableClock, newHwid, portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { Secret } from '#runtime/secret.ts';

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

/** In a browser of its own, whose pages may run no script. */
const withoutScripts = async (act: (page: Page, context: BrowserContext) => Promise<void>) => {
  const context = await chromium.browser.newContext({ javaScriptEnabled: false });
  try {
    await act(await context.newPage(), context);
  } finally {
    await context.close();
  }
};

/** Somebody who is invited on the accounts page, and signs in for the first time. */
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
  await button(page, 'Go on').click();
  const secret = await readSecret(page);
  await look('enrol');
  await page.getByLabel('A password of your own').fill(password);
  await page.getByLabel('Code that the authenticator shows now').fill(codeOf(secret));
  await button(page, 'Sign in').click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await look('recovery-codes');
  return { name, password, secret };
};

// Guarantee: from the admin token to a license that was issued, searched by its key, extended and revoked, without any
// script; every secret is shown once, and none stands in an address.
test('the first account issues a license', async () => {
  await withoutScripts(async (page) => {
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(`${portal.url}/admin`);
    await page.getByRole('link', { name: 'Make the first one' }).click();
    await page.getByLabel('Admin token').fill('not this one');
    await button(page, 'Go on').click();
    await page.getByText('This is not the admin token.').first().waitFor();
    await page.getByLabel('Admin token').fill(adminToken.reveal());
    await button(page, 'Go on').click();
    const secret = await readSecret(page);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('A password').fill('a long password of hers');
    await page.getByLabel('Code that the authenticator shows now').fill(codeOf(secret));
    await button(page, 'Make the account').click();
    const recovery = (await page.locator('.shown-once li').first().textContent()) ?? '';
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${portal.url}/admin/setup`);
    expect(page.url()).toBe(`${portal.url}/admin`);

    await page.goto(`${portal.url}/admin/licenses/new`);
    await page.getByLabel("Buyer's e-mail address").fill('buyer@example.com');
    await page.getByLabel('Last day').fill('2026-04-01');
    await button(page, 'Issue the license').click();
    const licenseKey = (await page.locator('.shown-once').textContent()) ?? '';
    expect(licenseKey).toMatch(/^CSTL-/);
    await page.reload();
    await page.getByText('This license was issued already').waitFor();
    expect(await page.content()).not.toContain(licenseKey);

    await page.goto(`${portal.url}/admin/licenses`);
    await page.getByLabel('Key, e-mail, order, HWID or id').fill(licenseKey.toLowerCase());
    await button(page, 'Search').click();
    await page.getByRole('link', { name: 'Extend' }).click();
    await page.getByLabel('Days').fill('30');
    await button(page, 'Extend').click();
    await page.getByText('The license has more time.').waitFor();
    await page.getByText('2 May 2026').first().waitFor();
    await page.getByRole('link', { name: 'Revoke' }).click();
    await page.getByText('This is final').waitFor();
    await button(page, 'Revoke').click();
    await page.getByText('The license is revoked.').waitFor();
    await page.getByRole('cell', { name: 'Ada' }).first().waitFor();

    await button(page, 'Sign out').click();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill('a long password of hers');
    await button(page, 'Go on').click();
    await page.getByLabel('Code from your authenticator').fill(recovery);
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const seen = addresses.map(decodeURIComponent).join('\n');
    for (const canary of [licenseKey, secret, recovery, adminToken.reveal()])
      expect(seen).not.toContain(canary);
  });
});

/** Kept when a folder is named: for eyes, which see what axe does not. */
const screenshotFolder = process.env.SCREENSHOT_FOLDER;

const lookAt = async (page: Page, name: string, how: Look) => {
  if (screenshotFolder) {
    await mkdir(screenshotFolder, { recursive: true });
    await page.screenshot({ path: `${screenshotFolder}/vendor-${name}-${how}.png`, fullPage: true });
  }
  expect([name, how, await axeViolations(page)]).toEqual([name, how, []]);
  expect([name, how, await overflows(page)]).toEqual([name, how, false]);
};

const openEvent = `c${'1'.repeat(24)}`;

/** What makes the pages full: machines, checks, failed mail, an open purchase. */
const fillPortal = async () => {
  const license = await portal.issue({ buyerEmail: 'owner@example.com', expiresAt: new Date('2027-01-01') });
  const hwid = newHwid();
  const { body } = await portal.activate(license.licenseKey, hwid);
  const { checks } = portal.context.vendorArea;
  for (let hour = 0; hour < 30; hour += 1) {
    for (let check = 0; check <= hour % 7; check += 1) checks.note('token');
    if (hour % 5 === 0) checks.note('refused');
    clock.pass(60 * minuteMs);
  }
  await checks.write();
  await portal.validate(license, body.token, hwid);
  await portal.context.pool.query(`
    insert into mail_outbox (id, message_id, kind, recipient, subject, body_sealed, state, attempts, next_attempt_at,
      last_fault, created_at, settled_at)
    values ('failed', '<failed@example.com>', 'license_issued', 'owner@example.com', 'Your license key', 'sealed', 'given_up', 12,
      now(), '550 no such mailbox', now(), now()) on conflict do nothing`);
  await portal.context.pool.query(
    `insert into webhook_events (id, gateway, event_id, type, kind, refs, facts, payload_sha256, occurred_at, received_at, outcome, reason)
     values ($1, 'generic', 'event-1', 'purchase', 'purchase', '{generic:order-1}', '{"email":"buyer@example.com","plan":"pro"}', '', now(), now(),
       'unprocessed', 'There is no plan pro.') on conflict do nothing`,
    [openEvent],
  );
  return license;
};

// Guarantee: every page of the vendor passes axe and fits the window, light and dark, on a desk and on a phone.
test.each(Object.keys(looks) as Look[])('every page, %s', async (how) => {
  const license = await fillPortal();
  const context = await chromium.browser.newContext(looks[how]);
  try {
    const page = await context.newPage();
    const look = (name: string) => lookAt(page, name, how);
    await page.goto(`${portal.url}/admin/sign-in`);
    await look('sign-in');
    await page.getByLabel('Name').fill('nobody');
    await button(page, 'Go on').click();
    await look('sign-in-refused');
    const account = await enrol(page, `Vendor ${how}`, look);
    await page.goto(`${portal.url}/admin`);
    await button(page, 'Sign out').click();
    await look('signed-out');
    await page.getByLabel('Name').fill(account.name);
    await page.getByLabel('Password').fill(account.password);
    await button(page, 'Go on').click();
    await page.getByLabel('Code from your authenticator').fill('000000');
    await button(page, 'Sign in').click();
    await look('code-refused');
    await page.getByLabel('Code from your authenticator').fill(codeOf(account.secret));
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await look('overview');
    await page.getByText('The numbers, in UTC').click();
    await look('overview-numbers');
    const paths = {
      licenses: '/licenses',
      'licenses-none': '/licenses?q=nothing',
      license: `/licenses/${license.id}`,
      extend: `/licenses/${license.id}/extend`,
      unbind: `/licenses/${license.id}/unbind`,
      revoke: `/licenses/${license.id}/revoke`,
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
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(`${portal.url}/admin${path}`);
      await look(name);
    }
    await page.goto(`${portal.url}/admin/licenses/new`);
    await button(page, 'Issue the license').click();
    await look('issue-refused');
    await page.getByLabel("Buyer's e-mail address").fill('buyer@example.com');
    await button(page, 'Issue the license').click();
    await look('issued');
    await page.goto(`${portal.url}/admin/keys`);
    await page.getByRole('link', { name: 'Strike out' }).first().click();
    await look('strike');
    await page.goto(`${portal.url}/admin/accounts`);
    await page.getByLabel('Name').fill(`Guest ${how}`);
    await button(page, 'Make the account').click();
    await look('invited');
    await page.goto(`${portal.url}/admin/accounts`);
    await page.getByRole('link', { name: 'Reset' }).last().click();
    await look('reset');
  } finally {
    await context.close();
  }
});

// Guarantee: so do the pages of the very first start, with and without a token.
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
    await button(page, 'Go on').click();
    await button(page, 'Make the account').click();
    await lookAt(page, 'setup-refused', how);
  } finally {
    await context.close();
  }
});
