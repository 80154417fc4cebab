import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import {
  type BotGuild,
  discordEventsBotHttp,
  discordEventsHttp,
  type EventBatch,
  type EventRule,
  type NewEventRule,
} from '#contracts/discord/discord-events.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, customRole, newServer, person } from '../../kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { mostWaiting } from './event-batches.ts';
import { rowsPerStep } from './lane-scan.ts';

const running = apiForThisFile();
const asOwner = { as: testDesktopCredential };
const asBot = { as: testBotSecret };
const [guildId, channelId, otherChannelId, roleId] = [
  '222222222222222222',
  '333333333333333331',
  '333333333333333332',
  '444444444444444444',
];
const channel = (id: string, more: Partial<BotGuild['channels'][number]> = {}) => ({
  id,
  name: 'log',
  category: null,
  missing: [],
  isRefused: false,
  ...more,
});
const guild: BotGuild = {
  guildId,
  channels: [channel(channelId), channel(otherChannelId)],
  roles: [{ id: roleId, name: 'Staff', isMentionable: true }],
};
const rule: NewEventRule = {
  isEnabled: true,
  channelId,
  // Under load the API itself has something to report.
  kinds: ['chat.message'],
  severities: [],
  serverIds: [],
  roleId: null,
};

const db = () => running().api.context.database.db;
const create = async (body: Partial<NewEventRule> = {}): Promise<EventRule> => {
  const made = await call(running().port, discordEventsHttp.create, {
    ...asOwner,
    body: { ...rule, ...body },
  });
  expect(made.status, made.text).toBe(200);
  return made.json as unknown as EventRule;
};
const report = (body: BotGuild = guild) =>
  call(running().port, discordEventsBotHttp.reportGuild, { ...asBot, body });
const take = async (inProgress: string[] = [], resting: string[] = []): Promise<EventBatch[]> => {
  const answer = await call(running().port, discordEventsBotHttp.take, {
    ...asBot,
    body: { guildId, inProgress, resting },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.batches as EventBatch[];
};
const takeOne = async (): Promise<EventBatch> => {
  const [batch] = await take();
  if (!batch) throw new Error('nothing is handed out');
  return batch;
};
const settle = (id: string, outcome: 'posted' | 'unpostable' = 'posted') =>
  call(running().port, discordEventsBotHttp.settle, { ...asBot, params: { id }, body: { outcome } });
/** Chat from `first` on, numbered, and in the feed: transactions of other tests delay it for a moment. */
const happen = async (
  count: number,
  { first = 1, severity = 'info', serverId = null as string | null } = {},
): Promise<void> => {
  await sql`insert into event_logs (kind, severity, server_id, payload)
      select 'chat.message', ${severity}, ${serverId},
             jsonb_build_object('playerId', null, 'name', 'Otter', 'text', number::text)
        from generate_series(${first}::int, ${first + count - 1}::int) as number`.execute(db());
  await inFeed();
};
const inFeed = () =>
  eventually(async () => {
    const { rows } = await sql<{ waits: boolean }>`
      select max(written_in) >= pg_snapshot_xmin(pg_current_snapshot()) as waits from event_logs`.execute(
      db(),
    );
    expect(rows[0]?.waits).toBe(false);
  }, 60_000);
const texts = ({ events }: EventBatch) => events.map(({ payload }) => Number(payload.text));
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

beforeEach(async () => {
  await db().deleteFrom('discord_event_rules').execute();
  await db().deleteFrom('discord_event_lanes').execute();
  await report();
});

// Guarantee: events after the rule's start are handed out in order, the same ones until they are settled, and never again after.
test('batches', async () => {
  await happen(3);
  await create();
  expect(await take()).toEqual([]);
  await happen(60, { first: 10 });
  const first = await takeOne();
  expect(first).toMatchObject({ channelId, lane: 'rest', isRepeat: false, leftOut: 0, roleIds: [] });
  expect(texts(first)).toEqual(range(10, 59));
  expect(first.id).toHaveLength(12);
  await happen(5, { first: 100 });
  expect(await take([first.id])).toEqual([]);
  const again = await takeOne();
  expect(again).toEqual({ ...first, isRepeat: true });
  await settle(first.id);
  await settle(first.id);
  const second = await takeOne();
  expect(texts(second)).toEqual([...range(60, 69), ...range(100, 104)]);
  await settle(second.id);
  expect(await take()).toEqual([]);
});

// Guarantee: an alert is handed out first, independently of whatever else waits.
test('alerts', async () => {
  await create();
  await happen(100);
  const rest = await takeOne();
  await happen(1, { first: 500, severity: 'alert' });
  const [alert, ...others] = await take();
  if (!alert) throw new Error('no alert');
  expect(alert).toMatchObject({ lane: 'alerts', isRepeat: false });
  expect(texts(alert)).toEqual([500]);
  expect(others.map(({ id }) => id)).toEqual([rest.id]);
});

// Guarantee: a rule gets what it asks for and nothing else; its role is mentioned for its own events; no address is shown.
test('what a rule wants', async () => {
  const serverId = await newServer(running().port, { name: 'Fjord' });
  await create({ kinds: ['chat.message'], serverIds: [serverId], roleId });
  await create({ kinds: ['login.failed'] });
  await create({ channelId: otherChannelId, severities: ['alert'], roleId: '999999999999999999' });
  await happen(1);
  await happen(1, { first: 2, serverId });
  await happen(1, { first: 3, severity: 'alert' });
  await sql`insert into event_logs (kind, severity, payload)
            values ('login.failed', 'notice', '{"name":"Ada","address":"192.0.2.1"}')`.execute(db());
  await inFeed();
  const batches = await take();
  const told = batches.map((batch) => [batch.channelId, batch.lane, batch.roleIds, batch.events.length]);
  expect(told).toEqual([
    [otherChannelId, 'alerts', [], 1],
    [channelId, 'rest', [roleId], 2],
  ]);
  expect(batches[1]?.events).toMatchObject([
    { payload: { text: '2' }, serverName: 'Fjord' },
    { payload: { name: 'Ada', address: '' }, serverName: null },
  ]);
});

// Guarantee: who joins and leaves Discord is reported by rules that name these kinds, and not by a rule of all kinds.
test('a rule of all kinds', async () => {
  await create({ kinds: [], severities: ['info'], roleId });
  await create({ channelId: otherChannelId, kinds: ['discord.member-left'] });
  await sql`insert into event_logs (kind, severity, payload)
            select kind, 'info', '{"discordId":"1","name":"Ada"}'
              from unnest(array['discord.member-joined', 'discord.member-left']) as kind`.execute(db());
  await happen(1);
  const batches = await take();
  const kindsIn = (id: string) =>
    batches.find(({ channelId: of }) => of === id)?.events.map(({ kind }) => kind) ?? [];
  expect(kindsIn(channelId)).toContain('chat.message');
  expect(kindsIn(channelId).filter((kind) => kind.startsWith('discord.member-'))).toEqual([]);
  expect(kindsIn(otherChannelId)).toEqual(['discord.member-left']);
});

// Guarantee: with too many events, the number left out is counted and reported, once, and the newest are posted.
test('too many', async () => {
  const { id } = await create();
  await happen(mostWaiting + 30);
  const first = await takeOne();
  expect(first).toMatchObject({ leftOut: 30 });
  expect(texts(first)).toEqual(range(31, 80));
  expect(await takeOne()).toEqual({ ...first, isRepeat: true });
  await settle(first.id);
  const second = await takeOne();
  expect(second).toMatchObject({ leftOut: 0 });
  expect(texts(second)[0]).toBe(81);
  await settle(second.id, 'unpostable');
  const { json } = await call(running().port, discordEventsHttp.list, asOwner);
  expect((json.rules as EventRule[]).find((one) => one.id === id)?.leftOut).toBe(80);
});

// Guarantee: when a backlog is read in many steps, the events left out are counted exactly, and rare ones are found.
test('a long backlog', async () => {
  await create();
  await create({ channelId: otherChannelId, kinds: ['login.failed'] });
  const steps = 2;
  const count = steps * rowsPerStep + 777;
  await happen(count);
  await sql`insert into event_logs (kind, severity, payload)
            values ('login.failed', 'notice', '{"name":"Ada","address":""}')`.execute(db());
  await inFeed();
  const taken = new Map<string, EventBatch>();
  await eventually(async () => {
    for (const batch of await take()) taken.set(batch.channelId, batch);
    expect(taken.size).toBe(2);
  });
  const chat = taken.get(channelId);
  const failed = taken.get(otherChannelId);
  if (!chat || !failed) throw new Error('a batch is missing');
  expect(chat).toMatchObject({ leftOut: count - mostWaiting });
  expect(texts(chat)).toEqual(range(count - mostWaiting + 1, count - mostWaiting + 50));
  expect(failed.events).toMatchObject([{ kind: 'login.failed' }]);
  await settle(chat.id);
  await settle(failed.id);
  const next = await takeOne();
  expect(next).toMatchObject({ leftOut: 0 });
  expect(texts(next)[0]).toBe(count - mostWaiting + 51);
  // A rule that is changed in the meantime searches again, from the channel's position.
  await settle(next.id);
  await create({ kinds: ['login.failed'] });
  const last = await takeOne();
  expect(texts(last)[0]).toBe(count - mostWaiting + 101);
});

// Guarantee: for a resting channel only alerts are handed out, so that the next batch holds what comes in the meantime.
test('a channel that rests', async () => {
  await create();
  await happen(2);
  await happen(1, { first: 500, severity: 'alert' });
  const [alert, ...others] = await take([], [channelId]);
  expect(others).toEqual([]);
  expect(alert).toMatchObject({ lane: 'alerts' });
  await settle(alert?.id ?? '');
  await happen(2, { first: 3 });
  expect(texts(await takeOne())).toEqual(range(1, 4));
});

// Guarantee: in a database that was moved to another cluster, where transactions have lower numbers, a channel
// continues after the last event that it had settled, and reports nothing again.
test('a database from another cluster', async () => {
  await create();
  await create({ channelId: otherChannelId });
  const ahead = '9000000000';
  await happen(5);
  await sql`update event_logs set written_in = (${ahead}::bigint + (payload->>'text')::bigint)::text::xid8
             where payload->>'name' = 'Otter' and written_in >= (select min(written_in) from discord_event_lanes)`.execute(
    db(),
  );
  const idOf = (text: number) => sql`
    (select max(id) from event_logs where written_in > ${ahead}::xid8 and payload->>'text' = ${String(text)})`;
  // One has settled two; the other holds a batch of the first three.
  await sql`update discord_event_lanes set written_in = '9000000002', event_id = ${idOf(2)}
             where channel_id = ${channelId} and lane = 'rest'`.execute(db());
  await sql`update discord_event_lanes set written_in = '9000000000', event_id = 0, batch = 'held',
                   batch_written_in = '9000000003', batch_event_id = ${idOf(3)}, batch_opened_at = now()
             where channel_id = ${otherChannelId} and lane = 'rest'`.execute(db());
  await running().api.context.discord.discordEvents.prepare();
  await happen(1, { first: 6 });
  const batches = await take();
  const told = (id: string) => batches.find((batch) => batch.channelId === id);
  const [one, other] = [told(channelId), told(otherChannelId)];
  if (!one || !other) throw new Error('a lane is silent');
  expect(texts(one)).toEqual([3, 4, 5, 6]);
  expect(other).toMatchObject({ id: 'held', isRepeat: true });
  expect(texts(other)).toEqual([1, 2, 3]);
  await settle('held');
  await settle(one.id);
  expect(texts(await takeOne())).toEqual([4, 5, 6]);
});

// Guarantee: a channel that is gone or closed to the bot keeps its events for later, and its rule says why.
test('a channel in trouble', async () => {
  const { id } = await create({ roleId });
  const obstacle = async (channels: BotGuild['channels'], roles = guild.roles) => {
    await report({ ...guild, channels, roles });
    const { json } = await call(running().port, discordEventsHttp.list, asOwner);
    return (json.rules as EventRule[]).find((one) => one.id === id);
  };
  await happen(2);
  expect(await obstacle([])).toMatchObject({ obstacle: 'channel-unknown', postedAt: null });
  expect(await take()).toEqual([]);
  expect(await obstacle([channel(channelId, { missing: ['embedLinks'] })])).toMatchObject({
    obstacle: 'permissions-missing',
    missing: ['embedLinks'],
  });
  expect(await obstacle([channel(channelId, { isRefused: true })])).toMatchObject({ obstacle: 'refused' });
  expect(await take()).toEqual([]);
  expect(await obstacle([channel(channelId)], [])).toMatchObject({ obstacle: 'role-unknown' });
  const closed = [{ id: roleId, name: 'Staff', isMentionable: false }];
  expect(await obstacle([channel(channelId)], closed)).toMatchObject({ obstacle: 'role-not-mentionable' });
  await report({ ...guild, isUnavailable: true });
  const { json } = await call(running().port, discordEventsHttp.list, asOwner);
  expect(json.rules).toContainEqual(expect.objectContaining({ id, obstacle: 'guild-unavailable' }));
  expect(await obstacle([channel(channelId)])).toMatchObject({ obstacle: null });
  const batch = await takeOne();
  expect(texts(batch)).toEqual([1, 2]);
  await settle(batch.id);
  const after = await obstacle([channel(channelId)]);
  expect(after?.postedAt).toEqual(expect.any(String));
});

// Guarantee: a rule that is switched off reports nothing, not even later; another channel begins at its own time.
test('switched off', async () => {
  const { id, version } = await create();
  await happen(1);
  const change = (body: object) =>
    call(running().port, discordEventsHttp.change, {
      ...asOwner,
      params: { id },
      body: body as { version: number },
    });
  expect((await change({ version, isEnabled: false })).json).toMatchObject({ version: 2, isEnabled: false });
  expect(await take()).toEqual([]);
  expect((await change({ version, isEnabled: true })).status).toBe(409);
  await change({ version: 2, isEnabled: true });
  expect(await take()).toEqual([]);
  await happen(1, { first: 7 });
  await change({ version: 3, channelId: otherChannelId });
  await happen(1, { first: 8 });
  expect((await take()).map((batch) => [batch.channelId, texts(batch)])).toEqual([[otherChannelId, [8]]]);
  expect((await call(running().port, discordEventsHttp.remove, { ...asOwner, params: { id } })).status).toBe(
    200,
  );
  expect(await take()).toEqual([]);
  const audit = await db()
    .selectFrom('audit_logs')
    .select('action')
    .where('target', '=', `discord-event-rule:${id}`)
    .orderBy('id')
    .execute();
  const changes = ['discord.change-rule', 'discord.change-rule', 'discord.change-rule'];
  expect(audit.map(({ action }) => action)).toEqual([
    'discord.create-rule',
    ...changes,
    'discord.remove-rule',
  ]);
});

// Guarantee: no one sends to Discord what they may not read, and events are handed to the bot alone.
test('who may', async () => {
  const { port } = running();
  const noEvents = await customRole(port, ['settings.read', 'settings.write']);
  const { token } = await person(port, { role: noEvents });
  expect((await call(port, discordEventsHttp.create, { as: token, body: rule })).json.code).toBe('FORBIDDEN');
  expect((await call(port, discordEventsHttp.list, { as: token })).status).toBe(200);
  for (const endpoint of Object.values(discordEventsBotHttp)) {
    const answer = await call(port, endpoint, { ...asOwner, params: { id: 'x' } });
    expect(answer.json.code).toBe('FORBIDDEN');
  }
});

// Guarantee: a test message is handed to the bot once, and its sender gets the result; without a bot, immediately.
test('a test message', async () => {
  const { port } = running();
  const ask = (id: string) =>
    call(port, discordEventsHttp.test, { ...asOwner, body: { channelId: id, roleId: null } });
  expect((await ask('999999999999999999')).json).toEqual({ outcome: 'channel-unknown' });
  const asked = ask(channelId);
  const takeTests = async () => {
    const body = { guildId, inProgress: [], resting: [] };
    const { json } = await call(port, discordEventsBotHttp.take, { ...asBot, body });
    return json.tests as { id: string; channelId: string }[];
  };
  let tests: { id: string; channelId: string }[] = [];
  await expect
    .poll(async () => {
      tests = await takeTests();
      return tests.length;
    })
    .toBe(1);
  expect(tests[0]).toMatchObject({ channelId });
  expect(await takeTests()).toEqual([]);
  const params = { id: tests[0]?.id ?? '' };
  await call(port, discordEventsBotHttp.settleTest, { ...asBot, params, body: { outcome: 'refused' } });
  expect((await asked).json).toEqual({ outcome: 'refused' });
});
