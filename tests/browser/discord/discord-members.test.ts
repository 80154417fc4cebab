import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { discordGuildBotHttp, type MemberChange } from '#contracts/discord/discord-guild.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { type ApiPanel, openApiPanel, type Person } from '#harness/api-panel.ts';
import { looks } from '#harness/browser.ts';
import { expectTidy, looksOfTier } from '#harness/every-look.ts';
import { settle } from '#harness/panel-pages.ts';
import { call } from '../../../server/kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';

const resources = new AsyncDisposableStack();
let panel: ApiPanel;
let owner: Person;

const idOf = (number: number) => String(600_000_000_000_000_000n + BigInt(number));
const there = (number: number, name: string, isBot = false): MemberChange => ({
  kind: 'there',
  member: { id: idOf(number), name, username: '', roleIds: [], isBot, joinedAt: '2026-01-02T03:04:05.000Z' },
});
const report = async (number: number, changes: MemberChange[]) => {
  const answer = await call(panel.api.port, discordGuildBotHttp.reportMembers, {
    as: testBotSecret,
    body: { guildId: '222222222222222222', run: 'run', number, changes, endsList: number === 0 },
  });
  expect(answer.status, answer.text).toBe(200);
};

beforeAll(async () => {
  panel = resources.use(await openApiPanel());
  owner = await panel.newAdmin('Ada', 'owner');
  await report(0, [
    there(1, 'Gilda'),
    there(2, 'Otto Long-Name of the Northern Keep'),
    there(3, 'Helper', true),
  ]);
  const { db } = panel.api.context.database;
  for (const [name, discordId] of [
    ['Heron', idOf(2)],
    ['Wren', null],
  ] as const) {
    const player = { identity: `steam:${name}`, platform_id: `steam:${name}`, game: 'minecraft' as const };
    const { id } = await db
      .insertInto('players')
      .values({ ...player, name, name_key: name.toLowerCase() } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    if (discordId === null) continue;
    const kept = await db
      .selectFrom('members')
      .select('id')
      .where('discord_id', '=', discordId)
      .executeTakeFirstOrThrow();
    const { member_id: mergedId } = await db
      .selectFrom('players')
      .select('member_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const merged = await call(panel.api.port, membersHttp.merge, {
      as: testDesktopCredential,
      params: { id: kept.id },
      body: { mergedId },
    });
    expect(merged.status, merged.text).toBe(200);
  }
  await report(1, [{ kind: 'left', id: idOf(2) }]);
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
  await expectTidy(page, `discord-members-${name}`);
};

// Guarantee: people of the Discord server are members in the list, distinct from players and from people who have left.
test('the list', async () => {
  await using page = await open('/members');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('Gilda').waitFor();
  await row('Wren').waitFor();
  await row('Heron').waitFor();
  expect(await row('Heron').textContent()).toContain('Left · Otto Long-Name of the Northern Keep');
  expect(await row('Helper').count()).toBe(0);
  await page.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: 'On the Discord server' }).click();
  await row('Wren').waitFor({ state: 'hidden' });
  expect(page.url()).toContain('group=in-discord');
  await row('Gilda').waitFor();
  expect(await row('Heron').count()).toBe(0);
  await row('Gilda').click();
  await page.getByText(`Discord id ${idOf(1)}`).waitFor();
  await looksWell(page, 'member');
});

// Guarantee: it looks right in light and dark, on a desktop and on a phone, in both languages.
const asSeen = [
  ['light', looks.light],
  ['dark', looks.dark],
  ['phone', looks.phone],
  ['dark-pt', { ...looks.dark, locale: 'pt-BR' }],
] as const;
test.each(looksOfTier(asSeen))('its looks: %s', async (name, options) => {
  await using page = await open('/members', options);
  await page.getByText('Gilda').first().waitFor();
  await looksWell(page, `list-${name}`);
  await page.getByText('Heron').first().click();
  await page.getByText(idOf(2)).waitFor();
  await looksWell(page, `left-${name}`);
});
