import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { looks } from '#harness/browser.ts';
import { type CustomerPages, lookAtPage, openCustomerPages } from '#harness/customer-pages.ts';
import { mailsTo } from '#harness/mailbox.ts';
import { newHwid, type TestPortal } from '#harness/portal.ts';

let customers: CustomerPages;
let portal: TestPortal;

beforeAll(async () => {
  customers = await openCustomerPages();
  ({ portal } = customers);
});
afterAll(async () => {
  await customers?.[Symbol.asyncDispose]();
});

const signIn = async (page: Page, email: string) => {
  await page.goto(`${portal.url}/account`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'E-mail me a code' }).click();
  await page.getByLabel('Code from the e-mail').fill((await customers.codeFor(email)).toLowerCase());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Your licenses' }).waitFor();
};

/** In a separate browser whose pages may not run scripts. */
const withoutScripts = async (act: (page: Page, context: BrowserContext) => Promise<void>) => {
  const context = await customers.chromium.browser.newContext({ javaScriptEnabled: false });
  try {
    await act(await context.newPage(), context);
  } finally {
    await context.close();
  }
};

// Guarantee: a customer with a new machine gets from the sign-in page to a bound new machine without any script, and is told in
// advance when the next transfer is free.
test('sign in and transfer the license', async () => {
  const email = 'moving@example.com';
  const { license, hwid: oldHwid } = await customers.customerWithLicense(email);
  const hwid = newHwid();
  await withoutScripts(async (page) => {
    await signIn(page, email);
    await page.getByRole('link', { name: 'community' }).click();
    await page.getByText(oldHwid).waitFor();
    await page.getByRole('link', { name: 'Transfer HWID' }).click();

    await page.getByLabel('Hardware ID (HWID) of the new machine').fill('sha256:1234');
    await page.getByRole('button', { name: 'Transfer license' }).click();
    await expect.poll(() => page.title()).toMatch(/^Error: /);
    await page.getByRole('alert').getByRole('link').click();
    await page.waitForURL(/#field-hwid$/);

    await page
      .getByLabel('Hardware ID (HWID) of the new machine')
      .fill(`  ${hwid.toUpperCase()} `.replace('SHA', 'sha'));
    await page.getByRole('button', { name: 'Transfer license' }).click();
    await page.getByRole('status').getByText('Transfer requested.').waitFor();
    expect((await portal.activate(license.licenseKey, hwid)).status).toBe(200);
    await page.reload();
    await page.getByText(hwid).waitFor();

    await page.getByRole('link', { name: 'Transfer HWID' }).click();
    await page.getByText('Mar 31, 2026').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goto(`${portal.url}/account/licenses/${license.id}`);
    expect(page.url()).toBe(`${portal.url}/account/sign-in`);
  });
});

// Guarantee: the key is shown once for a fresh code, and is in no address.
test('have the key shown', async () => {
  const email = 'forgetful@example.com';
  const { license } = await customers.customerWithLicense(email);
  await withoutScripts(async (page) => {
    await signIn(page, email);
    await page.getByRole('link', { name: 'community' }).click();
    await page.getByRole('link', { name: 'Show key' }).click();
    expect(await page.content()).not.toContain(license.licenseKey);
    await page.getByRole('button', { name: 'E-mail me a code' }).click();
    const code = await customers.codeFor(email);
    await page.getByLabel('Code from the e-mail').fill(code);
    await page.getByRole('button', { name: 'Show key' }).click();
    await page.getByText(license.licenseKey).waitFor();
    expect(page.url()).not.toContain(license.licenseKey);

    await page.goto(`${portal.url}/account/licenses/${license.id}/reveal?step=code`);
    await page.getByLabel('Code from the e-mail').fill(code);
    await page.getByRole('button', { name: 'Show key' }).click();
    await page.getByText('This code has expired, was used').first().waitFor();
    expect(await page.content()).not.toContain(license.licenseKey);
  });
});

// Guarantee: every page of the customer area passes axe and fits the window, down to 320 px.
test('every page, light, en', { timeout: 400_000 }, () => customers.everyPage('light', 'en'));

// Guarantee: a customer without a license is told what to do, for any form of their address.
test('a customer without a license', async () => {
  const email = `${'long-name.'.repeat(6)}x@${'sub-domain.'.repeat(12)}example.com`;
  const { license } = await customers.customerWithLicense(email);
  await portal.issue({ buyerEmail: 'other@example.com' });
  await portal.context.pool.query(
    `update licenses set tenant_id = (select id from tenants where email = 'other@example.com') where id = $1`,
    [license.id],
  );
  const context = await customers.chromium.browser.newContext(looks.phone);
  try {
    const page = await context.newPage();
    await signIn(page, email);
    await page.getByText(`No license belongs to ${email} yet.`).waitFor();
    await lookAtPage(page, 'no-licenses', 'phone');
  } finally {
    await context.close();
  }
});

// Guarantee: the language can be switched on any page without a script, stays from then on, and applies to mails.
test('switch the language', async () => {
  const email = 'switching@example.com';
  await customers.customerWithLicense(email);
  await withoutScripts(async (page) => {
    await signIn(page, email);
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: 'Português (Brasil)' }).click();
    await page.getByRole('heading', { name: 'Sessões', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/account/sessions');
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
    await page.getByRole('button', { name: 'Sair', exact: true }).click();
    await page.getByText('Você saiu.').waitFor();
    await page.getByLabel('Endereço de e-mail').fill(email);
    await page.getByRole('button', { name: 'Enviar um código por e-mail' }).click();
    await page.getByLabel('Código recebido por e-mail').waitFor();
    const mails = await mailsTo(portal.context, customers.masterKey, email);
    expect(mails.at(-1)?.subject).toBe('Seu código para entrar no Castellan');
  });
});

// Guarantee: every text uses the panel's fonts, which come from the portal itself.
test('the fonts', async () => {
  const page = await customers.chromium.browser.newPage();
  try {
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(request.url()));
    page.on('console', (message) => failed.push(message.text()));
    await page.goto(`${portal.url}/account`);
    const fonts = await page.evaluate(
      "document.fonts.ready.then((fonts) => [...fonts].filter((font) => font.status === 'loaded').map((font) => font.family))",
    );
    expect(fonts).toEqual(['Inter Variable']);
    expect(failed).toEqual([]);
  } finally {
    await page.close();
  }
});
