import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { discordUsersHttp } from '#contracts/discord/discord-users.ts';
import { eventually } from '#harness/eventually.ts';
import { offlineUuid } from '../../../tests/simulators/identities.ts';
import { type MinecraftSimulator, startMinecraft } from '../../../tests/simulators/minecraft-simulator.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { asDiscord } from '../../kernel/testing/discord-user.ts';
import { trustChat } from '../../kernel/testing/trust-chat.ts';

const running = apiForThisFile({ newcomerMs: 0 });
const port = () => running().port;
const context = () => running().api.context;
const db = () => context().database.db;
let game: MinecraftSimulator;
let serverId: string;

beforeAll(async () => {
  game = await startMinecraft();
  const { password } = game;
  serverId = await newServer(port(), { host: '127.0.0.1', port: game.port, password });
  await eventually(() => expect(context().servers.directory.get(serverId)).not.toBeNull());
  await trustChat(port(), serverId);
});
afterAll(() => game[Symbol.asyncDispose]());

let people = 0;
const newDiscordId = () => {
  people += 1;
  return String(300_000_000_000_000_000n + BigInt(people));
};
/** As the game itself lists them on request. */
const parsePlatformId = (name: string) => `minecraft:${offlineUuid(name)}`;
/** Players who are there, from now on and from before. */
const present: string[] = [];
const join = async (name: string) => {
  const { presence } = context().people;
  game.world.join(name);
  present.push(name);
  const list = present.map((one) => ({
    name: one,
    platformId: parsePlatformId(one),
    handle: one,
  }));
  presence.report(serverId, 'direct', list);
  await eventually(() =>
    expect(presence.read(serverId).players?.map((player) => player.name)).toContain(name),
  );
};
const say = (name: string, text: string, { isNamed = false, at = new Date() } = {}) =>
  context().people.presence.observe(serverId, [
    {
      kind: 'chat',
      player: { name, platformId: isNamed ? null : parsePlatformId(name) },
      text,
      at,
      key: randomUUID(),
    },
  ]);
const whispers = (name: string) =>
  game.world.messages.filter(({ to }) => to === name).map(({ text }) => text);
/** The newest whisper once there are this many. */
const whisper = (name: string, count: number) =>
  eventually(() => {
    const all = whispers(name);
    expect(all).toHaveLength(count);
    return all[count - 1] ?? '';
  });
/** On the Discord server, under a name that others could have, too. */
const listed = (id: string, username = `user.${id.slice(-3)}`) =>
  db()
    .insertInto('discord_guild_members')
    .values({ discord_id: id, name: 'Bob', name_key: 'bob', username, is_bot: false, seen_in: 'r' } as never)
    .onConflict((conflict) => conflict.column('discord_id').doNothing())
    .execute();
const codeFor = async (id: string) => {
  await listed(id);
  return codeOf(id);
};
const codeOf = async (id: string) =>
  String((await call(port(), discordUsersHttp.linkCode, asDiscord({ id }))).json.code);
const memberOf = async (id: string) =>
  (await call(port(), discordUsersHttp.me, asDiscord({ id }))).json.member as { players: unknown[] } | null;
const link = (id: string, code: string) =>
  call(port(), discordUsersHttp.link, { ...asDiscord({ id }), body: { code } });

/** From what is whispered after a code was typed: whose code it is, and the number that confirms it. */
const numberIn = (text: string) => /!link (\d{6})$/.exec(text)?.[1] ?? '';

// Guarantee: a code from Discord, typed in the game, links no one before the player was told whose code it is and typed
// the number back; the code is used up immediately, so that no one who reads it in the chat can use it.
test('a code from Discord', async () => {
  await join('Ann');
  await join('Bob');
  const id = newDiscordId();
  await listed(id, 'ada.01');
  expect(await memberOf(id)).toBeNull();
  const code = await codeFor(id);
  await say('Ann', `!LINK  ${code.toLowerCase()} `);
  const told = await whisper('Ann', 1);
  expect(told).toContain('Discord ada.01: ');
  expect(await memberOf(id)).toBeNull();
  await say('Bob', `!link ${code}`);
  expect(await whisper('Bob', 1)).toContain('wrong or too old');
  // Another player's number works for no one else.
  await say('Bob', `!link ${numberIn(told)}`);
  expect(await whisper('Bob', 2)).toContain('wrong or too old');
  await say('Ann', `!link ${numberIn(told)}`);
  expect(await whisper('Ann', 2)).toBe('Linked. / Vinculado.');
  expect((await memberOf(id))?.players).toEqual([{ name: 'Ann', game: 'minecraft' }]);
  const [row] = await db()
    .selectFrom('audit_logs')
    .selectAll()
    .where('action', '=', 'members.merge')
    .execute();
  expect(row).toMatchObject({ actor: expect.stringMatching(/^player:\d+$/), actor_name: 'Ann' });
});

// Guarantee: three wrong numbers end the question; a number without a question, as after a restart, is reported as useless.
test('wrong numbers', async () => {
  await join('Max');
  await say('Max', '!link 123456');
  expect(await whisper('Max', 1)).toContain('wrong or too old');

  await join('Dan');
  const id = newDiscordId();
  await say('Dan', `!link ${await codeFor(id)}`, { isNamed: true });
  const right = numberIn(await whisper('Dan', 1));
  const wrong = right === '000000' ? '000001' : '000000';
  for (let guess = 0; guess < 3; guess += 1) {
    await say('Dan', `!link ${wrong}`, { isNamed: true });
    await whisper('Dan', 2 + guess);
  }
  await say('Dan', `!link ${right}`, { isNamed: true });
  expect(await whisper('Dan', 5)).toContain('wrong or too old');
  expect(await memberOf(id)).toBeNull();
});

// Guarantee: a code that was typed in the chat is used up, whatever the result: others have read it there.
test('a code that is refused', async () => {
  await join('Hal');
  const [id, other] = [newDiscordId(), newDiscordId()];
  await say('Hal', `!link ${await codeFor(id)}`);
  await say('Hal', `!link ${numberIn(await whisper('Hal', 1))}`);
  await whisper('Hal', 2);
  const code = await codeFor(other);
  await say('Hal', `!link ${code}`);
  expect(await whisper('Hal', 3)).toContain('cannot be linked');
  await join('Ivy');
  await say('Ivy', `!link ${code}`);
  expect(await whisper('Ivy', 1)).toContain('wrong or too old');

  const [late, unknown, limited] = [await codeFor(other), await codeFor(newDiscordId()), await codeFor(id)];
  await say('Ivy', `!link ${late}`, { at: new Date(Date.now() - 600_000) });
  await say('Nobody', `!link ${unknown}`, { isNamed: true });
  for (let count = 0; count < 6; count += 1) await say('Ivy', '!link 123456');
  await say('Ivy', `!link ${limited}`);
  await eventually(async () =>
    expect(await db().selectFrom('member_link_codes').select('member_id').execute()).toEqual([]),
  );
});

// Guarantee: only a code of someone who is on the Discord server is accepted in the game, shown with the user name that no one else has.
test('a code of no one in Discord', async () => {
  await join('Gus');
  const [unlisted, nameless, forged, gone] = [newDiscordId(), newDiscordId(), newDiscordId(), newDiscordId()];
  await listed(nameless, '');
  await listed(forged, 'ada.01: that is you');
  await listed(gone);
  await db()
    .updateTable('discord_guild_members')
    .set({ left_at: new Date() })
    .where('discord_id', '=', gone)
    .execute();
  for (const [count, id] of [unlisted, nameless, forged, gone].entries()) {
    await say('Gus', `!link ${await codeOf(id)}`);
    expect(await whisper('Gus', count + 1)).toContain('that code in Discord');
  }
});

// Guarantee: someone who only has the same name as a player can neither take away the player's question, nor answer it,
// nor use up the player's tries.
test('a question that another interferes with', async () => {
  await join('Joe');
  const [own, foreign, later] = [newDiscordId(), newDiscordId(), newDiscordId()];
  await say('Joe', `!link ${await codeFor(own)}`);
  const number = numberIn(await whisper('Joe', 1));
  await say('Joe', `!link ${await codeFor(foreign)}`, { isNamed: true });
  expect(await whisper('Joe', 2)).toContain('question from before');
  for (let count = 0; count < 6; count += 1) await say('Joe', '!link 123456', { isNamed: true });
  await say('Joe', `!link ${number}`);
  await eventually(() => expect(whispers('Joe')).toContain('Linked. / Vinculado.'));
  expect((await memberOf(own))?.players).toHaveLength(1);
  expect(await memberOf(foreign)).toBeNull();

  // The named account belongs to someone else now.
  await join('Kim');
  await say('Kim', `!link ${await codeFor(later)}`);
  const asked = numberIn(await whisper('Kim', 1));
  await db()
    .updateTable('members')
    .set({ discord_id: newDiscordId() })
    .where('discord_id', '=', later)
    .execute();
  await say('Kim', `!link ${asked}`);
  expect(await whisper('Kim', 2)).toContain('cannot be linked');
});

// Guarantee: nothing is whispered to a name that several present players share, or to a player who is not there.
test('imitators', async () => {
  for (const name of ['Kit', 'KIT', 'Lea']) await join(name);
  await say('Kit', '!link', { isNamed: true });
  await say('Kit', '!link');
  // Asked later: any whisper to the others has arrived before this one.
  await say('Lea', '!link');
  await whisper('Lea', 1);
  expect([...whispers('Kit'), ...whispers('KIT')]).toEqual([]);
});

// Guarantee: a code that is whispered in the game links the Discord account that types it; history, log and audit do not have it.
test('a code from the game', async () => {
  await join('Eve');
  await say('Eve', '!link');
  const code = /Discord: \/link (\S+) /.exec(await whisper('Eve', 1))?.[1] ?? '';
  const id = newDiscordId();
  await eventually(async () => {
    const rows = await db().selectFrom('console_commands').selectAll().execute();
    expect(rows.every(({ outcome }) => outcome !== null)).toBe(true);
    expect(JSON.stringify(rows)).toContain('/link [code]');
    expect(JSON.stringify(rows)).not.toContain(code);
  });
  expect(JSON.stringify(await db().selectFrom('audit_logs').selectAll().execute())).not.toContain(code);
  expect((await link(id, code)).json).toEqual({ linked: 'member', name: 'Eve' });
  expect((await link(newDiscordId(), code)).json.code).toBe('LINK_CODE_INVALID');
  await say('Eve', '!link');
  expect(await whisper('Eve', 2)).toContain('Already linked');

  const unlinked = await call(port(), discordUsersHttp.unlink, asDiscord({ id }));
  expect(unlinked.json).toEqual({ unlinked: ['member'] });
  expect(await memberOf(id)).toBeNull();
  expect((await call(port(), discordUsersHttp.unlink, asDiscord({ id }))).json).toEqual({ unlinked: [] });
});

// Guarantee: a line that an agent reports long after it was said, that no known player said, or that is not a command does nothing.
test('what is passed over', async () => {
  await join('Fay');
  await say('Fay', '!link', { at: new Date(Date.now() - 600_000) });
  await say('Nobody', '!link', { isNamed: true });
  await say('Fay', 'hello !link');
  await say('Fay', '!shop');
  await say('Fay', '!link');
  expect(await whisper('Fay', 1)).toMatch(/^In Discord/);
  expect(whispers('Nobody')).toEqual([]);
});
