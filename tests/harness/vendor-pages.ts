import { mkdir } from 'node:fs/promises';
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Language } from '#contracts/kernel/language.ts';
import { Secret } from '#runtime/secret.ts';
import { enrolAccount } from '../../portal/vendor/testing/enrolled-account.ts';
import { axeViolations, type Look, looks, openBrowser, overflows, type TestBrowser } from './browser.ts';
import { rulesOfTheNight } from './every-look.ts';
import { fillPortal, openEvent, rightToLeft } from './full-portal.ts';
import { movableClock, portalDatabase, startTestPortal, type TestPortal } from './portal.ts';

const minuteMs = 60_000;
const adminToken = new Secret('the token for the very first account');

/** The vendor's area of a portal in the test's own process, in a browser. */
export interface VendorPages extends AsyncDisposable {
  readonly portal: TestPortal;
  readonly clock: ReturnType<typeof movableClock>;
  readonly chromium: TestBrowser;
  readonly adminToken: Secret;
  /** The next code of an authenticator. */
  codeOf(secret: string): string;
  /** Invites a person on the accounts page and signs them in for the first time. */
  enrol(
    page: Page,
    name: string,
    look?: (name: string) => Promise<void>,
  ): Promise<{ readonly name: string; readonly password: string; readonly secret: string }>;
  /** Looks at sign-in and at the values that are shown once. */
  signIn(how: Look): Promise<void>;
  /** Looks at every vendor page, with tables shown and with names and reasons of any script and length. */
  everyPage(how: Look, language: Language): Promise<void>;
  /** Looks at the pages of the first start, with and without a token. */
  firstStart(how: Look): Promise<void>;
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const readSecret = async (page: Page) =>
  ((await page.locator('.shown-once').textContent()) ?? '').replaceAll(' ', '');

/** Screenshots are kept if a folder is named: people see what axe does not. */
const screenshotFolder = process.env.SCREENSHOT_FOLDER;

const lookAt = async (page: Page, name: string, how: Look) => {
  if (screenshotFolder) {
    await mkdir(screenshotFolder, { recursive: true });
    await page.screenshot({ path: `${screenshotFolder}/vendor-${name}-${how}.png`, fullPage: true });
  }
  expect([name, how, await axeViolations(page, rulesOfTheNight)]).toEqual([name, how, []]);
  expect([name, how, await overflows(page)]).toEqual([name, how, false]);
  const size = page.viewportSize();
  if (!how.includes('phone') || !size) return;
  await page.setViewportSize({ width: 320, height: size.height });
  expect([name, 'on 320 px', await overflows(page)]).toEqual([name, 'on 320 px', false]);
  await page.setViewportSize(size);
};

export const openVendorPages = async (): Promise<VendorPages> => {
  await using opening = new AsyncDisposableStack();
  const clock = movableClock();
  const database = opening.use(await portalDatabase());
  const portal = opening.use(await startTestPortal({ databaseUrl: database.url, clock, adminToken }));
  const chromium = opening.use(await openBrowser());
  const resources = opening.move();
  const vendor: VendorPages = {
    portal,
    clock,
    chromium,
    adminToken,
    codeOf(secret) {
      clock.pass(minuteMs);
      return generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });
    },
    async enrol(page, name, look = async () => undefined) {
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
      await page.getByLabel('Current code from your authenticator').fill(vendor.codeOf(secret));
      await button(page, 'Sign in').click();
      await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
      await look('recovery-codes');
      return { name, password, secret };
    },
    async signIn(how) {
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
        const account = await vendor.enrol(page, `Vendor ${how}`, look);
        await page.goto(`${portal.url}/admin`);
        await button(page, 'Sign out').click();
        await look('signed-out');
        await page.getByLabel('Name').fill(account.name);
        await page.getByLabel('Password').fill(account.password);
        await button(page, 'Continue').click();
        await page.getByLabel('Code from your authenticator').fill('000000');
        await button(page, 'Sign in').click();
        await look('code-refused');
        await page.getByLabel('Code from your authenticator').fill(vendor.codeOf(account.secret));
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
    },
    async everyPage(how, language) {
      const license = await fillPortal(portal, clock);
      const suspended = await portal.issue({ buyerEmail: 'late@example.com', buyerName: rightToLeft });
      await portal.context.vendor.suspend(
        suspended.id,
        `${rightToLeft} ${'a long reason '.repeat(20)}`.trim(),
      );
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
    },
    async firstStart(how) {
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
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
  return vendor;
};
