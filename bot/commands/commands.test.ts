import { afterEach, expect, test } from 'vitest';
import { discordRightsHttp, ownDiscordHttp } from '#contracts/discord/discord-rights.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { call, newServer, person } from '../../server/kernel/testing/call.ts';
import { testDesktopCredential } from '../../server/kernel/testing/test-api.ts';
import { offlineUuid } from '../../tests/simulators/identities.ts';
import { startMinecraft } from '../../tests/simulators/minecraft-simulator.ts';
import { createApiClient } from '../api-client.ts';
import { botCommands } from './commands.ts';
import { botForThisFile, buttonId, buttonsOf, textOf } from './testing/bot-of-a-test.ts';
import { isEphemeral, type Options, typedCommands } from './testing/typed-commands.ts';

const bot = botForThisFile();
afterEach(() => bot().reachApiBy(null));
const { answer, said, complete, press } = typedCommands(bot);
const nowhere = () => createApiClient('http://127.0.0.1:1', new Secret('unused'));

// Guarantee: commands are registered with Discord once, with their translations, and again only when they have changed.
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

// Guarantee: everyone sees how the servers are and who is online, page by page, in their own language, and names do no harm.
test('status and players', async () => {
  const { people, port, context } = bot();
  const ann = people.join('Ann');
  expect(await said(ann, 'status')).toContain('There are no servers');
  const nasty = '@everyone **x** <@1> \u202eabc';
  const first = await newServer(port, { name: 'Alpha' });
  for (let count = 0; count < 11; count += 1) await newServer(port, { name: `Beta ${count}` });
  await eventually(() => expect(context.servers.directory.all()).toHaveLength(12));
  const page = await answer(ann, 'status');
  expect(isEphemeral(page)).toBe(false);
  expect(textOf(page)).toContain('Alpha');
  expect(textOf(page)).not.toContain('Beta 9');
  expect(textOf(await press(ann, page, '▶'))).toContain('Beta 9');
  expect(textOf(await press(ann, page, '◀', 'pt-BR'))).toContain('Servidores');

  expect(await said(ann, 'players')).toContain('No one is playing');
  const { presence } = context.people;
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

// Guarantee: linking by a code works in both directions, seen by its owner alone; a wrong code is reported.
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
  expect(textOf(await press(ada, asked, 'Unlink'))).toContain('no longer linked');
});

// Guarantee: a person who would lose something by a code is asked first, by a button that links.
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
  expect(textOf(await press(eve, asked, 'That is me: link'))).toContain('now linked to');
});

// Guarantee: staff actions need a permission, which a role gives; the game carries them out, and the audit log names the person.
test('moderation', async () => {
  const { people, port, context } = bot();
  await using game = await startMinecraft();
  game.world.join('Hank');
  const { password } = game;
  const serverId = await newServer(port, { name: 'Castle', host: '127.0.0.1', port: game.port, password });
  const { presence } = context.people;
  const { directory } = context.servers;
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

// Guarantee: while the API is unreachable, every command says so in the person's language, and nothing is ordered.
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
  // Cancelling is no longer offered: it may already have been bought.
  expect(buttonsOf(doubtful)).toHaveLength(1);
  expect(await balance(joe.memberId)).toBe(10);
});

// Guarantee: what Discord no longer accepts in time is not started.
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
