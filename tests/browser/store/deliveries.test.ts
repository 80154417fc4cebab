import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queuesHttp } from '#contracts/operations/queues.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import type { ProductLine } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { overflows } from '#harness/browser.ts';
import { eventually } from '#harness/eventually.ts';
import { expectAccessible, looksOfTier } from '#harness/every-look.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { type ArkSimulator, startArk } from '#simulators/ark-simulator.ts';
import { type MinecraftSimulator, startMinecraft } from '#simulators/minecraft-simulator.ts';
import { type SevenDaysSimulator, startSevenDays } from '#simulators/seven-days-simulator.ts';

const patienceMs = 120_000;
const html = '<b>Bread</b>';
const bread = { kind: 'item', item: 'minecraft:bread', quantity: 3 } as const;
/** A command that the game cannot settle once its answer is lost. */
const lost = { kind: 'command', command: 'say lost {orderId}', needsPlayer: false } as const;

let panel: TestPanel;
let minecraft: MinecraftSimulator;
let ark: ArkSimulator;
let sevenDays: SevenDaysSimulator;
let products: { bread: string; lost: string; dino: string; wood: string };
let arkServerId: string;

const product = async (
  name: string,
  game: GameId,
  line: (typeof bread | typeof lost) | { kind: 'item'; item: string; quantity: number },
) => {
  const body = { name, game, price: 10, lines: [line as ProductLine], isEnabled: true };
  return (await panel.call(storeHttp.create, { body })).id;
};
/** The member, once the API has seen the player. */
const member = (name: string) =>
  eventually(async () => {
    const { rows } = await panel.call(membersHttp.search, { query: { text: name } });
    const found = rows.find((row) => row.name === name);
    if (!found) throw new Error(`${name} was not seen`);
    return found;
  }, patienceMs);
const balanceOf = async (name: string) => (await member(name)).balance;
const order = async (name: string, productId: string, isTest = false) => {
  const { id: memberId } = await member(name);
  const body = { memberId, lines: [{ productId, quantity: 1 }], isTest };
  const { deliveries } = await panel.call(ordersHttp.place, { body });
  const id = deliveries[0]?.id;
  if (!id) throw new Error('the order has no delivery');
  return id;
};
const delivery = (id: string) => panel.call(deliveriesHttp.read, { params: { id } });
const becomes = (id: string, facts: Record<string, unknown>) =>
  eventually(async () => expect(await delivery(id)).toMatchObject(facts), patienceMs);
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
/** Waits until the API knows it, too: a delivery to a player who only seems to be online would be in vain. */
const leave = async (name: string) => {
  minecraft.world.leave(name);
  await eventually(async () => {
    const { rows } = await panel.call(playersHttp.search, { query: { text: name } });
    expect(rows.find((player) => player.name === name)).toMatchObject({ onlineOn: null });
  }, patienceMs);
};
/** Makes a delivery with an unknown outcome. */
const unknownOf = async (name: string) => {
  minecraft.quirks.fateOf = (command) => (command.startsWith('say lost') ? 'die-after' : 'answer');
  const id = await order(name, products.lost);
  await becomes(id, { state: 'unknown', deskReason: 'unknown' });
  minecraft.quirks.fateOf = () => 'answer';
  return id;
};

beforeAll(async () => {
  [panel, minecraft, ark, sevenDays] = await Promise.all([
    openTestPanel(),
    startMinecraft(),
    startArk(),
    startSevenDays(),
  ]);
  for (const name of ['Alex', 'Steve', 'Robin']) minecraft.world.join(name);
  ark.world.join('Rex');
  sevenDays.world.join('Zed');
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'North' } });
  const add = async (name: string, game: GameId, { port, password }: { port: number; password: string }) =>
    (
      await panel.call(gameServersHttp.create, {
        body: { clusterId, name, game, host: '127.0.0.1', port, password },
      })
    ).id;
  await add('Harbour', 'minecraft', minecraft);
  arkServerId = await add('Marsh', 'ark-asa', ark);
  await add('Navezgane', 'seven-days-to-die', sevenDays);
  for (const name of ['Alex', 'Steve', 'Robin', 'Rex', 'Zed']) {
    const { id } = await member(name);
    await panel.call(membersHttp.grant, { params: { id }, body: { kind: 'grant', points: 100 } });
  }
  products = {
    bread: await product(html, 'minecraft', bread),
    lost: await product('Greeting', 'minecraft', lost),
    dino: await product('Saddle', 'ark-asa', {
      kind: 'item',
      item: "Blueprint'/Game/Saddle.Saddle'",
      quantity: 1,
    }),
    wood: await product('Wood', 'seven-days-to-die', { kind: 'item', item: 'resourceWood', quantity: 50 }),
  };
}, 240_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
  await minecraft?.[Symbol.asyncDispose]();
  await ark?.[Symbol.asyncDispose]();
  await sevenDays?.[Symbol.asyncDispose]();
});

/** axe finds nothing, and nothing is wider than the window. */
const isSound = async (page: Page) => {
  await expectAccessible(page);
  expect(await overflows(page)).toBe(false);
};

// Guarantee: an owner sees in plain words why a delivery has not arrived, and sees it arrive without reloading.
test('a delivery waits for its player, and arrives', async () => {
  await leave('Alex');
  const id = await order('Alex', products.bread);
  await becomes(id, { state: 'waiting', waitsFor: 'player' });
  const page = await panel.page({ path: '/deliveries' });
  await row(page, 'Waiting for Alex to join').getByText(html).click();
  await page.getByRole('heading', { level: 1, name: html }).waitFor();
  await page.getByText('Sent as soon as the player joins a server').waitFor();
  await page.getByText('Not sent yet.').waitFor();
  await isSound(page);
  minecraft.world.join('Alex');
  await page.getByText('Confirmed by the game’s reply.').waitFor({ timeout: patienceMs });
  await page.getByText('Attempt 1').waitFor();
  await page.getByText('minecraft:bread').last().waitFor();
  expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  await isSound(page);
  expect(minecraft.world.given.filter(({ player }) => player === 'Alex')).toHaveLength(1);
  await page.close();
});

// Guarantee: cancelling asks first, says how many points are refunded, and refunds them once.
test('a delivery is cancelled with its points', async () => {
  await leave('Robin');
  const before = await balanceOf('Robin');
  const id = await order('Robin', products.bread);
  await becomes(id, { state: 'waiting' });
  expect(await balanceOf('Robin')).toBe(before - 10);
  const page = await panel.page({ path: `/deliveries/${id}` });
  await page.getByRole('button', { name: 'Cancel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('the payer gets 10 points back').waitFor();
  await dialog.getByRole('button', { name: 'Cancel delivery' }).click();
  await page.getByText('Refunded', { exact: true }).first().waitFor();
  expect(await delivery(id)).toMatchObject({ state: 'cancelled' });
  expect(await balanceOf('Robin')).toBe(before);
  minecraft.world.join('Robin');
  await page.close();
});

// Guarantee: the list can be filtered by state, and its address keeps the filter.
test('deliveries by state', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/deliveries?state=cancelled' });
  await row(page, 'Cancelled').waitFor();
  expect(await row(page, 'Delivered').count()).toBe(0);
  await page.close();
});

// Guarantee: a person decides about a delivery with an unknown outcome and sees everything that is known; nothing is sent or
// refunded before that.
test('the desk shows what is known and takes a decision', { tags: ['night'] }, async () => {
  const before = await balanceOf('Steve');
  const onlooker = await panel.page({ path: '/orders' });
  const atDesk = onlooker.getByRole('navigation').getByRole('link', { name: /^Desk/ });
  await atDesk.waitFor();
  expect(await atDesk.textContent()).toBe('Desk');
  const id = await unknownOf('Steve');
  await onlooker.getByRole('link', { name: 'Desk (1 thing waits for you)' }).waitFor();
  await row(onlooker, 'Greeting').getByText('Needs a decision').waitFor();
  const sent = minecraft.world.commands.filter((command) => command.startsWith('say lost')).length;
  const page = await panel.page({ path: '/desk' });
  await row(page, 'Steve').getByText('Greeting').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Sent, but nothing proves that it arrived.').waitFor();
  await drawer.getByText('say lost').first().waitFor();
  await drawer.getByText('Connection lost').waitFor();
  await drawer.getByText('Not supported by this game').waitFor();
  await isSound(page);
  await drawer.getByRole('button', { name: 'Mark as delivered' }).click();
  await page
    .getByRole('dialog', { name: 'Mark 1 delivery as delivered?' })
    .getByRole('button', { name: 'Mark as delivered' })
    .click();
  await page.getByText('Nothing to decide').waitFor();
  expect(await delivery(id)).toMatchObject({ state: 'delivered', certainty: 'decided', refundedAt: null });
  await row(onlooker, 'Greeting').getByText('Delivered').waitFor();
  await expect.poll(() => atDesk.textContent()).toBe('Desk');
  await onlooker.close();
  expect(await balanceOf('Steve')).toBe(before - 10);
  expect(minecraft.world.commands.filter((command) => command.startsWith('say lost'))).toHaveLength(sent);
  await page.close();
});

// Guarantee: the game's log line that shows the command ran is next to the lost answer, with what it proves, in both languages.
test('the desk shows the log of the game', { tags: ['night'] }, async () => {
  sevenDays.quirks.fateOf = (command) => (command.startsWith('give') ? 'cut' : 'answer');
  const id = await order('Zed', products.wood);
  await becomes(id, { state: 'unknown', deskReason: 'unknown' });
  sevenDays.quirks.fateOf = () => 'answer';
  for (const [locale, look, label, note] of looksOfTier([
    ['en-US', 'light', 'Game log', 'This alone does not prove delivery.'],
    ['pt-BR', 'dark', 'Log do jogo', 'Só isso não prova a entrega.'],
  ] as const)) {
    const page = await panel.page({ path: '/desk', locale, look });
    await row(page, 'Zed').getByText('Wood').click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText(label, { exact: true }).first().waitFor();
    await drawer
      .getByText(/INF Executing command 'give \S+ resourceWood 50' by Telnet from/)
      .first()
      .waitFor();
    await drawer.getByText(note).first().waitFor();
    await isSound(page);
    await page.close();
  }
  await panel.call(deliveriesHttp.decide, { body: { ids: [id], decision: 'delivered' } });
});

// Guarantee: many are decided together, each exactly once, and one that was decided elsewhere in between is reported.
test('many are refunded at once', { tags: ['night'] }, async () => {
  const before = await balanceOf('Steve');
  const ids = [await unknownOf('Steve'), await unknownOf('Steve'), await unknownOf('Steve')];
  const page = await panel.page({ path: '/desk' });
  await row(page, 'Greeting').nth(2).waitFor();
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Refund 3' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('gets 30 points back').waitFor();
  const [first = ''] = ids;
  await panel.call(deliveriesHttp.decide, { body: { ids: [first], decision: 'delivered' } });
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await dialog.getByText('1 delivery could not be resolved').waitFor();
  await dialog.getByText('2 deliveries resolved.').waitFor();
  await isSound(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('Nothing to decide').waitFor();
  expect(await balanceOf('Steve')).toBe(before - 10);
  await page.close();
});

// Guarantee: a rule decides about later deliveries at the desk, until it is removed.
test('a rule decides without a person', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/desk' });
  await page.getByRole('link', { name: 'Rules' }).click();
  await page.getByText('No rules yet').waitFor();
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Product' }).click();
  await page.getByRole('option', { name: 'Greeting' }).click();
  await isSound(page);
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await page.getByText('All servers: Greeting').waitFor();
  await isSound(page);
  minecraft.quirks.fateOf = (command) => (command.startsWith('say lost') ? 'die-after' : 'answer');
  const id = await order('Alex', products.lost);
  await becomes(id, { state: 'cancelled', refundedAt: expect.any(String), deskReason: null });
  minecraft.quirks.fateOf = () => 'answer';
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No rules yet').waitFor();
  await page.close();
});

// Guarantee: a survivor number can be entered at the delivery that waits for it, which then continues.
test('a survivor number is entered', { tags: ['night'] }, async () => {
  const id = await order('Rex', products.dino, true);
  await becomes(id, { state: 'waiting', waitsFor: 'survivor-number' });
  const page = await panel.page({ path: `/deliveries/${id}` });
  await page.getByRole('button', { name: 'Enter survivor number' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Server' }).waitFor();
  expect(await dialog.getByRole('combobox', { name: 'Server' }).inputValue()).toBe('Marsh');
  await dialog.getByLabel('Number on the implant').fill('100000001');
  await isSound(page);
  await dialog.getByRole('button', { name: 'Save number' }).click();
  await becomes(id, { state: 'delivered', serverId: arkServerId });
  expect(ark.world.given).toMatchObject([{ player: 'Rex' }]);
  await page.close();
});

// Guarantee: an ARK item that is on no list is sold only after a person has confirmed that it arrives.
test('an ARK item is confirmed by who saw it', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: `/store/${products.dino}` });
  await page.getByText('Needs a test order').waitFor();
  await page.getByRole('button', { name: 'Test order' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Recipient').fill('Rex');
  await page.getByRole('option').filter({ hasText: 'Rex' }).click();
  await dialog.getByRole('button', { name: 'Place free test order' }).click();
  await dialog.getByText('Did it arrive in the game?').waitFor({ timeout: patienceMs });
  await isSound(page);
  await dialog.getByRole('button', { name: 'I saw it in the game' }).click();
  await dialog.getByText('can be sold now').first().waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('On sale', { exact: true }).nth(1).waitFor();
  await page.close();
});

// Guarantee: a paused queue delivers nothing, says so, and continues where it stopped.
test('the queue of deliveries is paused and resumed', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/queues' });
  await page.getByRole('grid').getByRole('link', { name: 'Deliveries', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByText('members don’t receive what they bought').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  const { rows } = await panel.call(queuesHttp.list, {});
  expect(rows.find(({ name }) => name === 'delivery')?.pausedAt).not.toBeNull();
  const given = minecraft.world.given.length;
  const id = await order('Steve', products.bread);
  await row(page, id.slice(0, 8)).getByText('Waiting', { exact: true }).waitFor();
  await isSound(page);
  expect(minecraft.world.given).toHaveLength(given);
  await page.getByRole('button', { name: 'Resume' }).click();
  await row(page, id.slice(0, 8)).getByText('Done', { exact: true }).waitFor({ timeout: patienceMs });
  expect(minecraft.world.given).toHaveLength(given + 1);
  await page.close();
});

// Guarantee: a delivery can be cancelled with its refund on the page of its job.
test('a job is cancelled', { tags: ['night'] }, async () => {
  await leave('Robin');
  const before = await balanceOf('Robin');
  const id = await order('Robin', products.bread);
  await becomes(id, { state: 'waiting' });
  const page = await panel.page({ path: '/queues/delivery' });
  await row(page, id.slice(0, 8)).getByText('Retrying').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel job' });
  await question.getByText('refunds the points').waitFor();
  await question.getByRole('button', { name: 'Cancel job' }).click();
  await becomes(id, { state: 'cancelled' });
  expect(await balanceOf('Robin')).toBe(before);
  await page.close();
});

// Guarantee: a person with read permission alone is offered nothing else, and no request that the pages make by themselves is refused.
test('a moderator looks on', { tags: ['night'] }, async () => {
  await leave('Alex');
  const id = await order('Alex', products.bread);
  await becomes(id, { state: 'waiting' });
  const as = await panel.newAdmin({ role: 'moderator' });
  const page = await panel.page({ as, path: `/deliveries/${id}`, locale: 'pt-BR' });
  await page.getByText('Esperando Alex entrar').first().waitFor();
  await page.getByText('O jogador não está em um servidor').waitFor();
  expect(await page.getByRole('button', { name: 'Cancelar' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Mesa de decisões' }).click();
  await page.getByText('Nada a decidir').waitFor();
  expect(panel.refusals()).toEqual([]);
  await page.close();
});

test('no page has failed', () => expect(panel.faults()).toEqual([]));
