import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { membersHttp } from '#contracts/people/members.ts';
import { rewardsHttp } from '#contracts/store/rewards.ts';
import { type ApiPanel, openApiPanel, type Person } from '#harness/api-panel.ts';
import { downloadedText, looks } from '#harness/browser.ts';
import { expectTidy, looksOfTier } from '#harness/every-look.ts';
import { settle } from '#harness/panel-pages.ts';
import { call } from '../../../server/kernel/testing/call.ts';
import { testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';

const resources = new AsyncDisposableStack();
const as = testDesktopCredential;
let panel: ApiPanel;
let owner: Person;
let memberId: string;

beforeAll(async () => {
  panel = resources.use(await openApiPanel());
  owner = await panel.newAdmin('Ada', 'owner');
  const { db } = panel.api.context.database;
  const { id } = await db
    .insertInto('players')
    .values({
      identity: 'steam:1',
      platform_id: 'steam:1',
      game: 'minecraft',
      name: 'Heron',
      name_key: 'heron',
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  const { json } = await call(panel.api.port, membersHttp.ofPlayer, { as, params: { id } });
  memberId = String(json.id);
});
afterAll(() => resources.disposeAsync());

const open = async (path: string, options: BrowserContextOptions = {}) => {
  const page = await panel.open(path, options);
  const [name, password] = options.locale === 'pt-BR' ? ['Nome', 'Senha'] : ['Name', 'Password'];
  await page.getByRole('textbox', { name: name ?? '', exact: true }).fill(owner.name);
  await page.getByRole('textbox', { name: password ?? '', exact: true }).fill(owner.password);
  await page.keyboard.press('Enter');
  return page;
};
const looksWell = async (page: Page, name: string) => {
  await settle(page);
  await expectTidy(page, `rewards-${name}`);
};
/** Creating points needs a step-up. */
const showPassword = async (page: Page) => {
  await page.getByRole('textbox', { name: 'Password' }).fill(owner.password);
  await page.keyboard.press('Enter');
};

// Guarantee: an owner creates a rule and codes on the page alone, and finds in a member's ledger what a code gave.
test('rules and codes', async () => {
  await using page = await open('/rewards');
  await page.getByText('No rules yet.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'New rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Playing');
  await dialog.getByLabel('Daily limit').fill('100');
  await looksWell(page, 'new-rule');
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await showPassword(page);
  await page
    .getByText('10 points for every 30 minutes online · up to 100 points per day · All servers')
    .waitFor();
  await page.getByRole('button', { name: 'Create codes' }).click();
  await dialog.getByLabel('Name').fill('Summer');
  await dialog.getByLabel('Number of codes').fill('3');
  await looksWell(page, 'new-codes');
  await dialog.getByRole('button', { name: 'Create 3 codes' }).click();
  await page.getByRole('region', { name: 'Summer' }).getByRole('button', { name: 'Show codes' }).click();
  const codes = page.getByRole('table', { name: 'Codes of Summer' }).getByRole('row');
  await codes.nth(3).waitFor();
  await looksWell(page, 'codes');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as CSV' }).click(),
  ]);
  const lines = (await downloadedText(download)).trim().split('\r\n');
  expect(lines).toHaveLength(4);
  const [code = ''] = lines[1]?.split(',') ?? [];
  const used = await call(panel.api.port, rewardsHttp.redeem, {
    as,
    params: { id: memberId },
    body: { code },
  });
  expect(used.status, used.text).toBe(200);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('region', { name: 'Summer' }).getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('region', { name: 'Summer' }).getByText('Off', { exact: true }).waitFor();
  await page.goto(`/#/members/${memberId}/points`);
  await page.getByText('Reward: code, Summer').waitFor();
});

// Guarantee: another admin's earlier change is shown next to the typed values, and nothing is lost.
test('a conflict', async () => {
  const { json } = await call(panel.api.port, rewardsHttp.createRule, {
    as,
    body: { name: 'Welcome', isEnabled: true, terms: { kind: 'first-visit', points: 50 } },
  });
  await using page = await open('/rewards');
  await page.getByRole('region', { name: 'Welcome' }).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Points' }).fill('60');
  await call(panel.api.port, rewardsHttp.changeRule, {
    as,
    params: { id: String(json.id) },
    body: { version: 1, name: 'Welcome', isEnabled: true, terms: { kind: 'first-visit', points: 70 } },
  });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await showPassword(page);
  await page.getByText('Another person changed this rule while you were editing').waitFor();
  await page.getByText('70 points for the first visit', { exact: false }).first().waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Points' }).inputValue()).toBe('60');
});

// Guarantee: it looks right in light and dark, on a desktop and on a phone, in both languages.
const asSeen = [
  ['light', looks.light],
  ['dark', looks.dark],
  ['phone', looks.phone],
  ['dark-pt', { ...looks.dark, locale: 'pt-BR' }],
] as const;
test.each(looksOfTier(asSeen))('its looks: %s', async (name, options) => {
  await using page = await open('/rewards', options);
  await page.getByText('Playing').first().waitFor();
  await page.getByText('Summer').first().waitFor();
  await looksWell(page, name);
});
