import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { playersHttp } from '#contracts/people/players.ts';
import { eventually } from '#harness/eventually.ts';
import { call } from '../../server/kernel/testing/call.ts';
import {
  ada,
  asOwner,
  channel,
  discord,
  discordChatForThisFile,
  filter,
  fjord,
  type GameOfATest,
  guildId,
  patientMs,
  people,
  posts,
  relay,
  relays,
  running,
  saidIn,
  say,
  shown,
  tundra,
  withObstacles,
} from '../harness/discord-chat.ts';

discordChatForThisFile();

// Guarantee: players' lines appear in the channel under their names, messages from Discord are said in the game, neither comes
// back, and announcements, commands and their codes are not relayed.
test('both ways', async () => {
  await relay(fjord);
  say(fjord, 'anybody **here**? @everyone https://evil.example');
  await eventually(
    () => expect(shown()).toEqual(['Otter: anybody **here**? @\u200beveryone https://evil.example']),
    patientMs,
  );
  expect(posts()[0]).toMatchObject({
    pinged: { users: [], roles: [], everyone: false },
    message: { flags: 4, author: { bot: true } },
  });
  people.sendMessage(
    channel,
    ada,
    `hello <@${ada.user.id}> in <#${channel.id}> <:otter:123456789012345678>\n[x] <b>`,
  );
  await eventually(
    () => expect(saidIn(fjord)).toEqual([`[Discord] Ada: hello @Ada in #${channel.name} :otter: (x) ‹b›`]),
    patientMs,
  );
  say(fjord, '!link ABCD-EFGH');
  people.sendMessage(channel, ada, '!link ABCD-EFGH');
  const announced = await call(running().port, playersHttp.broadcast, {
    ...asOwner,
    params: { id: fjord.id },
    body: { text: 'Restart at noon' },
  });
  expect(announced.json.outcome).toBe('answered');
  say(fjord, 'ok', 'Discordia');
  await eventually(() => expect(shown()).toHaveLength(2), patientMs);
  expect(shown()[1]).toBe('Disc-ordia: ok');
  people.sendMessage(channel, ada, 'bye');
  await eventually(() => expect(saidIn(fjord)).toHaveLength(2), patientMs);
  expect(saidIn(fjord)[1]).toBe('[Discord] Ada: bye');
  await eventually(async () => {
    const [one] = await relays();
    expect(one).toMatchObject({ toDiscordAt: expect.any(String), toGameAt: expect.any(String) });
    expect(one).toMatchObject({ toDiscordLeftOut: 0, toGameLeftOut: 0 });
  }, patientMs);
  // Not an admin's action.
  const { db } = running().api.context.database;
  const kept = await db.selectFrom('console_commands').select('command').execute();
  const said = kept.map(({ command }) => command).filter((command) => command.startsWith('say'));
  expect(said).toEqual(['say "Restart at noon"']);
  const audit = await db
    .selectFrom('audit_logs')
    .select('action')
    .where('action', '=', 'players.broadcast')
    .execute();
  expect(audit).toHaveLength(1);
});

// Guarantee: messages of other bots and webhooks are not said in a game, so that no loop occurs.
test('what bots write', async () => {
  await relay(fjord);
  const foreign = {
    id: '123123123123123123',
    type: 1,
    token: 'x'.repeat(68),
    name: 'Copycat',
    avatar: null,
  } as const;
  discord.state.webhooks.set(foreign.id, {
    ...foreign,
    guild_id: guildId,
    channel_id: channel.id,
    application_id: null,
  });
  const copy = await fetch(`${discord.apiUrl}/v10/webhooks/${foreign.id}/${foreign.token}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: 'a copy', username: 'Ada' }),
  });
  expect(copy.status).toBe(204);
  people.sendMessage(channel, ada, 'the last one');
  await eventually(() => expect(saidIn(fjord).at(-1)).toBe('[Discord] Ada: the last one'), patientMs);
  expect(fjord.game.world.messages.filter(({ text }) => text.includes('a copy'))).toEqual([]);
});

// Guarantee: the picture is that of the player's member in Discord.
test('a picture', async () => {
  await relay(fjord, { toGame: false });
  const { db } = running().api.context.database;
  const player = await db
    .selectFrom('players')
    .select('member_id')
    .where('name', '=', 'Otter')
    .where('platform_id', 'is not', null)
    .executeTakeFirstOrThrow();
  const link = (discordId: string | null) =>
    db.transaction().execute(async (trx) => {
      // People on the Discord server are members already.
      const others = trx.updateTable('members').set({ discord_id: null });
      await others.where('discord_id', '=', discordId).execute();
      const its = trx.updateTable('members').set({ discord_id: discordId });
      await its.where('id', '=', player.member_id).execute();
    });
  await link(ada.user.id);
  say(fjord, 'with a picture');
  await eventually(() => expect(posts()).toHaveLength(1), patientMs);
  const address = discord.state.avatars.get(posts()[0]?.message.author.avatar ?? '');
  expect(address).toContain(`/avatars/${ada.user.id}/${ada.user.avatar}.png`);
  // A person who is not on the Discord server has no picture.
  await link('999999999999999999');
  say(fjord, 'without one');
  await eventually(() => expect(posts()).toHaveLength(2), patientMs);
  expect(posts()[1]?.message.author.avatar).toBeNull();
  await link(null);
});

// Guarantee: two servers of one channel can be distinguished there, and relay each other's lines once if that is switched on.
test('across servers', async () => {
  await relay(fjord);
  await relay(tundra, { fromServers: true });
  say(fjord, 'hello from the [fjord]');
  say(tundra, 'hello back', 'Bob');
  await eventually(
    () =>
      expect(shown().sort()).toEqual(['Bob · Tundra: hello back', 'Otter · Fjord: hello from the [fjord]']),
    patientMs,
  );
  const across = ({ game }: GameOfATest) =>
    game.world.messages.map(({ text }) => text).filter((text) => /^\[(?:Fjord|Tundra)\]/.test(text));
  await eventually(
    () => expect(across(tundra)).toEqual(['[Fjord] Otter: hello from the (fjord)']),
    patientMs,
  );
  people.sendMessage(channel, ada, 'hello all');
  for (const one of [fjord, tundra])
    await eventually(() => expect(saidIn(one).at(-1)).toBe('[Discord] Ada: hello all'), patientMs);
  expect(across(fjord)).toEqual([]);
  expect(across(tundra)).toHaveLength(1);
  expect(shown()).toHaveLength(2);
});

// Guarantee: banned words are masked in both directions; messages above the rate limit are dropped, with one quiet reaction.
test('words and floods', async () => {
  await relay(fjord);
  await filter(['darn*']);
  say(fjord, 'DАRNED rain');
  await eventually(() => expect(shown()).toEqual(['Otter: ****** rain']), patientMs);
  people.sendMessage(channel, ada, 'darn!');
  const before = saidIn(fjord).length;
  await eventually(() => expect(saidIn(fjord).at(-1)).toBe('[Discord] Ada: ****!'), patientMs);
  for (let number = 1; number <= 30; number += 1) people.sendMessage(channel, ada, `number ${number}`);
  const marked = () => [...channel.messages.values()].filter(({ message }) => message.reactions?.length);
  await eventually(() => expect(marked()).toHaveLength(1), patientMs);
  expect(marked()[0]?.message.reactions).toMatchObject([{ emoji: { name: '⏳' } }]);
  await eventually(async () => expect((await relays())[0]?.toGameLeftOut).toBeGreaterThan(5), patientMs);
  expect(saidIn(fjord).length - before).toBeLessThan(25);
});

// Guarantee: when a hundred players speak at the same time, all lines appear in order, in few messages, without a single 429.
test('a crowd', async () => {
  await relay(fjord, { toGame: false });
  const before = discord.requests.length;
  const { db } = running().api.context.database;
  await sql`insert into event_logs (kind, severity, server_id, payload)
      select 'chat.message', 'info', ${fjord.id}::text,
             jsonb_build_object('playerId', null, 'name', 'Player ' || number, 'text', 'line ' || number)
        from generate_series(1, 100) as number`.execute(db);
  const lines = () =>
    shown().flatMap((text) => [...text.matchAll(/line (\d+)/g)].map(([, number]) => Number(number)));
  await eventually(
    () => expect(lines()).toEqual(Array.from({ length: 100 }, (_, index) => index + 1)),
    patientMs,
  );
  expect(posts().length).toBeLessThan(10);
  expect(discord.requests.slice(before).filter(({ status }) => status === 429)).toEqual([]);
});

// Guarantee: a game without players gets no messages; a message of any length becomes one line that the game accepts.
test('where nobody plays', async () => {
  await relay(fjord);
  await relay(tundra);
  for (const { name } of tundra.game.world.players) tundra.game.world.leave(name);
  const { presence } = running().api.context.people;
  await eventually(() => expect(presence.count(tundra.id)).toBe(0), patientMs);
  people.sendMessage(channel, ada, `${'long '.repeat(390)}\nend`);
  await eventually(
    () => expect(saidIn(fjord).at(-1)).toMatch(/^\[Discord\] Ada: (?:long ){59}long…$/),
    patientMs,
  );
  tundra.game.world.join('Otter');
  await eventually(() => expect(presence.count(tundra.id)).toBe(1), patientMs);
  people.sendMessage(channel, ada, 'welcome back');
  await eventually(() => expect(saidIn(tundra).at(-1)).toBe('[Discord] Ada: welcome back'), patientMs);
  expect(saidIn(tundra).filter((line) => line.includes('long'))).toEqual([]);
});

// Guarantee: an offline game is named, unsent messages are counted and never sent later, and other games are not delayed.
test('a game that is away', async () => {
  await relay(fjord);
  await relay(tundra);
  await tundra.game.goOffline();
  await eventually(async () => {
    const found = (await relays()).find(({ serverId }) => serverId === tundra.id);
    expect(found?.obstacles).toEqual(['game-not-online']);
  }, patientMs);
  const leftOut = async () => (await relays()).find(({ serverId }) => serverId === tundra.id)?.toGameLeftOut;
  const before = (await leftOut()) ?? 0;
  people.sendMessage(channel, ada, 'who is there?');
  await eventually(() => expect(saidIn(fjord).at(-1)).toBe('[Discord] Ada: who is there?'), patientMs);
  await eventually(async () => expect(await leftOut()).toBeGreaterThan(before), patientMs);
  await tundra.game.comeBack();
  await withObstacles();
  people.sendMessage(channel, ada, 'back again');
  await eventually(() => expect(saidIn(tundra).at(-1)).toBe('[Discord] Ada: back again'), patientMs);
  expect(saidIn(tundra).filter((line) => line.endsWith('who is there?'))).toEqual([]);
});
