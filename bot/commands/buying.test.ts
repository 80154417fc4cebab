import { afterEach, beforeAll, expect, test } from 'vitest';
import { discordUsersHttp } from '#contracts/discord/discord-users.ts';
import { discountsHttp } from '#contracts/store/discounts.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import type { Member } from '#simulators/discord/state.ts';
import { call, newServer } from '../../server/kernel/testing/call.ts';
import { testDesktopCredential } from '../../server/kernel/testing/test-api.ts';
import { ApiFault } from '../api-client.ts';
import { botForThisFile, buttonId, textOf } from './testing/bot-of-a-test.ts';
import { isEphemeral, typedCommands } from './testing/typed-commands.ts';

const bot = botForThisFile();
// A product that no server could receive is not for sale.
beforeAll(async () => {
  await newServer(bot().port);
});
afterEach(() => bot().reachApiBy(null));
const { answer, said, complete, press } = typedCommands(bot);

// Guarantee: one offer is one order, however often its button is answered and by whichever session of the bot.
test('points, buy and deliveries', async () => {
  const { people, linked, newProduct, balance, restart } = bot();
  const stranger = people.join('Stranger');
  expect(await said(stranger, 'points')).toContain('Use `/link` first');
  expect(await said(stranger, 'deliveries')).toContain('Use `/link` first');
  const productId = await newProduct({ name: 'Diamond box' });
  const ben = await linked('Ben', 35);
  expect(await said(ben, 'points')).toContain('You have 35 points');
  expect(await said(ben, 'points', {}, 'pt-BR')).toContain('Você tem 35 pontos');
  await eventually(async () =>
    expect(await complete(ben, 'buy', { product: 'mond b' }, 'product')).toEqual([
      { name: 'Diamond box · 10', value: productId },
    ]),
  );
  expect(await said(ben, 'buy', { product: 'nothing like it' })).toContain('not for sale');
  expect(await said(ben, 'buy', { product: productId, quantity: 9 })).toContain(
    'It costs 90 points and you have 35',
  );

  const offer = await answer(ben, 'buy', { product: 'diamond BOX' });
  expect(isEphemeral(offer)).toBe(true);
  const id = buttonId(offer, 'Buy');
  const clicks = [1, 2].map(() => people.pressButton(ben, offer, id));
  await Promise.all(clicks.map(({ answer: told }) => told));
  await eventually(() => expect(textOf(offer)).toContain('Bought.'));
  expect(await balance(ben.memberId)).toBe(25);

  // Its answer was lost: the button stays, and pressing it after a restart still gives the same order.
  const second = await answer(ben, 'buy', { product: productId });
  const { apiClient, reachApiBy } = bot();
  reachApiBy({
    async call(endpoint, ...given) {
      const answered = await apiClient.call(endpoint, ...given);
      if ((endpoint as { path: string }).path === discordUsersHttp.order.path) throw new ApiFault('lost');
      return answered;
    },
  });
  expect(textOf(await press(ben, second, 'Buy'))).toContain('never charged twice');
  reachApiBy(null);
  await restart();
  expect(textOf(await press(ben, second, 'Buy'))).toContain('Bought.');
  expect(await balance(ben.memberId)).toBe(15);

  const third = await answer(ben, 'buy', { product: productId });
  expect(textOf(await press(ben, third, 'Cancel'))).toContain('Nothing was bought');
  expect(await balance(ben.memberId)).toBe(15);
  const delivered = await answer(ben, 'deliveries');
  expect(textOf(delivered).match(/Diamond box/g)).toHaveLength(2);
  expect(await said(ben, 'points')).toContain('**−10** Bought');
});

// Guarantee: a price that has changed since the offer, or a product that has sold out, charges nothing.
test('an offer that does not hold any more', async () => {
  const { port, linked, newProduct, balance } = bot();
  const productId = await newProduct({ name: 'Last one', stock: 1 });
  const [cat, dot] = [await linked('Cat', 30), await linked('Dot', 30)];
  const offers = [
    await answer(cat, 'buy', { product: productId }),
    await answer(dot, 'buy', { product: productId }),
  ];
  expect(textOf(await press(cat, offers[0] as never, 'Buy'))).toContain('Bought');
  expect(textOf(await press(dot, offers[1] as never, 'Buy'))).toContain('There are not that many left');
  expect(await balance(dot.memberId)).toBe(30);
  const other = await newProduct({ name: 'Dearer soon' });
  const offer = await answer(dot, 'buy', { product: other });
  const { json } = await call(port, storeHttp.read, { as: testDesktopCredential, params: { id: other } });
  const changed = await call(port, storeHttp.change, {
    as: testDesktopCredential,
    params: { id: other },
    body: {
      version: Number(json.version),
      name: 'Dearer soon',
      price: 11,
      game: 'minecraft',
      isEnabled: true,
      lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 3 }],
    },
  });
  expect(changed.status, changed.text).toBe(200);
  expect(textOf(await press(dot, offer, 'Buy', 'pt-BR'))).toContain('O preço mudou');
  expect(await balance(dot.memberId)).toBe(30);
});

// Guarantee: a code typed with the command is shown in the offer, and the button charges what the offer said.
test('an offer with a code', async () => {
  const { port, linked, newProduct, balance } = bot();
  const fay = await linked('Fay', 30);
  const productId = await newProduct({
    name: 'Cheaper',
    price: 20,
    priceSchedule: [{ from: '2020-01-01T00:00:00Z', until: '2120-01-01T00:00:00Z', price: 10 }],
  });
  const body = {
    name: 'Twenty five',
    off: { kind: 'percent' as const, percent: 25 },
    productIds: [productId],
    code: 'ÉTÉ-RABAIS-POUR-25-JOURS',
  };
  const made = await call(port, discountsHttp.create, { as: testDesktopCredential, body });
  expect(made.status, made.text).toBe(200);
  const wrong = await answer(fay, 'buy', { product: productId, code: 'x|y' });
  expect(textOf(wrong)).toContain('No discount has this code.');
  const offer = await answer(fay, 'buy', { product: productId, code: 'été-rabais-pour-25-jours' });
  expect(textOf(offer)).toContain('you save 3 points.');
  expect(textOf(await press(fay, offer, 'Buy'))).toContain('Bought.');
  expect(await balance(fay.memberId)).toBe(23);
  expect(await said(fay, 'shop', { search: 'Cheaper' })).toContain(
    '~~20~~ **10 points** · until <t:4733510400:R>',
  );
});

// Guarantee: the shop shows its products page by page with their pictures, within Discord's limits, and its buttons offer them.
test('the shop', async () => {
  const { discord, port, linked, newProduct, balance } = bot();
  const eve = await linked('Eve', 30);
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const ids: string[] = [];
  for (let count = 0; count < 7; count += 1)
    ids.push(
      await newProduct({
        name: `Zoo ${count} ${'*_~@'.repeat(15)}`,
        description: '😀*'.repeat(660),
        category: 'Z',
      }),
    );
  const picture = { version: 1, picture: png };
  await call(port, storeHttp.setPicture, {
    as: testDesktopCredential,
    params: { id: ids[0] ?? '' },
    body: picture,
  });
  const shop = await answer(eve, 'shop', { search: 'zoo' });
  expect(isEphemeral(shop)).toBe(true);
  expect(shop.message.embeds).toHaveLength(5);
  const { url = '' } = shop.message.embeds[0]?.thumbnail ?? {};
  expect(url).toMatch(/\.png/);
  expect(shop.message.attachments).toHaveLength(1);
  const next = await press(eve, shop, '▶');
  expect(next.message.embeds).toHaveLength(2);
  expect(next.message.attachments).toHaveLength(0);
  const pressed = discord.state.posted.length;
  const offer = await press(eve, next, 'Buy: Zoo 6');
  expect(discord.state.posted.length).toBe(pressed + 1);
  expect(isEphemeral(offer)).toBe(true);
  expect(textOf(await press(eve, offer, 'Buy'))).toContain('Bought');
  expect(await balance(eve.memberId)).toBe(20);
  expect(await said(eve, 'shop', { search: 'no such thing' })).toContain('Nothing is for sale');
});

// Guarantee: a gift is offered for someone who is linked and still there, and the giver pays.
test('a gift', async () => {
  const { people, linked, newProduct, balance } = bot();
  const productId = await newProduct({ name: 'Flowers' });
  const [flo, gus] = [await linked('Flo', 10), await linked('Gus', 0)];
  const stranger = people.join('Nobody');
  const gift = (to: Member) => answer(flo, 'gift', { person: to.user.id, product: productId });
  expect(textOf(await gift(stranger))).toContain('No player is linked to their');
  const offer = await gift(gus);
  expect(textOf(offer)).toContain(`<@${gus.user.id}>`);
  expect(offer.pinged.users).toEqual([]);
  expect(textOf(await press(flo, offer, 'Buy'))).toContain('Bought');
  expect([await balance(flo.memberId), await balance(gus.memberId)]).toEqual([0, 0]);
  expect(await said(gus, 'deliveries')).toContain('Flowers');
  expect(await said(flo, 'deliveries')).toContain('Nothing has been bought for your players');
  await eventually(async () =>
    expect(await complete(flo, 'gift', { person: gus.user.id, product: 'flow' }, 'product')).toHaveLength(1),
  );
});
