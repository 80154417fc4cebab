import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playersHttp } from '#contracts/people/players.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { chatTrustHttp } from '#contracts/storefronts/chat-trust.ts';
import { eventually } from '#harness/eventually.ts';
import { expectAccessible } from '#harness/every-look.ts';
import { goTo } from '#harness/panel-pages.ts';
import { shot } from '#harness/power-panel.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { type SevenDaysSimulator, startSevenDays } from '#simulators/seven-days-simulator.ts';

let panel: TestPanel;
let game: SevenDaysSimulator;
let serverId: string;

beforeAll(async () => {
  [panel, game] = await Promise.all([openTestPanel(), startSevenDays()]);
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Chat' } });
  const { port, password } = game;
  const body = {
    clusterId,
    name: 'Marsh',
    game: 'seven-days-to-die',
    host: '127.0.0.1',
    port,
    password,
  } as const;
  ({ id: serverId } = await panel.call(gameServersHttp.create, { body }));
}, 180_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
  await game?.[Symbol.asyncDispose]();
});

const trust = async () => {
  const { rows } = await panel.call(chatTrustHttp.list, {});
  return rows.find((row) => row.serverId === serverId);
};
/** Confirms a question of the panel. */
const confirm = async (page: Page, act: string) => {
  await shot(page, `confirm-${act}`);
  await page.getByRole('dialog').getByRole('button', { name: act, exact: true }).click();
};

// Guarantee: an owner trusts a server and stops it, confirms a newcomer who asks for it, and is told when a change has
// ended the trust; each step says what it means.
test('trust, a newcomer, and what ended it', async () => {
  game.world.join('Nina');
  const nina = await eventually(async () => {
    const [found] = (await panel.call(playersHttp.search, { query: { text: 'Nina' } })).rows;
    if (!found) throw new Error('Nina is not seen yet');
    return found;
  }, 60_000);

  const page = await panel.page({ path: `/servers/${serverId}/settings` });
  const card = page.getByRole('region', { name: 'Buying and linking by chat' });
  await card.getByText('Not trusted').waitFor();
  await card.getByRole('button', { name: 'Trust this server' }).click();
  await confirm(page, 'Trust this server');
  await card.getByText('Trusted: players can spend').waitFor();
  await shot(page, 'trusted');
  expect(await trust()).toMatchObject({ isTrusted: true, endedBy: null });

  await goTo(page, `/players/${nina.id}`);
  const newcomer = page.getByRole('region', { name: 'Buying and linking by chat' });
  await newcomer.getByText('Marsh').waitFor();
  await expectAccessible(page);
  await shot(page, 'newcomer');
  await newcomer.getByRole('button', { name: 'Confirm on' }).click();
  await confirm(page, 'Confirm');
  await newcomer.waitFor({ state: 'hidden' });
  const params = { id: nina.id };
  expect((await panel.call(chatTrustHttp.newcomers, { params })).rows).toEqual([]);

  const { version } = await panel.call(gameServersHttp.read, { params: { id: serverId } });
  const moved = { version, host: '127.0.0.2', password: game.password };
  await panel.call(gameServersHttp.change, { params: { id: serverId }, body: moved });
  await goTo(page, '/servers');
  const notice = page.getByRole('alert').filter({ hasText: 'Check which servers you trust' });
  await notice.getByText('because the host or port changed').waitFor();
  await expectAccessible(page);
  await shot(page, 'trust-notice');
  await notice.getByRole('link', { name: 'Marsh' }).click();
  await card.getByText('The trust ended because the host or port changed.').waitFor();
  await page.close();
});
