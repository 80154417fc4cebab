import type { DiscordAPIError, TextChannel } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Discord, startDiscord, usualBot } from './discord.ts';
import { nextTimes } from './faults.ts';
import type { People } from './people.ts';
import { type SignedIn, signIn } from './signed-in.ts';
import type { Channel } from './state.ts';

let discord: Discord;
let people: People;
let bot: SignedIn;
let general: Channel;
let text: TextChannel;
let clock = 0;

beforeEach(async () => {
  clock = 0;
  discord = await startDiscord({ settings: { identifyWindowMs: 0 }, now: () => Date.now() + clock });
  people = discord.addGuild('The Keep', { channels: ['general'] });
  general = people.channelNamed('general');
  bot = await signIn(discord, { rest: { timeout: 2000, offset: 0 } });
  text = bot.text(general.id);
});
afterEach(async () => {
  await bot[Symbol.asyncDispose]();
  await discord[Symbol.asyncDispose]();
});

const contents = () => people.messagesIn(general).map(({ message }) => message.content);
const isPost = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path.endsWith('/messages');
const refusal = (work: Promise<unknown>): Promise<DiscordAPIError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: DiscordAPIError) => error,
  );

// Guarantee: within some minutes, a repeated nonce returns the first message, also if the first answer was lost.
test('a nonce that is enforced', async () => {
  discord.faults.fateOf = nextTimes(1, 'lose-answer', isPost);
  // discord.js retries after a reset connection, but not after a closed one.
  const lost = await refusal(text.send({ content: 'once', nonce: 'event-1', enforceNonce: true }));
  expect(lost).toMatchObject({ code: 'UND_ERR_SOCKET' });
  expect(contents()).toEqual(['once']);
  const first = await text.send({ content: 'once', nonce: 'event-1', enforceNonce: true });
  const again = await text.send({ content: 'once', nonce: 'event-1', enforceNonce: true });
  expect(again.id).toBe(first.id);
  expect(first.nonce).toBe('event-1');
  expect(contents()).toEqual(['once']);
  // The history does not contain the nonce.
  const [told] = (await bot.client.rest.get(`/channels/${general.id}/messages`)) as object[];
  expect(told).not.toHaveProperty('nonce');

  await text.send({ content: 'unenforced', nonce: 'event-1' });
  expect(contents()).toEqual(['once', 'unenforced']);
  clock += 10 * 60_000;
  await text.send({ content: 'later', nonce: 'event-1', enforceNonce: true });
  expect(contents()).toEqual(['once', 'unenforced', 'later']);
  expect(await refusal(text.send({ content: 'x', nonce: 'n'.repeat(26) }))).toMatchObject({ code: 50035 });
});

// Guarantee: a message that has been deleted is not posted again by its nonce.
test('the nonce of a deleted message', async () => {
  const sent = await text.send({ content: 'once', nonce: '7', enforceNonce: true });
  await sent.delete();
  expect(await refusal(text.send({ content: 'once', nonce: '7', enforceNonce: true }))).toMatchObject({
    code: 10008,
  });
});

// Guarantee: a bucket's headers are correct: discord.js follows them and is never refused.
test('a bucket', async () => {
  const buckets = { 'create-message': { limit: 2, windowMs: 300 } };
  discord.settings.rateLimits = { ...discord.settings.rateLimits, buckets };
  const numbers = Array.from({ length: 7 }, (_, index) => String(index));
  await Promise.all(numbers.map((number) => text.send(number)));
  expect(contents()).toEqual(numbers);
  expect(discord.requests.filter(({ status }) => status === 429)).toEqual([]);
});

// Guarantee: each channel has its own buckets.
test('buckets of two channels', async () => {
  const buckets = { 'create-message': { limit: 1, windowMs: 60_000 } };
  discord.settings.rateLimits = { ...discord.settings.rateLimits, buckets };
  const other = people.createChannel('other');
  await text.send('here');
  await bot.client.rest.post(`/channels/${other.id}/messages`, { body: { content: 'there' } });
  expect(people.messagesIn(other)).toHaveLength(1);
});

// Guarantee: a 429 makes discord.js wait and repeat; it counts as an invalid request.
test.each([
  ['of a user', 'user', 1],
  ['of a resource', 'shared', 0],
  ['global', 'global', 1],
] as const)('a 429 %s', async (_whose, scope, counted) => {
  discord.faults.fateOf = nextTimes(1, { throttleMs: 300, scope }, isPost);
  await text.send('through');
  expect(contents()).toEqual(['through']);
  expect(discord.requests.filter(isPost).map(({ status }) => status)).toEqual([429, 200]);
  expect(discord.invalidRequests).toBe(counted);
});

// Guarantee: more requests per second than allowed are refused globally, regardless of their buckets.
test('the global limit', async () => {
  discord.settings.rateLimits = { ...discord.settings.rateLimits, globalPerSecond: 3 };
  const channels = Array.from({ length: 5 }, (_, index) => people.createChannel(`c${index}`));
  const post = ({ id }: Channel) =>
    bot.client.rest.post(`/channels/${id}/messages`, { body: { content: 'x' } });
  await Promise.all(channels.map(post));
  expect(channels.map((channel) => people.messagesIn(channel).length)).toEqual([1, 1, 1, 1, 1]);
  expect(discord.requests.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
});

// Guarantee: an address with too many invalid requests is blocked, as by Cloudflare.
test('too many invalid requests', async () => {
  discord.settings.rateLimits = { ...discord.settings.rateLimits, invalidRequests: 3 };
  const ask = () => fetch(`${discord.apiUrl}/v10/users/@me`, { headers: { Authorization: 'Bot wrong' } });
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await ask()).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
  expect(await (await ask()).text()).toBe('error code: 1015');
});

// Guarantee: requests for missing or forbidden things are refused with Discord's status and code.
test('refusals', async () => {
  const { rest } = bot.client;
  const at = `/channels/${general.id}/messages` as const;
  const expectCode = async (work: Promise<unknown>, status: number, code: number) =>
    expect(await refusal(work)).toMatchObject({ status, code });
  await expectCode(rest.get('/channels/1'), 404, 10003);
  await expectCode(rest.get('/guilds/1'), 404, 10004);
  await expectCode(rest.get(`${at}/1`), 404, 10008);
  await expectCode(rest.get('/nowhere'), 404, 0);
  await expectCode(rest.delete('/gateway/bot'), 405, 0);
  await expectCode(
    rest.put(`/applications/${usualBot.applicationId}/guilds/1/commands`, { body: [] }),
    403,
    50001,
  );
  await expectCode(rest.post(at, { body: { content: ' ' } }), 400, 50006);

  const ada = people.join('Ada');
  const hers = people.sendMessage(general, ada, 'mine');
  await expectCode(rest.patch(`${at}/${hers.message.id}`, { body: { content: 'ours' } }), 403, 50005);
  await expectCode(rest.delete(`${at}/${hers.message.id}`), 403, 50013);
  people.setOverwrite(general, usualBot.applicationId, { deny: ['readMessageHistory', 'embedLinks'] });
  expect(await rest.get(at)).toEqual([]);
  await expectCode(rest.post(at, { body: { embeds: [{ title: 'x' }] } }), 403, 50013);
  people.setOverwrite(general, usualBot.applicationId, { deny: ['viewChannel'] });
  await expectCode(rest.post(at, { body: { content: 'x' } }), 403, 50001);
  people.deleteChannel(general);
  await expectCode(rest.post(at, { body: { content: 'x' } }), 404, 10003);
});

// Guarantee: a form that breaks the limits is refused with each error under its field.
test('an invalid form', async () => {
  const fields = Array.from({ length: 26 }, () => ({ name: 'n', value: 'v' }));
  const embeds = [
    { title: 't'.repeat(257), description: 'd'.repeat(4097), fields },
    { fields: [{ name: '', value: 'v'.repeat(1025) }], image: { url: 'javascript:alert(1)' } },
  ];
  const { rawError } = await refusal(text.send({ content: '🏰'.repeat(2001), embeds }));
  const fault = (code: string) => ({ _errors: [expect.objectContaining({ code })] });
  const tooLong = fault('BASE_TYPE_MAX_LENGTH');
  expect(rawError).toMatchObject({
    code: 50035,
    message: 'Invalid Form Body',
    errors: {
      content: tooLong,
      embeds: {
        0: { title: tooLong, description: tooLong, fields: tooLong },
        1: {
          fields: { 0: { name: fault('BASE_TYPE_REQUIRED'), value: tooLong } },
          image: { url: fault('URL_TYPE_INVALID_SCHEME') },
        },
      },
    },
  });
  const six = Array.from({ length: 2 }, () => ({ description: 'd'.repeat(3001) }));
  const total = await refusal(text.send({ embeds: six }));
  expect(total.rawError).toMatchObject({ errors: { embeds: fault('MAX_EMBED_SIZE_EXCEEDED') } });
  // Characters, not UTF-16 units.
  await text.send('🏰'.repeat(2000));
  await text.send({ embeds: [{ title: 't'.repeat(256), description: 'd'.repeat(4096) }] });
});

// Guarantee: an error at Discord means that nothing was done, or that it was done although the answer says otherwise.
test('trouble', async () => {
  discord.faults.fateOf = nextTimes(1, { status: 502 }, isPost);
  await text.send('after a 502');
  discord.faults.fateOf = nextTimes(1, 'drop', isPost);
  expect(await refusal(text.send('into the void'))).toMatchObject({ code: 'UND_ERR_SOCKET' });
  expect(contents()).toEqual(['after a 502']);
  discord.faults.fateOf = nextTimes(1, { status: 500, isDone: true }, isPost);
  await text.send('twice');
  expect(contents().filter((content) => content === 'twice')).toHaveLength(2);
});

// Guarantee: an edited message stays in place; a deleted one, or one that may no longer be edited, is refused as such.
test('edits', async () => {
  const sent = await text.send({ embeds: [{ title: 'Ragnarok', description: '3 players' }] });
  await sent.edit({ embeds: [{ title: 'Ragnarok', description: '4 players' }] });
  expect(people.messagesIn(general)).toHaveLength(1);
  expect(people.messagesIn(general)[0]).toMatchObject({ edits: 1 });
  expect((await text.messages.fetch(sent.id)).embeds[0]?.description).toBe('4 players');

  const [stored] = people.messagesIn(general);
  if (stored) people.deleteMessage(stored);
  expect(await refusal(text.messages.edit(sent.id, 'x'))).toMatchObject({ status: 404, code: 10008 });

  const old = await text.send('old');
  clock += 2 * 3_600_000;
  await text.messages.edit(old.id, 'edited');
  discord.faults.refuseOldEdits = true;
  // discord.js would wait and retry forever.
  const answer = await fetch(`${discord.apiUrl}/v10/channels/${general.id}/messages/${old.id}`, {
    method: 'PATCH',
    headers: { Authorization: `Bot ${usualBot.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: 'x' }),
  });
  expect(answer.status).toBe(429);
  expect(await answer.json()).toMatchObject({ code: 30046 });
});

// Guarantee: the history can be paged in both directions, newest first.
test('history', async () => {
  const ada = people.join('Ada');
  const ids = Array.from(
    { length: 6 },
    (_, index) => people.sendMessage(general, ada, `${index}`).message.id,
  );
  const page = async (options: object) =>
    [...(await text.messages.fetch({ ...options, cache: false })).values()].map(({ content }) => content);
  expect(await page({ limit: 2 })).toEqual(['5', '4']);
  expect(await page({ limit: 2, before: ids[2] })).toEqual(['1', '0']);
  expect(await page({ limit: 2, after: ids[2] })).toEqual(['4', '3']);
  expect(await page({ limit: 3, around: ids[2] })).toEqual(['3', '2', '1']);
});

// Guarantee: the pinged people are known, from the text, the permissions and allowed_mentions.
test('mentions', async () => {
  const ada = people.join('Ada');
  const role = people.createRole('Staff', { mentionable: true });
  const shy = people.createRole('Shy');
  const content = `@everyone <@${ada.user.id}> <@&${role.id}> <@&${shy.id}>`;
  await text.send(content);
  await text.send({ content, allowedMentions: { parse: [] } });
  await text.send({ content, allowedMentions: { roles: [role.id] } });
  await text.send({ content: `\`<@${ada.user.id}>\``, embeds: [{ description: content }] });
  const { id: userId } = ada.user;
  expect(people.messagesIn(general).map(({ pinged }) => pinged)).toEqual([
    { users: [userId], roles: [role.id], everyone: false },
    { users: [], roles: [], everyone: false },
    { users: [], roles: [role.id], everyone: false },
    { users: [], roles: [], everyone: false },
  ]);
});

// Guarantee: only roles below the bot's own can be given, and only to members.
test('roles of members', async () => {
  const ada = people.join('Ada');
  const linked = people.createRole('Linked', { position: 2 });
  const high = people.createRole('Admin', { position: 20 });
  const guild = await bot.client.guilds.fetch(people.guild.id);
  const member = await guild.members.fetch(ada.user.id);
  await member.roles.add(linked.id);
  expect(ada.roles).toEqual([linked.id]);
  await member.roles.remove(linked.id);
  expect(ada.roles).toEqual([]);
  expect(await refusal(member.roles.add(high.id))).toMatchObject({ code: 50013 });
  people.deleteRole(linked);
  expect(await refusal(member.roles.add(linked.id))).toMatchObject({ code: 10011 });
  people.leave(ada);
  expect(await refusal(guild.members.fetch({ user: ada.user.id, force: true }))).toMatchObject({
    code: 10007,
  });
});

// Guarantee: a file is stored completely and served again.
test('attachments', async () => {
  const sent = await text.send({ files: [{ attachment: Buffer.from('a picture'), name: 'map.png' }] });
  const attachment = sent.attachments.first();
  expect(attachment?.name).toBe('map.png');
  expect(await (await fetch(attachment?.url ?? '')).text()).toBe('a picture');
});

// Guarantee: a webhook posts under names that Discord allows, and a channel has at most fifteen webhooks.
test('webhooks', async () => {
  const webhook = await text.createWebhook({ name: 'Chat relay' });
  const sent = await webhook.send({
    content: 'hello @everyone',
    username: 'Ada',
    avatarURL: 'https://example.org/ada.png',
  });
  const [stored] = people.messagesIn(general);
  expect(stored?.message).toMatchObject({
    id: sent.id,
    webhook_id: webhook.id,
    author: { username: 'Ada', bot: true },
  });
  expect(stored?.pinged.everyone).toBe(false);
  const picture = await fetch(sent.author.displayAvatarURL(), { redirect: 'manual' });
  expect(picture.headers.get('location')).toBe('https://example.org/ada.png');
  for (const username of ['My Discord', 'clyde', ' '])
    expect(await refusal(webhook.send({ content: 'x', username }))).toMatchObject({ code: 50035 });
  for (let count = 1; count < 15; count += 1)
    discord.state.webhooks.set(`${count}`, {
      ...discord.state.webhooks.get(webhook.id),
      id: `${count}`,
    } as never);
  expect((await text.fetchWebhooks()).size).toBe(15);
  expect(await refusal(text.createWebhook({ name: 'x' }))).toMatchObject({ code: 30007 });
  discord.state.webhooks.delete(webhook.id);
  expect(await refusal(webhook.send('x'))).toMatchObject({ code: 10015 });
});
