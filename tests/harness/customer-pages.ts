import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Language } from '#contracts/kernel/language.ts';
import { licensesWords } from '../../portal/customers/licenses.words.ts';
import { revealWords } from '../../portal/customers/reveal.words.ts';
import { sessionsWords } from '../../portal/customers/sessions.words.ts';
import { signInWords } from '../../portal/customers/sign-in.words.ts';
import { transferWords } from '../../portal/customers/transfer.words.ts';
import { axeViolations, type Look, looks, openBrowser, overflows, type TestBrowser } from './browser.ts';
import { rulesOfTheNight } from './every-look.ts';
import { newestCode } from './mailbox.ts';
import {
  movableClock,
  newHwid,
  newMasterKey,
  portalDatabase,
  startTestPortal,
  type TestPortal,
} from './portal.ts';

const dayMs = 86_400_000;

/** The customer area of a portal in the test's own process, in a browser. */
export interface CustomerPages extends AsyncDisposable {
  readonly portal: TestPortal;
  readonly chromium: TestBrowser;
  readonly masterKey: ReturnType<typeof newMasterKey>;
  codeFor(email: string): Promise<string>;
  customerWithLicense(
    email: string,
  ): Promise<{ readonly license: Awaited<ReturnType<TestPortal['issue']>>; readonly hwid: string }>;
  /** Looks at every page, down to a width of 320 px. */
  everyPage(how: Look, language: Language): Promise<void>;
}

/** Passes axe and fits the window. */
export const lookAtPage = async (page: Page, name: string, how: string) => {
  const folder = process.env.CASTELLAN_TEST_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}-${how}.png`, fullPage: true });
  expect([name, how, await axeViolations(page, rulesOfTheNight)]).toEqual([name, how, []]);
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  for (const width of [size.width, 320]) {
    await page.setViewportSize({ ...size, width });
    expect([name, how, width, await overflows(page)]).toEqual([name, how, width, false]);
  }
  await page.setViewportSize(size);
};

export const openCustomerPages = async (): Promise<CustomerPages> => {
  await using opening = new AsyncDisposableStack();
  const masterKey = newMasterKey();
  const clock = movableClock();
  const database = opening.use(await portalDatabase());
  const portal = opening.use(await startTestPortal({ databaseUrl: database.url, masterKey, clock }));
  const chromium = opening.use(await openBrowser());
  const resources = opening.move();
  const customers: CustomerPages = {
    portal,
    chromium,
    masterKey,
    codeFor: (email) => newestCode(portal.context, masterKey, email),
    async customerWithLicense(email) {
      const license = await portal.issue({ buyerEmail: email, tier: 'community' });
      const hwid = newHwid();
      expect((await portal.activate(license.licenseKey, hwid)).status).toBe(200);
      return { license, hwid };
    },
    async everyPage(how, language) {
      const as = `${how.replace(' ', '-')}-${language}`;
      const email = `${as}@example.com`.toLowerCase();
      const { license } = await customers.customerWithLicense(email);
      const { license: suspended } = await customers.customerWithLicense(email);
      await portal.issue({
        buyerEmail: email,
        tier: 'pro',
        expiresAt: new Date(clock.now().getTime() + dayMs),
      });
      await portal.context.pool.query(`update licenses set status = 'suspended' where id = $1`, [
        suspended.id,
      ]);
      const [signIn, licenses] = [signInWords[language], licensesWords[language]];
      const [transfer, reveal] = [transferWords[language], revealWords[language]];
      const { everywhere } = sessionsWords[language];
      const context = await chromium.browser.newContext({ ...looks[how], locale: language });
      try {
        const page = await context.newPage();
        const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
        await page.goto(`${portal.url}/account`);
        expect(await page.locator('html').getAttribute('lang')).toBe(language);
        await lookAtPage(page, 'sign-in', as);
        await press(signIn.mailCode);
        await lookAtPage(page, 'sign-in-refused', as);
        await page.getByLabel(signIn.email).fill(email);
        await press(signIn.mailCode);
        await page.getByLabel(signIn.code).fill('0000-0000');
        await press(signIn.signIn);
        await lookAtPage(page, 'code-refused', as);
        await page.getByLabel(signIn.code).fill(await customers.codeFor(email));
        await press(signIn.signIn);
        await lookAtPage(page, 'licenses', as);
        await page.goto(`${portal.url}/account/licenses/${license.id}`);
        await lookAtPage(page, 'license', as);
        await page.getByRole('link', { name: licenses.transfer }).click();
        await lookAtPage(page, 'transfer', as);
        await page.getByLabel(transfer.hwid).fill('sha256:12');
        await press(transfer.submit);
        await lookAtPage(page, 'transfer-refused', as);
        await page.getByLabel(transfer.hwid).fill(newHwid());
        await press(transfer.submit);
        await lookAtPage(page, 'license-pending', as);
        await page.getByRole('link', { name: licenses.correct }).click();
        await lookAtPage(page, 'transfer-correct', as);
        await page.goto(`${portal.url}/account/licenses/${license.id}/reveal`);
        await lookAtPage(page, 'reveal', as);
        await press(reveal.mailCode);
        await lookAtPage(page, 'reveal-code', as);
        await page.getByLabel(reveal.code).fill(await customers.codeFor(email));
        await press(reveal.show);
        await lookAtPage(page, 'key', as);
        await page.goto(`${portal.url}/account/sessions`);
        await lookAtPage(page, 'sessions', as);
        await page.goto(`${portal.url}/account/licenses/${suspended.id}/transfer`);
        await lookAtPage(page, 'transfer-suspended', as);
        await page.goto(`${portal.url}/account/licenses/none`);
        await lookAtPage(page, 'not-found', as);
        await page.goto(`${portal.url}/account/sessions`);
        await press(everywhere);
        await lookAtPage(page, 'signed-out', as);
      } finally {
        await context.close();
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
  return customers;
};
