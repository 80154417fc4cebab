import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LicenseFault, LicenseStatus } from '#contracts/license/license-state.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { type ApiPanel, openApiPanel, typeSignIn } from '#harness/api-panel.ts';
import { expectEveryLook, prepareLooks } from '#harness/every-look.ts';
import { call } from '../../../server/kernel/testing/call.ts';
import { testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';

const hourMs = 3_600_000;
const customerAreaUrl = 'https://licenses.example/account';

let panel: ApiPanel;
let page: Page & AsyncDisposable;

beforeAll(async () => {
  panel = await openApiPanel();
  const owner = await panel.newAdmin('keeper', 'owner');
  await call(panel.api.port, clustersHttp.create, {
    as: testDesktopCredential,
    body: { name: 'Fjords', description: '' },
  });
  panel.api.license.set('valid', undefined, held());
  page = await panel.open('/license');
  await typeSignIn(page, owner);
  await page.getByRole('heading', { level: 1, name: 'License' }).waitFor();
  await prepareLooks(page);
}, 240_000);
afterAll(async () => {
  await page?.[Symbol.asyncDispose]();
  await panel?.[Symbol.asyncDispose]();
});

const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

/** A license that was confirmed two hours ago. */
const held = (more: Partial<LicenseStatus> = {}): Partial<LicenseStatus> => ({
  detail: 'Confirmed.',
  licenseId: 'clrzyxlz7jjsj1rbowxux4ioc',
  tier: 'community',
  maxClusters: 3,
  issuedAt: inHours(-2),
  expiresAt: inHours(22),
  graceEndsAt: inHours(22 + 7 * 24),
  endsAt: '2031-05-04T10:00:00.000Z',
  customerAreaUrl,
  lastCheck: { at: inHours(-2), outcome: 'confirmed', detail: null },
  nextCheckAt: inHours(21),
  clock: { local: inHours(0), known: inHours(0) },
  ...more,
});
const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const fact = (label: string) =>
  page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd').first();
const unanswered = { at: inHours(0), outcome: 'unreachable', detail: 'The connection was refused.' } as const;

// Guarantee: for a valid license the page first says so, then when it ends, when it was and will be checked, and how much is used.
test('active', async () => {
  await page.getByRole('status').getByText('License active').waitFor();
  await says(/^Verified until /);
  await expect.poll(() => fact('Clusters').textContent()).toBe('1 of 3 in use');
  expect(await fact('Ends').textContent()).toMatch(/2031/);
  expect(await fact('Plan').textContent()).toBe('community');
  expect(await fact('Last check').textContent()).toContain('Confirmed');
  expect(await page.getByRole('link', { name: 'Open the customer area' }).getAttribute('href')).toBe(
    customerAreaUrl,
  );
  await expectEveryLook(page, 'license-active');
});

// Guarantee: the page does not invent an end that the portal has not reported, and distinguishes it from a license without an end.
test('the end of a license', async () => {
  const { endsAt: _, ...untold } = held();
  panel.api.license.set('valid', undefined, untold);
  await expect
    .poll(() => fact('Ends').textContent(), { timeout: 20_000 })
    .toBe('Not reported by the portal yet');
  panel.api.license.set('valid', undefined, held({ endsAt: null }));
  await expect.poll(() => fact('Ends').textContent(), { timeout: 20_000 }).toBe('Never');
});

// Guarantee: in the grace period, the page says how long the license still works, why, and what to do.
test('in grace', async () => {
  panel.api.license.set('grace', undefined, held({ lastCheck: unanswered }));
  await says('License not confirmed: the portal does not answer');
  await says(/^Check that this machine is on the internet/);
  expect(await page.getByRole('timer').textContent()).toMatch(/\d/);
  await expectEveryLook(page, 'license-grace');
  const clock = { local: inHours(-1), known: inHours(0) };
  panel.api.license.set('grace', undefined, held({ issuedAt: inHours(0), clock }));
  await says('License not confirmed: the clock is wrong');
  await says('Latest time known from the portal');
  await expectEveryLook(page, 'license-clock');
});

const refusals: readonly (readonly [LicenseFault, string, RegExp])[] = [
  ['EXPIRED', 'License expired', /^Renew the license/],
  ['SUSPENDED', 'License suspended', /^Contact the vendor/],
  ['REVOKED', 'License revoked', /^Buy a new license/],
  ['HWID_MISMATCH', 'License bound to another machine', /^Transfer the license/],
  ['LICENSE_REQUIRED', 'No license activated', /^Activate one/],
  ['LICENSE_GRACE_ENDED', 'Grace period over', /^Restore the connection/],
  ['CLOCK_ROLLED_BACK', 'Clock is behind', /^Set the clock\./],
  ['CLOCK_AHEAD', 'Clock seems to be ahead', /^Set the clock\. If it is right/],
];

// Guarantee: the reason that closes the panel is in its title, with the remedy; the vendor's own words are shown unchanged.
test.each(refusals)('%s', async (code, title, remedy) => {
  const state = code === 'LICENSE_REQUIRED' ? 'unlicensed' : 'rejected';
  const detail = code === 'SUSPENDED' ? 'Your payment of May is open. <b>Write to us.</b>' : '';
  panel.api.license.set(state, code, { ...held(), detail });
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await says(remedy);
  if (detail) await says(detail);
  panel.api.license.set('valid', undefined, held());
  await page.getByRole('heading', { level: 1, name: title }).waitFor({ state: 'detached' });
});

// Guarantee: the button asks the portal, says what it answered, and names no activation for a license that needs none.
test('check now', async () => {
  const lastCheck = { at: inHours(-1), outcome: 'refused', detail: null } as const;
  panel.api.license.set('rejected', 'SUSPENDED', held({ lastCheck }));
  await says(/^Last check: .*The license portal refused the license\./);
  expect(await page.getByText('castellan license activate').count()).toBe(0);
  await expectEveryLook(page, 'license-suspended');
  panel.api.license.answerNext(() =>
    panel.api.license.set('rejected', 'EXPIRED', held({ lastCheck: unanswered })),
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Check now' }).click();
  await says(/^Last check: .*The license portal did not answer\./);
  const area = page.getByRole('dialog').getByRole('link');
  expect(await area.getAttribute('href')).toBe(customerAreaUrl);
  await page.getByRole('dialog').getByRole('button', { name: 'Check now' }).click();
  await says(/There is no newer answer yet/);
  panel.api.license.set('valid', undefined, held());
  await area.waitFor({ state: 'detached' });
});
