import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillPortal } from '#harness/full-portal.ts';
import type { TestPortal } from '#harness/portal.ts';
import { button, openVendorPages, readSecret, type VendorPages } from '#harness/vendor-pages.ts';

let vendor: VendorPages;
let portal: TestPortal;

beforeAll(async () => {
  vendor = await openVendorPages();
  ({ portal } = vendor);
});
afterAll(async () => {
  await vendor?.[Symbol.asyncDispose]();
});

/** In a separate browser whose pages may not run scripts. */
const withoutScripts = async (act: (page: Page, context: BrowserContext) => Promise<void>) => {
  const context = await vendor.chromium.browser.newContext({ javaScriptEnabled: false });
  try {
    await act(await context.newPage(), context);
  } finally {
    await context.close();
  }
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
    await page.getByLabel('Admin token').fill(vendor.adminToken.reveal());
    await button(page, 'Continue').click();
    const secret = await readSecret(page);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Your password').fill('a long password of hers');
    await page.getByLabel('Current code from your authenticator').fill(vendor.codeOf(secret));
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
    for (const canary of [licenseKey, secret, recovery, vendor.adminToken.reveal()])
      expect(seen).not.toContain(canary);
  });
});

// Guarantee: from the first page to an issued license, its suspension with a reason, and the revenue takes six clicks, without any
// script; the customer sees the reason, and the sums are exact in each currency.
test('issue, suspend with a reason, revenue', async () => {
  await fillPortal(portal, vendor.clock);
  await withoutScripts(async (page) => {
    await vendor.enrol(page, 'Grace');
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
    await vendor.enrol(page, 'Hedy');
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

// Guarantee: sign-in and the values that are shown once pass axe and fit the window.
test('signing in, light', manyPages, () => vendor.signIn('light'));

// Guarantee: so does every vendor page, with tables shown and with names and reasons of any script and length.
test('every page, light, en', manyPages, () => vendor.everyPage('light', 'en'));

// Guarantee: so do the pages of the first start, with and without a token.
test('the first start, light', manyPages, () => vendor.firstStart('light'));
