import { once } from 'node:events';
import { type Client, Events, GatewayIntentBits, type Message } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '#harness/eventually.ts';
import { type Discord, startDiscord, usualBot } from './discord.ts';
import type { People } from './people.ts';
import { makeClient, signIn } from './signed-in.ts';

let discord: Discord;
let people: People;

beforeEach(async () => {
  discord = await startDiscord({ settings: { identifyWindowMs: 0 } });
  // Twice in five seconds is too rare for these tests.
  discord.settings.rateLimits = { ...discord.settings.rateLimits, buckets: {} };
  people = discord.addGuild('The Keep', { channels: ['general'] });
});
afterEach(() => discord[Symbol.asyncDispose]());

// Guarantee: a sign-in sends the guild with its channels and roles, and only the bot's own member.
test('sign-in', async () => {
  people.join('Ada');
  await using bot = await signIn(discord);
  const guild = bot.client.guilds.cache.get(people.guild.id);
  expect(guild?.name).toBe('The Keep');
  expect(guild?.channels.cache.map(({ name }) => name)).toEqual(['general']);
  expect(guild?.members.cache.map(({ user }) => user.username)).toEqual([usualBot.name]);
  expect(guild?.memberCount).toBe(3);
  expect(bot.client.application.flags.toArray()).toContain('GatewayMessageContentLimited');
  expect(guild?.channels.cache.first()?.permissionsFor(usualBot.applicationId)?.has('ManageWebhooks')).toBe(
    true,
  );
});

// Guarantee: the whole member list arrives in chunks; joins, changes and leaves arrive as events.
test('members', async () => {
  for (let number = 0; number < 1200; number += 1) people.join(`Player ${number}`);
  await using bot = await signIn(discord);
  const guild = bot.client.guilds.cache.get(people.guild.id);
  const members = await guild?.members.fetch();
  expect(members?.size).toBe(1202);
  // The whole list is sent once per half minute.
  await expect(guild?.members.fetch()).rejects.toMatchObject({ data: { opcode: 8 } });

  const joined = once(bot.client, Events.GuildMemberAdd);
  const ada = people.join('Ada');
  expect((await joined)[0].displayName).toBe('Ada');
  const updated = once(bot.client, Events.GuildMemberUpdate);
  people.setNick(ada, 'The Countess');
  expect((await updated)[1].displayName).toBe('The Countess');
  const left = once(bot.client, Events.GuildMemberRemove);
  people.leave(ada);
  expect((await left)[0].id).toBe(ada.user.id);
});

// Guarantee: events during a lost connection are replayed after the resume, each once.
test.each([
  ['cut like a cable', () => discord.gateway.cut()],
  ['closed with 4000', () => discord.gateway.cut(4000)],
  ['asked to reconnect', () => discord.gateway.reconnect()],
  ['invalid and resumable', () => discord.gateway.invalidate(true)],
])('a connection that is %s', async (_how, lose) => {
  await using bot = await signIn(discord);
  const read: string[] = [];
  bot.client.on(Events.MessageCreate, ({ content }: Message) => read.push(content));
  const ada = people.join('Ada');
  const general = people.channelNamed('general');
  people.sendMessage(general, ada, 'before');
  await eventually(() => expect(read).toEqual(['before']));
  lose();
  await eventually(() => expect([...discord.gateway.sessions.values()][0]?.socket).toBeNull());
  people.sendMessage(general, ada, 'meanwhile');
  people.sendMessage(general, ada, 'meanwhile, too');
  await eventually(() => expect(read).toEqual(['before', 'meanwhile', 'meanwhile, too']));
  people.sendMessage(general, ada, 'after');
  await eventually(() => expect(read.at(-1)).toBe('after'));
  expect(read).toHaveLength(4);
  expect(discord.gateway.resumed).toBe(1);
  expect(discord.gateway.identified).toHaveLength(1);
});

// Guarantee: without acknowledged heartbeats discord.js closes the connection and resumes on another.
test('a zombie', async () => {
  discord.settings.heartbeatIntervalMs = 200;
  await using _bot = await signIn(discord);
  await eventually(() => expect(discord.gateway.heartbeats).toBeGreaterThan(1));
  expect(discord.gateway.resumed).toBe(0);
  discord.faults.withholdAcks = true;
  await eventually(() => expect(discord.gateway.resumed).toBeGreaterThan(0));
});

// Guarantee: an ended or forgotten session is not resumed: a new one begins.
test('a session that is over', async () => {
  await using bot = await signIn(discord);
  expect(bot.client.isReady()).toBe(true);
  discord.settings.sessionLifeMs = -1;
  discord.gateway.cut();
  // The library spaces its IDENTIFYs by five seconds.
  await eventually(() => expect(discord.gateway.identified).toHaveLength(2), 20_000);
  expect(discord.gateway.resumed).toBe(0);
});

const closedBy = async (client: Client, token: string = usualBot.token): Promise<number> => {
  const closed = once(client, Events.ShardDisconnect);
  const refused = client.login(token).then(
    () => null,
    (error: unknown) => error,
  );
  const [event] = (await Promise.race([closed, refused.then((error) => Promise.reject(error))])) as [
    { code: number },
  ];
  await client.destroy();
  return event.code;
};

// Guarantee: a refused token, intent or start has its close code.
test('refusals of a sign-in', async () => {
  await expect(makeClient(discord).login('MTIz.wrong.token')).rejects.toMatchObject({ code: 'TokenInvalid' });
  const presences = makeClient(discord, {
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildPresences],
  });
  expect(await closedBy(presences)).toBe(4014);
  discord.state.application.flags = 0;
  expect(await closedBy(makeClient(discord))).toBe(4014);
  discord.faults.refuseIdentifyWith = 4004;
  expect(await closedBy(makeClient(discord))).toBe(4004);
});

const hello = { op: 10 };
const identify = { op: 2, d: { token: usualBot.token, intents: 1, properties: {} } };

const speak = async (frames: readonly (object | string)[], query = '?v=10&encoding=json') => {
  const socket = new WebSocket(`${discord.apiUrl.replace('http', 'ws').replace('/api', '')}/${query}`);
  const heard: { op: number; t?: string; d?: unknown }[] = [];
  socket.on('message', (bytes: Buffer) => heard.push(JSON.parse(bytes.toString())));
  await once(socket, 'open');
  for (const frame of frames) socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  return { socket, heard, closed: once(socket, 'close').then(([code]) => code as number) };
};

// Guarantee: breaking the gateway's rules closes the connection with Discord's code for it.
test.each<[string, readonly (object | string)[], string | undefined, number]>([
  ['an unknown opcode', [{ op: 99 }], undefined, 4001],
  ['no JSON', ['{'], undefined, 4002],
  ['more than 4096 bytes', [{ op: 1, d: 'x'.repeat(5000) }], undefined, 4002],
  ['a request before IDENTIFY', [{ op: 8, d: {} }], undefined, 4003],
  ['an unknown token', [{ op: 2, d: { ...identify.d, token: 'x' } }], undefined, 4004],
  ['a second IDENTIFY', [identify, identify], undefined, 4005],
  ['more than 120 events', Array.from({ length: 121 }, () => ({ op: 1, d: null })), undefined, 4008],
  ['a shard that is none', [{ op: 2, d: { ...identify.d, shard: [2, 2] } }], undefined, 4010],
  ['another version', [], '?v=8&encoding=json', 4012],
  ['an intent that is none', [{ op: 2, d: { ...identify.d, intents: 1 << 30 } }], undefined, 4013],
])('%s', async (_what, frames, query, code) => {
  const { closed } = await speak(frames, query);
  expect(await closed).toBe(code);
});

// Guarantee: sign-ins are limited: too many at a time must retry, and a resume with wrong values is refused.
test('limits of sign-ins', async () => {
  discord.settings.identifyWindowMs = 60_000;
  const first = await speak([identify]);
  await eventually(() => expect(first.heard).toMatchObject([hello, { t: 'READY' }, { t: 'GUILD_CREATE' }]));
  const second = await speak([identify]);
  await eventually(() => expect(second.heard).toMatchObject([hello, { op: 9, d: false }]));
  const [session_id] = discord.gateway.sessions.keys();
  const liar = await speak([{ op: 6, d: { token: usualBot.token, session_id, seq: 99 } }]);
  expect(await liar.closed).toBe(4007);
  // An app that has used up the day's sign-ins loses its token.
  Object.assign(discord.settings, { identifyWindowMs: 0 });
  discord.settings.sessionStarts.remaining = 0;
  expect(await (await speak([identify])).closed).toBe(4004);
  expect(discord.state.application.tokens.size).toBe(0);
  for (const { socket } of [first, second]) socket.terminate();
});

// Guarantee: compression and other encodings are refused explicitly.
test('what it does not speak', async () => {
  for (const query of ['?v=10&encoding=json&compress=zlib-stream', '?v=10&encoding=etf'])
    await expect(speak([], query)).rejects.toThrow('400');
});

// Guarantee: without the intent, messages have no text, except those that mention the bot.
test('messages without their content', async () => {
  const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages];
  await using bot = await signIn(discord, { intents });
  const read: string[] = [];
  bot.client.on(Events.MessageCreate, ({ content }: Message) => read.push(content));
  const ada = people.join('Ada');
  const general = people.channelNamed('general');
  people.sendMessage(general, ada, 'secret');
  people.sendMessage(general, ada, `<@${usualBot.applicationId}> hello`);
  await eventually(() => expect(read).toEqual(['', `<@${usualBot.applicationId}> hello`]));
});

// Guarantee: a guild in an outage is unavailable during it, and a guild that the bot was removed from is gone.
test('a guild that goes', async () => {
  await using bot = await signIn(discord);
  const { id } = people.guild;
  discord.setGuildAvailable(people.guild, false);
  await eventually(() => expect(bot.client.guilds.cache.get(id)?.available).toBe(false));
  discord.setGuildAvailable(people.guild, true);
  await eventually(() => expect(bot.client.guilds.cache.get(id)?.available).toBe(true));
  people.removeBot();
  await eventually(() => expect(bot.client.guilds.cache.has(id)).toBe(false));
  await expect(bot.client.guilds.fetch(id)).rejects.toMatchObject({ code: 10004 });
});
