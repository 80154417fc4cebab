import { afterAll, beforeAll, expect, test } from 'vitest';
import { membersHttp } from '#contracts/people/members.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { entitlementsHttp } from '#contracts/store/entitlements.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { overflows } from '#harness/browser.ts';
import { eventually } from '#harness/eventually.ts';
import { expectAccessible } from '#harness/every-look.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { type MinecraftSimulator, startMinecraft } from '#simulators/minecraft-simulator.ts';

const patienceMs = 60_000;
let panel: TestPanel;
let game: MinecraftSimulator;

beforeAll(async () => {
  [panel, game] = await Promise.all([openTestPanel(), startMinecraft()]);
  game.world.join('Heron');
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'North' } });
  const { port, password } = game;
  const body = { clusterId, name: 'Harbour', game: 'minecraft' as const, host: '127.0.0.1', port, password };
  await panel.call(gameServersHttp.create, { body });
}, 180_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
  await game?.[Symbol.asyncDispose]();
});

// Guarantee: the editor alone creates a timed product, which is delivered, shown with its end on the member's page, and removed
// when an admin ends it there; if the removal's answer is lost, the desk says so, and a person sends it again. Axe finds nothing.
test('a whitelist entry for a time', { tags: ['night'], timeout: 180_000 }, async () => {
  const { id: memberId } = await eventually(async () => {
    const { rows } = await panel.call(membersHttp.search, { query: { text: 'Heron' } });
    const [found] = rows;
    if (!found) throw new Error('Heron is no member yet');
    return found;
  }, patienceMs);
  const page = await panel.page({ path: '/store' });
  await page.getByRole('button', { name: 'New product' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Guest list');
  await page.getByRole('textbox', { name: 'Price' }).fill('0');
  await page.getByRole('button', { name: 'Add whitelist entry' }).click();
  await page.getByRole('button', { name: 'Remove part 1' }).click();
  expect(await page.getByRole('textbox', { name: 'Command', exact: true }).inputValue()).toBe(
    'whitelist add {player}',
  );
  expect(await page.getByRole('textbox', { name: 'Shared name' }).inputValue()).toBe('whitelist');
  await page.getByLabel('Duration').fill('7');
  await page.getByRole('switch', { name: 'Buying again adds time' }).press('Space');
  await expectAccessible(page);
  expect(await overflows(page)).toBe(false);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Guest list' }).waitFor();
  const { rows } = await panel.call(storeHttp.products, {});
  expect(rows[0]?.lines).toMatchObject([
    { kind: 'command', lasts: { key: 'whitelist', seconds: 7 * 86_400, extends: false } },
  ]);

  await panel.call(ordersHttp.place, {
    body: { memberId, lines: [{ productId: rows[0]?.id ?? '', quantity: 1 }] },
  });
  await eventually(() => expect(game.world.whitelist).toContain('Heron'), patienceMs);
  await eventually(async () => {
    const { rows: lasting } = await panel.call(entitlementsHttp.ofMember, { params: { id: memberId } });
    expect(lasting).toMatchObject([{ key: 'whitelist', endedAt: null, places: [{ state: 'held' }] }]);
  }, patienceMs);

  const member = await panel.page({ path: `/members/${memberId}/lasting` });
  await member.getByText('Active on Harbour').waitFor();
  await expectAccessible(member);
  await member.getByRole('button', { name: 'End now: whitelist' }).press('Enter');
  const dialog = member.getByRole('dialog');
  await dialog.getByText('without a refund', { exact: false }).waitFor();
  await expectAccessible(member);
  game.quirks.fateOf = (command) => (command.includes('remove') ? 'silence' : 'answer');
  await dialog.getByRole('button', { name: 'End now' }).click();
  await member.getByText('Removal not confirmed on Harbour').waitFor({ timeout: patienceMs });
  await expectAccessible(member);
  const desk = await panel.page({ path: '/desk' });
  await desk.getByRole('alert').getByRole('link', { name: 'Heron' }).waitFor();
  await expectAccessible(desk);
  await desk.close();
  game.quirks.fateOf = () => 'answer';
  await member.getByRole('button', { name: 'Send again' }).click();
  await member.getByText('Removed on Harbour', { exact: true }).waitFor({ timeout: patienceMs });
  await member.getByText('Confirmed by the game').waitFor();
  expect(await member.getByRole('button', { name: 'Mark as removed' }).count()).toBe(0);
  expect(game.world.whitelist).not.toContain('Heron');
  await expectAccessible(member);
  await member.close();
  await page.close();
});

// Guarantee: the owner is warned if a whitelist would shut out everyone else, or is not used at all.
test.each([
  ['7 Days to Die', 'no one else can join'],
  ['ARK: Survival Ascended', '-exclusivejoin'],
])(
  'a whitelist entry of %s',
  async (name, warning) => {
    const page = await panel.page({ path: '/store' });
    await page.getByRole('button', { name: 'New product' }).first().click();
    await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption({ label: name });
    await page.getByRole('button', { name: 'Add whitelist entry' }).click();
    await page.getByText(warning, { exact: false }).waitFor();
    await expectAccessible(page);
    await page.close();
  },
  60_000,
);
