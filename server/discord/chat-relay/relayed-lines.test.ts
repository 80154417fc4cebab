import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { discordChatHttp } from '#contracts/discord/discord-chat.ts';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { call } from '../../kernel/testing/call.ts';
import { freshMs } from './chat-posts.ts';
import {
  asOwner,
  channelId,
  create,
  db,
  drain,
  filter,
  inFeed,
  relay,
  running,
  saySome,
  serverId,
  settle,
  take,
  takeOne,
  textsOf,
} from './testing/relay-of-a-test.ts';
import { mostWaiting } from './waiting-lines.ts';

// Guarantee: when many speak at the same time their lines share messages, in order, none of them too long for Discord.
test('a crowd', async () => {
  const { id } = await create();
  const texts = Array.from({ length: 60 }, (_, index) =>
    `${index} ${'!'.repeat(index % 2 === 0 ? 296 : 0)}`.trim(),
  );
  await saySome(texts);
  const posts = await drain();
  expect(posts.flatMap((post) => textsOf(post))).toEqual(texts);
  expect(posts.length).toBeLessThan(30);
  expect(posts[0]?.speaker).toBeNull();
  expect((await relay(id))?.toDiscordAt).toEqual(expect.any(String));
});

// Guarantee: commands, whose codes are no one else's business, are never relayed, and neither is a line without visible text.
test('what is not meant for others', async () => {
  const { id } = await create();
  await saySome(['!link ABCD-EFGH', ' ！link ABCD', '\u200b!link X', '\u2066', '\u202e', 'seen\u202e\u200b']);
  const posts = await drain();
  expect(posts.flatMap((post) => textsOf(post))).toEqual(['seen']);
  expect((await relay(id))?.toDiscordLeftOut).toBe(0);
});

// Guarantee: a line that quotes another player's command is a line like any other.
test('quoted commands', async () => {
  await create();
  const texts = ['<Bob> !buy VIP', '<Bob> <Ann> !buy VIP', '＜Bob＞ !buy', '</Bob> !buy', 'Bob: !buy'];
  await saySome(texts);
  expect((await drain()).flatMap((post) => textsOf(post))).toEqual(texts);
});

// Guarantee: the owner's prefix decides what is a command, including for what is written in Discord.
test('a prefix of the community', async () => {
  await create();
  const setPrefix = (version: number, prefix: string) =>
    call(running().port, settingsHttp.change, {
      ...asOwner,
      params: { section: 'chat-shop' },
      body: { version, values: { prefix } },
    });
  await setPrefix(0, '>>');
  await saySome(['>>link ABCD', '[ff0000]>> link', '!hello']);
  expect((await drain()).flatMap((post) => textsOf(post))).toEqual(['!hello']);
  await setPrefix(1, '!');
  await saySome(['>>hello', '!link ABCD']);
  expect((await drain()).flatMap((post) => textsOf(post))).toEqual(['>>hello']);
});

// Guarantee: a flood of one player leaves the others' lines alone, and what is left out is counted.
test('a flood', async () => {
  const { id } = await create();
  await saySome(
    Array.from({ length: 30 }, (_, index) => String(index)),
    { name: 'Zed' },
  );
  await saySome(['me too'], { name: 'Ann' });
  expect((await drain()).flatMap((post) => textsOf(post))).toEqual(['0', '1', '2', '3', '4', '5', 'me too']);
  expect((await relay(id))?.toDiscordLeftOut).toBe(24);
  await sql`insert into event_logs (kind, severity, server_id, payload)
      select 'chat.message', 'info', ${serverId}::text,
             jsonb_build_object('playerId', null, 'name', 'Player ' || number, 'text', number::text)
        from generate_series(1, 10000) as number`.execute(db());
  await inFeed();
  const numbers = (await drain()).flatMap((post) => textsOf(post)).map(Number);
  expect(numbers).toEqual(Array.from({ length: mostWaiting }, (_, index) => 9801 + index));
  expect((await relay(id))?.toDiscordLeftOut).toBe(24 + 9800);
});

// Guarantee: old news is not reported; a post that has waited too long is handed out as one to look for.
test('what is old', async () => {
  const { id } = await create();
  await saySome(['old'], { agoMs: freshMs + 1000 });
  await saySome(['fresh'], { agoMs: freshMs / 2 });
  const post = await takeOne();
  expect(textsOf(post)).toEqual(['fresh']);
  await sql`update discord_chat_lanes set post_opened_at = now() - interval '11 minutes'
            where channel_id = ${channelId}`.execute(db());
  expect(await takeOne()).toEqual(expect.objectContaining({ id: post.id, isRepeat: true, isExpired: true }));
  await settle(post.id, 'expired', null);
  expect(await take()).toEqual([]);
  expect((await relay(id))?.toDiscordLeftOut).toBe(2);
});

// Guarantee: banned words are masked or their lines held back, in names too; of two who change them at the same time,
// the later one is told.
test('the word filter', async () => {
  const { id } = await create();
  expect((await filter(['bad*', 'gold seller'])).status).toBe(200);
  await saySome(['a BАDDER day', 'fine'], { name: 'Gold Seller' });
  expect((await takeOne()).lines).toEqual([
    { name: '**** ******', text: 'a ****** day', serverName: null },
    { name: '**** ******', text: 'fine', serverName: null },
  ]);
  await drain();
  await filter(['bad'], 'hold');
  await saySome(['bad', 'good']);
  expect((await drain()).map(textsOf)).toEqual([['good']]);
  expect((await relay(id))?.toDiscordLeftOut).toBe(1);
  const body = { version: 0, words: [], treatment: 'mask' as const };
  expect((await call(running().port, discordChatHttp.changeFilter, { ...asOwner, body })).status).toBe(409);
  expect((await filter(['*'])).json.code).toBe('INVALID_REQUEST');
});

// Guarantee: the picture is that of the linked account, and only for a player whom the game's platform proves.
test('whose picture it is', async () => {
  await create();
  const player = async (identity: string, platformId: string | null) => {
    const { id, member_id } = await db()
      .insertInto('players')
      .values({ identity, platform_id: platformId, game: 'minecraft', name: 'Ann', name_key: 'ann' } as never)
      .returning(['id', 'member_id'])
      .executeTakeFirstOrThrow();
    return { id: String(id), memberId: String(member_id) };
  };
  const link = (memberId: string, discordId: string) =>
    db().updateTable('members').set({ discord_id: discordId }).where('id', '=', memberId).execute();
  const proven = await player('minecraft:ann', 'minecraft:ann');
  const named = await player('name:minecraft:ann', null);
  const known = await db()
    .selectFrom('players')
    .select(['id', 'member_id'])
    .where('id', 'in', [proven.id, named.id])
    .orderBy('id')
    .execute();
  await link(String(known[0]?.member_id), '500000000000000001');
  await link(String(known[1]?.member_id), '500000000000000002');
  await saySome(['proven'], { name: 'Ann', playerId: proven.id });
  await saySome(['named'], { name: 'Ann', playerId: named.id });
  expect((await drain()).map(({ speaker }) => speaker)).toEqual([
    { discordId: '500000000000000001' },
    { discordId: null },
  ]);
});
