// @module-tag browser

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
import { mailsTo, newestCode } from '#harness/mailbox.ts';
import {
  movableClock,
  newHwid,
  newMasterKey,
  portalDatabase,
  startTestPortal,
  type TestPortal,
} from '#harness/portal.ts';
import { licensesWords } from '../../portal/customers/licenses.words.ts';
import { revealWords } from '../../portal/customers/reveal.words.ts';
import { sessionsWords } from '../../portal/customers/sessions.words.ts';
import { signInWords } from '../../portal/customers/sign-in.words.ts';
import { transferWords } from '../../portal/customers/transfer.words.ts';

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
  await page.getByRole('button', { name: 'E-mail me a code' }).click();
  await page.getByLabel('Code from the e-mail').fill((await codeFor(email)).toLowerCase());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Your licenses' }).waitFor();
};

/** In a separate browser whose pages may not run scripts. */
const withoutScripts = async (act: (page: Page, context: BrowserContext) => Promise<void>) => {
  const context = await chromium.browser.newContext({ javaScriptEnabled: false });
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
  const { license, hwid: oldHwid } = await customerWithLicense(email);
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
  const { license } = await customerWithLicense(email);
  await withoutScripts(async (page) => {
    await signIn(page, email);
    await page.getByRole('link', { name: 'community' }).click();
    await page.getByRole('link', { name: 'Show key' }).click();
    expect(await page.content()).not.toContain(license.licenseKey);
    await page.getByRole('button', { name: 'E-mail me a code' }).click();
    const code = await codeFor(email);
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

const look = async (page: Page, name: string, how: string) => {
  const folder = process.env.CASTELLAN_TEST_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}-${how}.png`, fullPage: true });
  expect([name, how, await axeViolations(page)]).toEqual([name, how, []]);
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  for (const width of [size.width, 320]) {
    await page.setViewportSize({ ...size, width });
    expect([name, how, width, await overflows(page)]).toEqual([name, how, width, false]);
  }
  await page.setViewportSize(size);
};

/** Both languages in both color schemes, and each on a phone. */
const everyLook: readonly (readonly [Look, Language])[] = [
  ['light', 'en'],
  ['light', 'pt-BR'],
  ['dark', 'en'],
  ['dark', 'pt-BR'],
  ['phone', 'pt-BR'],
  ['dark phone', 'en'],
];

// Guarantee: every page of the customer area passes axe and fits the window, down to 320 px, in every look and language.
test.each(everyLook)('every page, %s, %s', async (how, language) => {
  const as = `${how.replace(' ', '-')}-${language}`;
  const email = `${as}@example.com`.toLowerCase();
  const { license } = await customerWithLicense(email);
  const { license: suspended } = await customerWithLicense(email);
  await portal.issue({ buyerEmail: email, tier: 'pro', expiresAt: new Date(clock.now().getTime() + dayMs) });
  await portal.context.pool.query(`update licenses set status = 'suspended' where id = $1`, [suspended.id]);
  const [signIn, licenses] = [signInWords[language], licensesWords[language]];
  const [transfer, reveal] = [transferWords[language], revealWords[language]];
  const { everywhere } = sessionsWords[language];
  const context = await chromium.browser.newContext({ ...looks[how], locale: language });
  try {
    const page = await context.newPage();
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto(`${portal.url}/account`);
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    await look(page, 'sign-in', as);
    await press(signIn.mailCode);
    await look(page, 'sign-in-refused', as);
    await page.getByLabel(signIn.email).fill(email);
    await press(signIn.mailCode);
    await page.getByLabel(signIn.code).fill('0000-0000');
    await press(signIn.signIn);
    await look(page, 'code-refused', as);
    await page.getByLabel(signIn.code).fill(await codeFor(email));
    await press(signIn.signIn);
    await look(page, 'licenses', as);
    await page.goto(`${portal.url}/account/licenses/${license.id}`);
    await look(page, 'license', as);
    await page.getByRole('link', { name: licenses.transfer }).click();
    await look(page, 'transfer', as);
    await page.getByLabel(transfer.hwid).fill('sha256:12');
    await press(transfer.submit);
    await look(page, 'transfer-refused', as);
    await page.getByLabel(transfer.hwid).fill(newHwid());
    await press(transfer.submit);
    await look(page, 'license-pending', as);
    await page.getByRole('link', { name: licenses.correct }).click();
    await look(page, 'transfer-correct', as);
    await page.goto(`${portal.url}/account/licenses/${license.id}/reveal`);
    await look(page, 'reveal', as);
    await press(reveal.mailCode);
    await look(page, 'reveal-code', as);
    await page.getByLabel(reveal.code).fill(await codeFor(email));
    await press(reveal.show);
    await look(page, 'key', as);
    await page.goto(`${portal.url}/account/sessions`);
    await look(page, 'sessions', as);
    await page.goto(`${portal.url}/account/licenses/${suspended.id}/transfer`);
    await look(page, 'transfer-suspended', as);
    await page.goto(`${portal.url}/account/licenses/none`);
    await look(page, 'not-found', as);
    await page.goto(`${portal.url}/account/sessions`);
    await press(everywhere);
    await look(page, 'signed-out', as);
  } finally {
    await context.close();
  }
});

// Guarantee: a customer without a license is told what to do, for any form of their address.
test('a customer without a license', async () => {
  const email = `${'long-name.'.repeat(6)}x@${'sub-domain.'.repeat(12)}example.com`;
  const { license } = await customerWithLicense(email);
  await portal.issue({ buyerEmail: 'other@example.com' });
  await portal.context.pool.query(
    `update licenses set tenant_id = (select id from tenants where email = 'other@example.com') where id = $1`,
    [license.id],
  );
  const context = await chromium.browser.newContext(looks.phone);
  try {
    const page = await context.newPage();
    await signIn(page, email);
    await page.getByText(`No license belongs to ${email} yet.`).waitFor();
    await look(page, 'no-licenses', 'phone');
  } finally {
    await context.close();
  }
});

// Guarantee: the language can be switched on any page without a script, stays from then on, and applies to mails.
test('switch the language', async () => {
  const email = 'switching@example.com';
  await customerWithLicense(email);
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
    const mails = await mailsTo(portal.context, masterKey, email);
    expect(mails.at(-1)?.subject).toBe('Seu código para entrar no Castellan');
  });
});

// Guarantee: every text uses the panel's fonts, which come from the portal itself.
test('the fonts', async () => {
  const page = await chromium.browser.newPage();
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
