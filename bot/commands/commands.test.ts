import { afterEach, expect, test } from 'vitest';
import { discordRightsHttp, ownDiscordHttp } from '#contracts/discord-rights.ts';
import { discordUsersHttp } from '#contracts/discord-users.ts';
import { discountsHttp } from '#contracts/discounts.ts';
import { membersHttp } from '#contracts/members.ts';
import { storeHttp } from '#contracts/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import type { Member } from '#simulators/discord/state.ts';
import { call, newServer, person } from '../../server/testing/call.ts';
import { testDesktopCredential } from '../../server/testing/test-api.ts';
import { offlineUuid } from '../../tests/simulators/identities.ts';
import { startMinecraft } from '../../tests/simulators/minecraft-simulator.ts';
import { ApiFault, createApiClient } from '../api-client.ts';
import { botCommands } from './commands.ts';
import { answerTo, botForThisFile, buttonId, buttonsOf, textOf } from './testing/bot-of-a-test.ts';

const bot = botForThisFile();
afterEach(() => bot().reachApiBy(null));

type Options = Parameters<ReturnType<typeof bot>['people']['runCommand']>[3];
const run = (who: Member, name: string, options: Options = {}, locale = 'en-US') =>
  bot().people.runCommand(who, bot().channel, name, options, { locale });
const answer = async (...asked: Parameters<typeof run>) => answerTo(run(...asked));
const said = async (...asked: Parameters<typeof run>) => textOf(await answer(...asked));
const complete = (who: Member, name: string, options: NonNullable<Options>, focused: string) =>
  bot().people.autocomplete(who, bot().channel, name, options, focused);
const press = async (
  who: Member,
  stored: Awaited<ReturnType<typeof answer>>,
  label: string,
  locale = 'en-US',
) => answerTo(bot().people.pressButton(who, stored, buttonId(stored, label), { locale }));
const isEphemeral = ({ visibleTo }: { readonly visibleTo: string | null }) => visibleTo !== null;
const nowhere = () => createApiClient('http://127.0.0.1:1', new Secret('unused'));

// Guarantee: commands are told to Discord once, with their translations, and again only when they are others.
test('registration', async () => {
  const { discord, people, restart } = bot();
  const puts = () =>
    discord.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/commands'));
  const reads = () =>
    discord.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/commands'));
  expect(puts()).toHaveLength(1);
  const registered = discord.state.commands.get(people.guild.id) ?? [];
  expect(registered.map(({ name }) => name)).toEqual(botCommands.map(({ definition }) => definition.name));
  for (const { name, description_localizations } of registered)
    expect(description_localizations?.['pt-BR'], name).toBeTruthy();
  expect(registered.find(({ name }) => name === 'shop')?.name_localizations).toEqual({ 'pt-BR': 'loja' });
  await restart();
  await eventually(() => expect(reads()).toHaveLength(2));
  const [first, ...others] = registered;
  if (!first) throw new Error('nothing is registered');
  discord.state.commands.set(people.guild.id, [{ ...first, description: 'another' }, ...others]);
  await restart();
  await eventually(() => expect(puts()).toHaveLength(2));
  expect(reads()).toHaveLength(3);
});

// Guarantee: everyone sees how the servers are and who is there, page by page, in the own language, and names do no harm.
test('status and players', async () => {
  const { people, port, context } = bot();
  const ann = people.join('Ann');
  expect(await said(ann, 'status')).toContain('There are no servers');
  const nasty = '@everyone **x** <@1> \u202eabc';
  const first = await newServer(port, { name: 'Alpha' });
  for (let count = 0; count < 11; count += 1) await newServer(port, { name: `Beta ${count}` });
  await eventually(() => expect(context.gameServices.directory.all()).toHaveLength(12));
  const page = await answer(ann, 'status');
  expect(isEphemeral(page)).toBe(false);
  expect(textOf(page)).toContain('Alpha');
  expect(textOf(page)).not.toContain('Beta 9');
  expect(textOf(await press(ann, page, '▶'))).toContain('Beta 9');
  expect(textOf(await press(ann, page, '◀', 'pt-BR'))).toContain('Servidores');

  expect(await said(ann, 'players')).toContain('No one is playing');
  const { presence } = context.gameServices;
  presence.report(first, 'agent', [{ name: nasty, platformId: 'minecraft:n', handle: 'n' }]);
  await eventually(() => expect(presence.read(first).players).toHaveLength(1));
  const online = await answer(ann, 'players', { server: first });
  expect(textOf(online)).toContain('Alpha');
  for (const harm of ['@everyone', '**x**', ' <@1>', '\u202e']) expect(textOf(online)).not.toContain(harm);
  expect(online.pinged).toEqual({ users: [], roles: [], everyone: false });
  await eventually(async () =>
    expect(await complete(ann, 'status', { server: 'alp' }, 'server')).toEqual([
      { name: 'Alpha', value: first },
    ]),
  );
  await eventually(async () =>
    expect(await complete(ann, 'players', { server: '' }, 'server')).toHaveLength(12),
  );
  expect(await said(ann, 'status', { server: 'alpha' })).toContain('Alpha');
  expect(await said(ann, 'players', { server: 'nowhere' })).toContain('There is no server');
});

// Guarantee: a code goes either way, seen by its owner alone; a wrong one is told.
test('link and unlink', async () => {
  const { people, port } = bot();
  const ada = people.join('Ada');
  const code = await answer(ada, 'link');
  expect(isEphemeral(code)).toBe(true);
  expect(textOf(code)).toMatch(/!link \w{4}-\w{4}/);
  expect(await said(ada, 'link', { code: 'AAAA-BBBB' })).toContain('This code is wrong');
  expect(await said(ada, 'link', { code: 'AAAA-BBBB' }, 'pt-BR')).toContain('Este código está errado');
  expect(await said(ada, 'unlink')).toContain('Nothing is linked');
  const admin = await person(port, { role: 'moderator' });
  const shown = await call(port, ownDiscordHttp.code, { as: admin.token });
  expect(await said(ada, 'link', { code: String(shown.json.code) })).toContain(admin.name);
  const asked = await answer(ada, 'unlink');
  expect(textOf(asked)).toContain(admin.name);
  expect(textOf(await press(ada, asked, 'Unlink'))).toContain('not linked any more');
});

// Guarantee: who has something to lose by a code is asked first, by a button that links.
test('a code of another member', async () => {
  const { linked, balance, port, context } = bot();
  const eve = await linked('Eve', 7);
  const mallory = await linked('Mallory', 0);
  const { db } = context.database;
  await db.updateTable('members').set({ discord_id: null }).where('id', '=', mallory.memberId).execute();
  const { json } = await call(port, membersHttp.linkCode, {
    as: testDesktopCredential,
    params: { id: mallory.memberId },
    body: {},
  });
  const asked = await answer(eve, 'link', { code: String(json.code) });
  expect(isEphemeral(asked)).toBe(true);
  expect(textOf(asked)).toMatch(/This code is from .*Mallory/);
  expect(await balance(eve.memberId)).toBe(7);
  expect(textOf(await press(eve, asked, 'That is me: link'))).toContain('Linked');
});

// Guarantee: one offer is one order, however often and by whichever session of the bot its button is answered.
test('points, buy and deliveries', async () => {
  const { people, linked, newProduct, balance, restart } = bot();
  const stranger = people.join('Stranger');
  expect(await said(stranger, 'points')).toContain('use `/link` first');
  expect(await said(stranger, 'deliveries')).toContain('use `/link` first');
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

  // Its answer was lost: the button stays, and pressed after a restart it is still the same order.
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

// Guarantee: a price that has changed since the offer, and what is sold out, charge nothing.
test('an offer that does not hold any more', async () => {
  const { port, linked, newProduct, balance } = bot();
  const productId = await newProduct({ name: 'Last one', stock: 1 });
  const [cat, dot] = [await linked('Cat', 30), await linked('Dot', 30)];
  const offers = [
    await answer(cat, 'buy', { product: productId }),
    await answer(dot, 'buy', { product: productId }),
  ];
  expect(textOf(await press(cat, offers[0] as never, 'Buy'))).toContain('Bought');
  expect(textOf(await press(dot, offers[1] as never, 'Buy'))).toContain('Not so many are left');
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

// Guarantee: a gift is offered for someone who is linked and still there, and paid by who gives it.
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
  expect(await said(flo, 'deliveries')).toContain('Nothing was bought for your players');
  await eventually(async () =>
    expect(await complete(flo, 'gift', { person: gus.user.id, product: 'flow' }, 'product')).toHaveLength(1),
  );
});

// Guarantee: what staff does takes a right, which a role gives; the game does it, and the audit log names the person.
test('moderation', async () => {
  const { people, port, context } = bot();
  await using game = await startMinecraft();
  game.world.join('Hank');
  const { password } = game;
  const serverId = await newServer(port, { name: 'Castle', host: '127.0.0.1', port: game.port, password });
  const { presence, directory } = context.gameServices;
  await eventually(() => expect(directory.get(serverId)).not.toBeNull());
  presence.report(serverId, 'direct', [
    { name: 'Hank', platformId: `minecraft:${offlineUuid('Hank')}`, handle: 'Hank' },
  ]);
  await eventually(() => expect(presence.read(serverId).players?.[0]?.name).toBe('Hank'));
  const role = people.createRole('Staff');
  const ida = people.join('Ida');
  const whom = { server: serverId, player: 'Hank' };
  const staff: [string, NonNullable<Options>][] = [
    ['announce', { server: serverId, text: 'Tea is ready' }],
    ['kick', { ...whom, reason: 'be nice' }],
    ['ban', whom],
    ['unban', whom],
    ['whitelist', { ...whom, change: 'whitelist-add' }],
    ['whitelist', { ...whom, change: 'whitelist-remove' }],
    ['rcon', { server: serverId, command: 'list' }],
  ];
  for (const [name, options] of staff)
    expect(await said(ida, name, options), name).toContain('You may not do this');
  expect(await complete(ida, 'kick', { ...whom, player: 'ha' }, 'player')).toEqual([]);
  expect(game.world.messages).toEqual([]);

  const mapped = await call(port, discordRightsHttp.set, {
    as: testDesktopCredential,
    params: { id: role.id },
    body: { name: 'Staff', permissions: ['players.read', 'players.write', 'console.write'] },
  });
  expect(mapped.status).toBe(200);
  people.setRoles(ida, [role.id]);
  await eventually(async () => {
    const [choice] = await complete(ida, 'kick', { ...whom, player: 'han' }, 'player');
    expect(choice?.name).toMatch(/^Hank \(minecraft:/);
  });
  for (const [name, options] of staff) {
    const told = await answer(ida, name, options);
    expect(isEphemeral(told)).toBe(true);
    expect(textOf(told), name).toMatch(/Done|Sent/);
  }
  expect(game.world.messages.map(({ text }) => text)).toContain('Tea is ready');
  const rows = await context.database.db
    .selectFrom('audit_logs')
    .select(['action', 'actor_name'])
    .where('actor', '=', `discord:${ida.user.id}`)
    .orderBy('id')
    .execute();
  expect(rows.map(({ action }) => action)).toEqual([
    ...['players.broadcast', 'players.kick', 'players.ban', 'players.unban'],
    ...['players.whitelist-add', 'players.whitelist-remove', 'console.run'],
  ]);
  expect(new Set(rows.map(({ actor_name }) => actor_name))).toEqual(new Set(['Ida']));
  expect(await said(ida, 'kick', { ...whom, player: 'who?' })).toContain('It is not clear who');
});

// Guarantee: while the API is away every command tells so, in the own language, and nothing is ordered.
test('the API is away', async () => {
  const { people, linked, newProduct, balance, reachApiBy } = bot();
  const joe = await linked('Joe', 10);
  const offer = await answer(joe, 'buy', { product: await newProduct({ name: 'Tent' }) });
  reachApiBy(nowhere());
  const options: Record<string, NonNullable<Options>> = {
    buy: { product: 'x' },
    gift: { person: people.guild.ownerId, product: 'x' },
    announce: { server: 'x', text: 'x' },
    rcon: { server: 'x', command: 'x' },
    redeem: { code: 'x' },
    'give-points': { person: people.guild.ownerId, points: 1 },
    server: { server: 'x', action: 'start' },
    ...Object.fromEntries(['kick', 'ban', 'unban'].map((name) => [name, { server: 'x', player: 'x' }])),
    whitelist: { server: 'x', player: 'x', change: 'whitelist-add' },
  };
  for (const { definition } of botCommands)
    expect(await said(joe, definition.name, options[definition.name]), definition.name).toContain(
      'does not answer',
    );
  expect(await said(joe, 'points', {}, 'pt-BR')).toContain('não responde');
  expect(await complete(joe, 'buy', { product: '' }, 'product')).toEqual([]);
  const doubtful = await press(joe, offer, 'Buy');
  expect(textOf(doubtful)).toContain('never charged twice');
  // It cannot be cancelled any more: it may have been bought.
  expect(buttonsOf(doubtful)).toHaveLength(1);
  expect(await balance(joe.memberId)).toBe(10);
});

// Guarantee: what Discord does not take in time any more is not begun.
test('an expired interaction', async () => {
  const { discord, linked, newProduct, balance } = bot();
  const kim = await linked('Kim', 10);
  const offer = await answer(kim, 'buy', { product: await newProduct({ name: 'Lamp' }) });
  const asked = discord.requests.length;
  const click = bot().people.pressButton(kim, offer, buttonId(offer, 'Buy'));
  Object.assign(click, { createdAt: 0 });
  await eventually(() => expect(discord.requests.slice(asked).map(({ status }) => status)).toContain(404));
  // Once this is answered, the bot has read that refusal.
  await said(kim, 'status');
  expect(textOf(await press(kim, offer, 'Cancel'))).toContain('Nothing was bought');
  expect(await balance(kim.memberId)).toBe(10);
});
