import { afterAll, beforeAll, expect, test } from 'vitest';
import { bansHttp } from '#contracts/people/bans.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { eventually } from '#harness/eventually.ts';
import { expectEveryLook, prepareLooks } from '#harness/every-look.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { type ArkSimulator, startArk } from '#simulators/ark-simulator.ts';
import { startMinecraft } from '#simulators/minecraft-simulator.ts';
import { startSevenDays } from '#simulators/seven-days-simulator.ts';
import type { Simulator } from '#simulators/simulator.ts';

const patienceMs = 60_000;
const arabic = 'مرحبا بالعالم';
const html = '<img src=x onerror="window.wasRun=1">';

let panel: TestPanel;
let marsh: ArkSimulator;
let ridge: ArkSimulator;
let quarry: Simulator;
const ids = new Map<string, string>();

const idOf = (name: string) => {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`${name} was not seen`);
  return id;
};
const eosOf = (name: string) => marsh.world.players.find((player) => player.name === name)?.platformId;
const onlyBan = async (name: string) => {
  const { rows } = await panel.call(bansHttp.list, { query: { playerId: idOf(name) } });
  const [first] = rows;
  if (!first) throw new Error(`${name} is not banned`);
  return first;
};

beforeAll(async () => {
  [panel, marsh, ridge, quarry] = await Promise.all([
    openTestPanel(),
    startArk(),
    startArk(),
    startMinecraft(),
  ]);
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Bans' } });
  const servers: readonly [string, Simulator][] = [
    ['Marsh', marsh],
    ['Ridge', ridge],
    ['Quarry', quarry],
  ];
  for (const name of ['Heron', 'Otter', html, arabic, 'x'.repeat(60)]) marsh.world.join(name);
  for (const [name, { game, port, password }] of servers) {
    const body = { clusterId, name, game, host: '127.0.0.1', port, password };
    const { id } = await panel.call(gameServersHttp.create, { body });
    ids.set(name, id);
  }
  await eventually(async () => {
    const { rows } = await panel.call(playersHttp.search, { query: {} });
    expect(rows).toHaveLength(5);
    for (const { id, name } of rows) ids.set(name, id);
  }, patienceMs);
}, 180_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
  for (const game of [marsh, ridge, quarry]) await game?.[Symbol.asyncDispose]();
});

// Guarantee: a ban applies to all servers of the player's game by default, offers no other game's servers, reaches a server that
// was offline once it is back, and is lifted and restored in one click each.
test('the way of a ban', async () => {
  const eos = eosOf('Heron') ?? '';
  await ridge.goOffline();
  const page = await panel.page({ path: `/players/${idOf('Heron')}/bans` });
  await prepareLooks(page);
  await page.getByRole('region', { name: 'Bans' }).getByText('This player has no bans.').waitFor();
  await page.getByRole('button', { name: 'Moderate' }).click();
  await page.getByRole('menuitem', { name: 'Ban', exact: true }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('radio', { name: /^All ARK.* servers/ }).isChecked()).toBe(true);
  await dialog.getByText('Selected servers').click();
  await dialog.getByRole('checkbox', { name: 'Ridge' }).waitFor();
  expect(await dialog.getByRole('checkbox', { name: 'Quarry' }).count()).toBe(0);
  await dialog.getByRole('combobox', { name: 'Ends' }).click();
  await page.getByRole('option', { name: 'At a specific time' }).click();
  await dialog.getByLabel('End of the ban').fill('2020-01-01T00:00');
  await dialog.getByText('Choose a time in the future.').waitFor();
  await expectEveryLook(page, 'ban-dialog');
  await dialog.getByRole('combobox', { name: 'Ends' }).click();
  await page.getByRole('option', { name: 'In 7 days' }).click();
  await dialog.getByRole('radio', { name: /^All ARK.* servers/ }).check();
  await dialog.getByLabel('Reason').fill('Griefing at the spawn');
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const card = page.getByRole('region', { name: 'Bans' });
  await card.getByText('Griefing at the spawn').waitFor();
  await card.getByText(/In force on \d of 2/).waitFor();
  await eventually(() => expect(marsh.world.bans.has(eos)).toBe(true), patienceMs);
  expect(ridge.world.bans.has(eos)).toBe(false);
  await card.getByText('In force on 1 of 2').waitFor({ timeout: patienceMs });
  await expectEveryLook(page, 'ban-player');

  await card.getByText('Griefing at the spawn').click();
  const servers = page.getByRole('region', { name: 'Servers' });
  await servers.getByText('Waiting for the server').waitFor();
  await servers.getByText(`${eos} Banned`).waitFor();
  await ridge.comeBack();
  await eventually(() => expect(ridge.world.bans.has(eos)).toBe(true), patienceMs);
  await page.getByText('In force on 2 of 2').waitFor({ timeout: patienceMs });
  await expectEveryLook(page, 'ban-page');

  await page.getByRole('button', { name: 'Unban' }).click();
  await dialog.getByRole('button', { name: 'Unban' }).click();
  // The notification stays while the pointer is on it.
  await page.getByText(/Heron.* is unbanned\.$/).hover();
  await eventually(
    () => expect([marsh.world.bans.has(eos), ridge.world.bans.has(eos)]).toEqual([false, false]),
    patienceMs,
  );
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(/Heron.* is banned again\.$/).waitFor();
  await eventually(() => expect(marsh.world.bans.has(eos)).toBe(true), patienceMs);
  expect(quarry.world.received.filter((line) => line.startsWith('ban'))).toEqual([]);
  await page.close();
}, 240_000);

// Guarantee: on the page of a player who is on a server of another game, a ban applies to the game of that server.
test('a player of two games', async () => {
  const { platformId } = marsh.world.join('Crane');
  const seen = () =>
    eventually(async () => {
      const { rows } = await panel.call(playersHttp.search, { query: { text: 'Crane' } });
      expect(rows).toHaveLength(1);
      ids.set('Crane', rows[0]?.id ?? '');
    }, patienceMs);
  await seen();
  marsh.world.leave('Crane');
  await using dunes = await startSevenDays();
  dunes.world.join('Crane', { platformId: `EOS_${platformId}`, crossId: `EOS_${platformId}` });
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Dunes' } });
  const { port, password } = dunes;
  const server = { clusterId, name: 'Dunes', game: 'seven-days-to-die', host: '127.0.0.1' } as const;
  const { id: serverId } = await panel.call(gameServersHttp.create, { body: { ...server, port, password } });
  await eventually(async () => {
    const { rows } = await panel.call(playersHttp.online, { query: { serverId } });
    expect(rows[0]?.players?.map(({ playerId }) => playerId)).toEqual([idOf('Crane')]);
  }, patienceMs);
  const page = await panel.page({ path: `/players/${idOf('Crane')}` });
  await page
    .getByRole('status')
    .getByText(/^(On|Just joined) .*Dunes/)
    .waitFor();
  await page.getByRole('button', { name: 'Moderate' }).click();
  await page.getByRole('menuitem', { name: 'Ban', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'All 7 Days to Die servers' }).waitFor();
  await dialog.getByText('Selected servers').click();
  expect(await dialog.getByRole('checkbox').count()).toBe(1);
  expect(await dialog.getByRole('checkbox', { name: 'Dunes' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await eventually(() => expect(dunes.world.bans.has(`EOS_${platformId}`)).toBe(true), patienceMs);
  expect(marsh.world.bans.has(platformId)).toBe(false);
  await page.close();
}, 240_000);

// Guarantee: the list shows who, why, by whom and how far, for any player name; it can be searched and filtered, and it unbans.
test('the list', { tags: ['night'], timeout: 240_000 }, async () => {
  const wanted = { servers: 'all', until: null } as const;
  for (const name of [html, arabic, 'x'.repeat(60)])
    await panel.call(bansHttp.give, {
      params: { id: idOf(name) },
      body: { ...wanted, reason: name === arabic ? arabic : 'y'.repeat(300) },
    });
  await panel.call(bansHttp.give, { params: { id: idOf('Otter') }, body: { ...wanted, reason: 'Spam' } });
  const page = await panel.page({ path: '/bans' });
  await prepareLooks(page);
  const list = page.getByRole('grid');
  for (const name of ['Heron', 'Otter', html, arabic])
    await list.getByText(name, { exact: true }).first().waitFor();
  expect(await page.evaluate('window.wasRun')).toBeUndefined();
  await expectEveryLook(page, 'bans');
  await page.getByRole('searchbox').fill('spam');
  await list.getByText('Heron', { exact: true }).waitFor({ state: 'detached' });
  await list.getByRole('button', { name: /^Unban .*Otter/ }).click();
  const dialog = page.getByRole('dialog');
  await expectEveryLook(page, 'unban');
  await dialog.getByRole('button', { name: 'Unban' }).click();
  await dialog.waitFor({ state: 'detached' });
  await eventually(async () => expect((await onlyBan('Otter')).endedHow).toBe('lifted'), patienceMs);
  await list.getByText(/Unbanned by/).waitFor();
  await page.close();
  const ended = await panel.page({ path: '/bans?state=ended' });
  await ended.getByRole('grid').getByText('Otter', { exact: true }).waitFor();
  expect(await ended.getByRole('grid').getByText('Heron', { exact: true }).count()).toBe(0);
  await ended.close();
});

// Guarantee: a viewer sees bans and no way to change one; an address without a ban says so.
test('a viewer, and no ban', { tags: ['night'], timeout: 120_000 }, async () => {
  const viewer = await panel.newAdmin({ role: 'viewer' });
  const { id } = await onlyBan('Heron');
  const page = await panel.page({ as: viewer, path: `/bans/${id}` });
  await page.getByRole('heading', { level: 1, name: 'Heron' }).waitFor();
  await page.getByRole('region', { name: 'Servers' }).getByText('Marsh').waitFor();
  expect(await page.getByRole('button', { name: /Unban|Send again|Ban again/ }).count()).toBe(0);
  await page.close();
  const none = await panel.page({ path: '/bans/99999' });
  await none.getByText('Ban not found').waitFor();
  await none.close();
});

test('no page has failed', () => expect(panel.faults()).toEqual([]));
