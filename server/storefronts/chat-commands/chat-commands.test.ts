import { beforeAll, expect, test } from 'vitest';
import { discountDraft, discountsHttp } from '#contracts/store/discounts.ts';
import { type Product, productDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import { call } from '../../kernel/testing/call.ts';
import { balanceOf } from '../../kernel/testing/store-rows.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { chatForThisFile } from './testing/chat-of-a-test.ts';

const { running, context, db, pool, game, setShop, join, say, whispers, whisper, startNext } =
  chatForThisFile();
const owner = { as: testDesktopCredential };
let diamonds: Product;

beforeAll(async () => {
  diamonds = await newProduct({ name: 'Diamonds', price: 10, shortCode: 'DIA' });
  await newProduct({ name: 'Gold §6bars', price: 7 });
  await newProduct({ name: 'Gold dust', price: 3 });
});

const newProduct = async (draft: Partial<Product>): Promise<Product> => {
  const body = productDraft.parse({
    game: 'minecraft',
    lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 3 }],
    isEnabled: true,
    ...draft,
  });
  const made = await call(running().port, storeHttp.create, { ...owner, body });
  if (made.status !== 200) throw new Error(made.text);
  return made.json as unknown as Product;
};
const reprice = async (price: number) => {
  const { id: _id, ...before } = (
    await call(running().port, storeHttp.read, { ...owner, params: { id: diamonds.id } })
  ).json as unknown as Product;
  const body = { ...productDraft.parse(pick(before)), price, version: before.version };
  const changed = await call(running().port, storeHttp.change, {
    ...owner,
    params: { id: diamonds.id },
    body,
  });
  if (changed.status !== 200) throw new Error(changed.text);
};
const pick = (product: Omit<Product, 'id'>) =>
  Object.fromEntries(Object.entries(product).filter(([name]) => Object.hasOwn(productDraft.shape, name)));

const ordersOf = (memberId: string) =>
  db().selectFrom('orders').selectAll().where('member_id', '=', memberId).execute();
const numberIn = (text: string) => /!buy (\d{6})$/.exec(text)?.[1] ?? '';
const wrongFor = (number: string) => (number === '000000' ? '000001' : '000000');

// Guarantee: until the owner opens it, the shop hears nothing.
test('a closed shop', async () => {
  const memberId = await join('Abe', 100);
  await say('Abe', '!buy DIA');
  await say('Abe', '!link');
  await whisper('Abe', 1);
  expect(await ordersOf(memberId)).toEqual([]);
  await setShop({ isOpen: true });
});

// Guarantee: a line with the player's id immediately buys what it names exactly; the list has codes and prices, and no colours.
test('a purchase by a line with an id', async () => {
  const memberId = await join('Ann', 100);
  await say('Ann', '§a!SHOP');
  expect(await whisper('Ann', 1)).toBe(
    'Shop 1/1: 1) Diamonds (DIA) 10; 2) Gold dust (GOLDDU) 3; 3) Gold bars (GOLD6B) 7. Buy: !buy CODE',
  );
  await say('Ann', '！buy  dia 2', { key: 'twice' });
  expect(await whisper('Ann', 2)).toBe('Bought 2x Diamonds for 20 points. You have 80 left.');
  await say('Ann', '！buy  dia 2', { key: 'twice' });
  await say('Ann', '!points');
  expect(await whisper('Ann', 3)).toBe('You have 80 points.');
  const [order, ...others] = await ordersOf(memberId);
  expect(others).toEqual([]);
  expect(order).toMatchObject({ source: 'chat', total: '20', actor: expect.stringMatching(/^player:/) });
  await say('Ann', '!claim');
  expect(await whisper('Ann', 4)).toMatch(/way to you|Nothing is waiting/);
});

// Guarantee: a product named by a part, or by a number of no list that was shown, leads to a question; what is unclear buys nothing.
test('what a product is called', async () => {
  const memberId = await join('Bea', 100);
  await say('Bea', '!buy diamo');
  expect(await whisper('Bea', 1)).toMatch(/^Diamonds: 10 points\. To buy it, type !buy \d{6}$/);
  await say('Bea', '!buy gold');
  expect(await whisper('Bea', 2)).toContain('Several products');
  await say('Bea', '!buy ПРИВЕТ');
  expect(await whisper('Bea', 3)).toContain('no such product');
  await say('Bea', '!buy DIA 99999');
  expect(await whisper('Bea', 4)).toContain('1 to 1,000');
  await say('Bea', '!comprar DIA 11');
  expect(await whisper('Bea', 5)).toBe('Not bought: it costs 110 points, and you have 100.');
  const longer = await newProduct({ name: 'Dia 24 hours', price: 1 });
  await join('Bia', 100);
  await say('Bia', '!buy dia 2', { isNamed: true });
  expect(await whisper('Bia', 1)).toMatch(/^2x Diamonds: 20 points\./);
  await call(running().port, storeHttp.archive, {
    ...owner,
    params: { id: longer.id },
    body: { version: longer.version, archived: true },
  });
  expect(await ordersOf(memberId)).toEqual([]);
});

// Guarantee: who quotes another player's purchase pays nothing, and neither does the one who is quoted.
test('a quoted purchase', async () => {
  const memberId = await join('Ivy', 100);
  const quoted = await join('Jil', 100);
  const form = (open: string, close: string) => `${open}Jil${close} !buy DIA`;
  const forms = [
    form('<', '>'),
    form('<<', '>>'),
    form('＜', '＞'),
    form('<Gil> <', '>'),
    form('§a<', '>§r'),
    form('</', '>'),
    form('<RichColor ', '>'),
    form('[', ']'),
  ];
  for (const text of forms) {
    await say('Ivy', text);
    await say('Ivy', text, { isNamed: true });
  }
  await say('Ivy', '!points');
  expect(await whisper('Ivy', 1)).toBe('You have 100 points.');
  await context().storefronts.chatIdle();
  expect([...(await ordersOf(memberId)), ...(await ordersOf(quoted)), ...whispers('Jil')]).toEqual([]);
});

// Guarantee: a line with only a name buys once the number that this player was told came back, and only once; the
// number is in no history, log or row.
test('a purchase by a line with a name', async () => {
  const memberId = await join('Cal', 100);
  await say('Cal', '!buy DIA', { isNamed: true });
  const number = numberIn(await whisper('Cal', 1));
  expect(await ordersOf(memberId)).toEqual([]);
  const rows = await db().selectFrom('chat_confirmations').selectAll().execute();
  const history = await db().selectFrom('console_commands').selectAll().execute();
  expect(JSON.stringify([rows, history])).not.toContain(number);
  await Promise.all([
    say('Cal', `!buy ${number}`, { isNamed: true }),
    say('Cal', `!buy ${number}`, { isNamed: true }),
  ]);
  await whisper('Cal', 3);
  expect(whispers('Cal')).toContain('Bought Diamonds for 10 points. You have 90 left.');
  // Like a player whose response was lost.
  await say('Cal', `!buy ${number}`, { isNamed: true });
  expect(await whisper('Cal', 4)).toBe('Already bought: Diamonds for 10 points. You have 90 left.');
  expect(await ordersOf(memberId)).toHaveLength(1);
  expect(await balanceOf(pool(), memberId)).toBe(90);
});

// Guarantee: if a price has changed since the player was told it, it is paid only after the new one was confirmed.
test('prices that change', async () => {
  const memberId = await join('Dan', 100);
  await say('Dan', '!buy DIA', { isNamed: true });
  const first = numberIn(await whisper('Dan', 1));
  await reprice(12);
  await say('Dan', `!buy ${first}`, { isNamed: true });
  const changed = await whisper('Dan', 2);
  expect(changed).toMatch(/^The price has changed\. Diamonds: 12 points now\./);
  expect(await ordersOf(memberId)).toEqual([]);
  await say('Dan', `!buy ${numberIn(changed)}`, { isNamed: true });
  expect(await whisper('Dan', 3)).toBe('Bought Diamonds for 12 points. You have 88 left.');

  const other = await join('Dea', 100);
  await say('Dea', '!shop');
  await whisper('Dea', 1);
  await reprice(10);
  await say('Dea', '!buy 1');
  expect(await whisper('Dea', 2)).toMatch(/^The price has changed\. Diamonds: 10 points now\./);
  expect(await ordersOf(other)).toEqual([]);
});

// Guarantee: with a discount, the price in the list counts as no other price; the end of a discount that the player was told about does.
test('a discount', async () => {
  const product = await newProduct({ name: 'Emeralds', price: 50, shortCode: 'EME' });
  const draft = discountDraft.parse({
    name: 'Emeralds',
    off: { kind: 'percent', percent: 20 },
    productIds: [product.id],
  });
  const made = await call(running().port, discountsHttp.create, { ...owner, body: draft });
  expect(made.status, made.text).toBe(200);
  const memberId = await join('Una', 1000);
  await say('Una', '!shop');
  expect(await whisper('Una', 1)).toContain('Emeralds (EME) 50');
  await say('Una', '!buy EME 2');
  expect(await whisper('Una', 2)).toBe('Bought 2x Emeralds for 80 points. You have 920 left.');

  await say('Una', '!buy emeral');
  expect(await whisper('Una', 3)).toMatch(/^Emeralds: 40 points\. To buy it/);
  const change = await call(running().port, discountsHttp.change, {
    ...owner,
    params: { id: String(made.json.id) },
    body: { ...draft, isEnabled: false, version: Number(made.json.version) },
  });
  expect(change.status, change.text).toBe(200);
  await say('Una', '!buy EME', { at: new Date(Date.now() + 60_000) });
  expect(await whisper('Una', 4)).toMatch(/^The price has changed\. Emeralds: 50 points now\./);
  expect(await ordersOf(memberId)).toHaveLength(1);
  await call(running().port, storeHttp.archive, {
    ...owner,
    params: { id: product.id },
    body: { version: product.version, archived: true },
  });
});

// Guarantee: someone who only has the same name as a player can neither take their question away, nor answer it, nor
// use up their tries; a thousand guesses buy nothing and do not flood the game.
test('an imitator', async () => {
  const memberId = await join('Eve', 100);
  await say('Eve', '!buy diamo');
  const own = numberIn(await whisper('Eve', 1));
  await say('Eve', '!buy GOLDDU 5', { isNamed: true });
  expect(await whisper('Eve', 2)).toContain('question from before');
  await say('Eve', `!buy ${own}`, { isNamed: true });
  await context().storefronts.chatIdle();
  await say('Eve', `!buy ${own}`);
  expect(await whisper('Eve', 3)).toBe('Bought Diamonds for 10 points. You have 90 left.');

  const victim = await join('Fay', 100);
  await say('Fay', '!buy DIA', { isNamed: true });
  const asked = numberIn(await whisper('Fay', 1));
  for (let guess = 0; guess < 1000; guess += 1)
    if (String(guess).padStart(6, '0') !== asked)
      await say('Fay', `!buy ${String(guess).padStart(6, '0')}`, { isNamed: true });
  await say('Fay', '!points');
  await eventually(() => expect(whispers('Fay')).toContain('You have 100 points.'));
  // The longer it takes, the more lines are answered.
  expect(whispers('Fay').length).toBeLessThan(30);
  expect(await ordersOf(victim)).toEqual([]);
  expect(await ordersOf(memberId)).toHaveLength(1);
});

// Guarantee: numbers that answer no question keep no player from buying.
test('numbers without a question', async () => {
  const memberId = await join('Ivo', 100);
  for (let line = 1; line <= 3; line += 1) {
    await say('Ivo', '!buy 000000', { isNamed: true });
    expect(await whisper('Ivo', line)).toContain('wrong or too old');
  }
  await say('Ivo', '!buy DIA', { isNamed: true });
  const number = numberIn(await whisper('Ivo', 4));
  await say('Ivo', `!buy ${number}`, { isNamed: true });
  expect(await whisper('Ivo', 5)).toMatch(/^Bought Diamonds/);
  expect(await ordersOf(memberId)).toHaveLength(1);
});

// Guarantee: nothing is said and nothing is spent if two present players share one name.
test('two of one name', async () => {
  const memberId = await join('Kit', 100);
  await join('KIT');
  for (const text of ['!points', '!buy DIA', '!shop']) await say('Kit', text);
  await say('Kit', '!buy DIA', { isNamed: true });
  await join('Leo');
  await say('Leo', '!points');
  await whisper('Leo', 1);
  await context().storefronts.chatIdle();
  expect([...whispers('Kit'), ...whispers('KIT')]).toEqual([]);
  expect(await ordersOf(memberId)).toEqual([]);
  expect(
    await db().selectFrom('chat_confirmations').selectAll().where('player_id', '=', '0').execute(),
  ).toEqual([]);
});

// Guarantee: a question is settled with the points of the member who had the player when it was asked; after a merge it is asked again.
test('a member who is merged in between', async () => {
  const merged = await join('Mia', 100);
  const kept = await join('Ned', 100);
  await say('Mia', '!buy DIA', { isNamed: true });
  const number = numberIn(await whisper('Mia', 1));
  await context().people.members.merge(kept, merged, {
    actor: { kind: 'local', id: 'test', name: 'test', permissions: new Set(), serverPermissions: new Map() },
    address: '',
  });
  await say('Mia', `!buy ${number}`, { isNamed: true });
  const again = await whisper('Mia', 2);
  expect(await ordersOf(kept)).toEqual([]);
  await say('Mia', `!buy ${numberIn(again)}`, { isNamed: true });
  await whisper('Mia', 3);
  expect(await ordersOf(kept)).toHaveLength(1);
});

// Guarantee: nothing is done for a line that is reported late, or while the license is not valid.
test('late lines and no license', async () => {
  const memberId = await join('Oda', 100);
  await say('Oda', '!buy DIA', { at: new Date(Date.now() - 600_000) });
  const { license } = running().api;
  license.set('rejected');
  await say('Oda', '!buy DIA');
  await eventually(() => expect(game().sessions).toBe(0));
  license.set('valid');
  await eventually(() => expect(game().sessions).toBe(1));
  await say('Oda', '!points');
  expect(await whisper('Oda', 1)).toBe('You have 100 points.');
  expect(await ordersOf(memberId)).toEqual([]);
});

// Guarantee: a game that does not reply, or a player who receives no messages, spends nothing; public chat says only that.
test('no private way', async () => {
  const memberId = await join('Pam', 100);
  game().quirks.plugins = 'reached';
  game().quirks.deafPlayers.add('Pam');
  await say('Pam', '!buy DIA', { isNamed: true });
  await say('Pam', '!points');
  await say('Pam', '!buy DIA');
  await join('Quin');
  await say('Quin', '!points');
  await whisper('Quin', 1);
  const open = () =>
    game()
      .world.messages.filter(({ to }) => to === null)
      .map(({ text }) => text);
  await context().storefronts.chatIdle();
  expect(open()).toEqual([]);
  await setShop({ broadcastsWithoutPrivate: true });
  await say('Pam', '!buy DIA');
  await eventually(() =>
    expect(open()).toEqual(['Pam: private messages do not work on this server, so nothing was done.']),
  );
  await setShop({ broadcastsWithoutPrivate: false });
  game().quirks.deafPlayers.clear();
  game().quirks.plugins = 'none';
  expect(await ordersOf(memberId)).toEqual([]);
  expect(
    await db()
      .selectFrom('chat_confirmations')
      .select('id')
      .where('asked', '@>', `{"memberId":"${memberId}"}` as never)
      .execute(),
  ).toEqual([]);
});

// Guarantee: the owner chooses prefix and words, and everything that begins with the prefix is a command.
test('words of the community', async () => {
  await setShop({ prefix: '.', pointsWords: 'ouro gold' });
  await join('Rex', 5);
  await say('Rex', '!points');
  await say('Rex', '.points');
  await say('Rex', '.OURO');
  expect(await whisper('Rex', 1)).toBe('You have 5 points.');
  await setShop({ prefix: '!', pointsWords: 'points pontos' });
});

// Guarantee: a question outlives an API that ends before the answer comes; the next API does not know the prices that were told, and asks.
test('an API that ends in between', async () => {
  const memberId = await join('Sue', 100);
  await say('Sue', '!buy DIA', { isNamed: true });
  const number = numberIn(await whisper('Sue', 1));
  const other = await join('Tom', 100);
  await say('Tom', '!shop');
  expect(await whisper('Tom', 1)).toContain('Diamonds (DIA) 10');
  await reprice(12);
  await using next = await startNext('Sue');
  await say('Tom', '!buy DIA', { api: next });
  expect(await whisper('Tom', 2)).toMatch(/^Diamonds: 12 points\. To buy it, type/);
  expect(await ordersOf(other)).toEqual([]);
  await reprice(10);
  await say('Sue', `!buy ${wrongFor(number)}`, { isNamed: true, api: next });
  await whisper('Sue', 2);
  await say('Sue', `!buy ${number}`, { isNamed: true, api: next });
  expect(await whisper('Sue', 3)).toBe('Bought Diamonds for 10 points. You have 90 left.');
  expect(await ordersOf(memberId)).toHaveLength(1);
});

// Guarantee: a line that is reported again to an API that has restarted in between leads to a question with a new
// number, and only that number buys, once.
test('a line that is told again', async () => {
  const memberId = await join('Uma', 100);
  const line = { isNamed: true, key: 'told to two processes' };
  await say('Uma', '!buy DIA', line);
  const lost = numberIn(await whisper('Uma', 1));
  await using next = await startNext('Uma');
  await say('Uma', '!buy DIA', { ...line, api: next });
  const number = numberIn(await whisper('Uma', 2));
  if (lost !== number) {
    await say('Uma', `!buy ${lost}`, { isNamed: true, api: next });
    expect(await whisper('Uma', 3)).toContain('wrong or too old');
  }
  await say('Uma', `!buy ${number}`, { isNamed: true, api: next });
  await eventually(() => expect(whispers('Uma').at(-1)).toMatch(/^Bought Diamonds for 10 points/));
  expect(await ordersOf(memberId)).toHaveLength(1);
});

// Guarantee: a line that has bought, reported again to an API that has restarted in between, is answered with what it
// bought, even if the price has changed.
test('a line that has bought', async () => {
  const memberId = await join('Vic', 100);
  await say('Vic', '!shop');
  await whisper('Vic', 1);
  await say('Vic', '!buy DIA', { key: 'has bought' });
  expect(await whisper('Vic', 2)).toBe('Bought Diamonds for 10 points. You have 90 left.');
  await reprice(11);
  await using next = await startNext('Vic');
  await say('Vic', '!buy DIA', { key: 'has bought', api: next });
  expect(await whisper('Vic', 3)).toBe('Already bought: Diamonds for 10 points. You have 90 left.');
  await reprice(10);
  expect(await ordersOf(memberId)).toHaveLength(1);
});
