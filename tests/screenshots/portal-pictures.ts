import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { looks as everyLook, type Look } from '#harness/browser.ts';
import { newestCode } from '#harness/mailbox.ts';
import { movableClock, newHwid, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { migrate } from '#runtime/database/migrate.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { migrations } from '../../portal/database/migrations.ts';
import type { PortalTables } from '../../portal/database/tables.ts';
import { fileName } from './file-name.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
const adminToken = 'the token for the very first account';
const email = 'owner@example.com';
const openEvent = `c${'1'.repeat(24)}`;

export interface PortalPicturesOptions {
  readonly out: string;
  readonly looks: readonly Look[];
  readonly locale: 'en-US' | 'pt-BR';
  readonly browser: Browser;
  /** A database on a Postgres on which another one may be created. */
  readonly databaseUrl: string;
  readonly say: (line: string) => void;
}

type MovableClock = ReturnType<typeof movableClock>;
interface Visit {
  readonly portal: TestPortal;
  readonly clock: MovableClock;
  readonly page: Page;
  readonly look: (name: string) => Promise<void>;
}

/** Takes each page of the customer area and the vendor's area, reached by addresses and field names, which do not depend on wording. */
export const takePortal = async (options: PortalPicturesOptions): Promise<void> => {
  const { out, looks, locale, browser, databaseUrl, say } = options;
  await mkdir(out, { recursive: true });
  await using resources = new AsyncDisposableStack();
  const clock = movableClock(new Date(Date.now() - 150 * dayMs));
  const url = await newDatabase(databaseUrl, resources);
  const portal = resources.use(
    await startTestPortal({ databaseUrl: url, clock, adminToken: new Secret(adminToken) }),
  );
  let isSetUp = false;
  let license = '';
  for (const look of looks) {
    say(`the portal, ${look}`);
    const context = await browser.newContext({ ...everyLook[look], locale, reducedMotion: 'reduce' });
    try {
      const page = await context.newPage();
      const visit: Visit = {
        portal,
        clock,
        page,
        look: async (name) => {
          await page.screenshot({ path: join(out, fileName(look, `portal/${name}`)), fullPage: true });
        },
      };
      await page.goto(`${portal.url}/admin/setup`);
      if (!isSetUp) await visit.look('admin/setup');
      if (!isSetUp) license = await fill(portal, clock);
      isSetUp = true;
      await visitCustomer(visit, look);
      await visitVendor(visit, look, license);
    } finally {
      await context.close();
    }
  }
};

const newDatabase = async (postgres: string, resources: AsyncDisposableStack): Promise<Secret> => {
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  const name = `pictures_${Date.now()}`;
  await client.query(`create database ${name}`);
  resources.defer(async () => {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  });
  const address = new URL(postgres);
  address.pathname = `/${name}`;
  const url = new Secret(address.toString());
  const log = createLog({ component: 'portal', level: 'silent' });
  await using database = openDatabase<PortalTables>({ url, applicationName: 'pictures', log });
  await migrate({ db: database.db, migrations, log });
  return url;
};

/** Some months of a vendor's data: licenses of every kind, their checks, a failed mail, an open purchase. @returns a license */
const fill = async (portal: TestPortal, clock: MovableClock): Promise<string> => {
  let kept = '';
  for (let month = 0; month < 5; month += 1) {
    for (let number = 0; number < 3 + month; number += 1) {
      const isTimed = number % 2 === 0;
      const license = await portal.issue({
        buyerEmail: number === 0 ? email : `customer-${month}-${number}@example.com`,
        tier: number % 3 === 0 ? 'pro' : 'community',
        expiresAt: isTimed ? new Date(clock.now().getTime() + (30 + 60 * number) * dayMs) : null,
      });
      const hwid = newHwid();
      const { body } = await portal.activate(license.licenseKey, hwid);
      await portal.validate(license, body.token, hwid);
      if (number === 0) kept = license.id;
      if (number === 3)
        await portal.context.pool.query(`update licenses set status = 'suspended' where id = $1`, [
          license.id,
        ]);
      clock.pass(4 * dayMs);
    }
    clock.pass(dayMs);
  }
  const { checks } = portal.context.vendorArea;
  for (let hour = 0; hour < 30; hour += 1) {
    for (let check = 0; check <= hour % 7; check += 1) checks.note('token');
    if (hour % 5 === 0) checks.note('refused');
    clock.pass(hourMs);
  }
  await checks.write();
  await portal.context.pool.query(`
    insert into mail_outbox (id, message_id, kind, recipient, subject, body_sealed, state, attempts, next_attempt_at,
      last_fault, created_at, settled_at)
    values ('failed', '<failed@example.com>', 'license_issued', '${email}', 'Your license key', 'sealed', 'given_up', 12,
      now(), '550 no such mailbox', now(), now())`);
  await portal.context.pool.query(
    `insert into webhook_events (id, gateway, event_id, type, kind, refs, facts, payload_sha256, occurred_at, received_at, outcome, reason)
     values ($1, 'generic', 'event-1', 'purchase', 'purchase', '{generic:order-1}', '{"email":"buyer@example.com","plan":"pro"}', '', now(), now(),
       'unprocessed', 'There is no plan pro.')`,
    [openEvent],
  );
  return kept;
};

/** Submits the given form. */
const send = (page: Page, form: string) => page.locator(`${form} button[type=submit]`).first().click();
const formWith = (field: string) => `form:has([name="${field}"])`;
const type = (page: Page, field: string, text: string) =>
  page.locator(`[name="${field}"]`).first().fill(text);

const visitCustomer = async ({ portal, page, look }: Visit, how: Look): Promise<void> => {
  const buyer = `${how.replace(' ', '-')}@example.com`;
  const license = await portal.issue({ buyerEmail: buyer, tier: 'community' });
  await portal.activate(license.licenseKey, newHwid());
  await portal.issue({ buyerEmail: buyer, tier: 'pro' });
  const code = () => newestCode(portal.context, portal.masterKey, buyer);
  const own = `${portal.url}/account/licenses/${license.id}`;
  await page.goto(`${portal.url}/account`);
  await look('account/sign-in');
  await type(page, 'email', buyer);
  await send(page, formWith('email'));
  await type(page, 'code', '0000-0000');
  await send(page, formWith('code'));
  await look('account/code-refused');
  await type(page, 'code', await code());
  await send(page, formWith('code'));
  await look('account/licenses');
  await page.goto(own);
  await look('account/license');
  await page.goto(`${own}/transfer`);
  await look('account/transfer');
  await type(page, 'hwid', 'sha256:12');
  await send(page, formWith('hwid'));
  await look('account/transfer-refused');
  await type(page, 'hwid', newHwid());
  await send(page, formWith('hwid'));
  await look('account/license-pending');
  await page.goto(`${own}/reveal`);
  await look('account/reveal');
  await send(page, 'form[action$="/reveal/code"]');
  await look('account/reveal-code');
  await type(page, 'code', await code());
  await send(page, formWith('code'));
  await look('account/key');
  await page.goto(`${portal.url}/account/sessions`);
  await look('account/sessions');
  await page.goto(`${portal.url}/account/licenses/none`);
  await look('account/not-found');
};

const visitVendor = async (
  { portal, clock, page, look }: Visit,
  how: Look,
  licenseId: string,
): Promise<void> => {
  const name = `Vendor ${how}`;
  const invited = await portal.context.vendorArea.accounts.create(name, 'test');
  if (invited.outcome !== 'invited') throw new Error(invited.reason);
  await page.goto(`${portal.url}/admin/sign-in`);
  await look('admin/sign-in');
  await type(page, 'name', name);
  await type(page, 'password', invited.initialPassword);
  await send(page, formWith('password'));
  await look('admin/enrol');
  const secret = ((await page.locator('.shown-once').first().textContent()) ?? '').replaceAll(' ', '');
  clock.pass(minuteMs);
  await type(page, 'password', `${name} has a long password`);
  await type(page, 'code', generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) }));
  await send(page, formWith('code'));
  await look('admin/recovery-codes');
  const { rows } = await portal.context.pool.query<{ tenant_id: string }>(
    'select tenant_id from licenses where id = $1',
    [licenseId],
  );
  const pages = {
    overview: '',
    licenses: '/licenses',
    'licenses-none': '/licenses?q=nothing',
    license: `/licenses/${licenseId}`,
    extend: `/licenses/${licenseId}/extend`,
    unbind: `/licenses/${licenseId}/unbind`,
    revoke: `/licenses/${licenseId}/revoke`,
    issue: '/licenses/new',
    customers: '/customers',
    customer: `/customers/${rows[0]?.tenant_id}`,
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
  for (const [picture, path] of Object.entries(pages)) {
    await page.goto(`${portal.url}/admin${path}`);
    await look(`admin/${picture}`);
  }
};
