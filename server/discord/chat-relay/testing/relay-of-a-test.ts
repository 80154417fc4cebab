import { sql } from 'kysely';
import { beforeAll, beforeEach, expect } from 'vitest';
import {
  type ChatChannel,
  type ChatPost,
  type ChatRelay,
  type ChatRelayDraft,
  discordChatBotHttp,
  discordChatHttp,
} from '#contracts/discord/discord-chat.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../../kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../../kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../../kernel/testing/test-api.ts';

export const running = apiForThisFile();
export const asOwner = { as: testDesktopCredential };
export const asBot = { as: testBotSecret };
export let channelId = '';
export let otherChannelId = '';
let channels = 0;
export const open = (id = channelId): ChatChannel => ({ id, state: 'open', missing: [] });
export let serverId: string;

export const db = () => running().api.context.database.db;
export const draft = (more: Partial<ChatRelayDraft> = {}): ChatRelayDraft => ({
  isEnabled: true,
  serverId,
  channelId,
  toDiscord: true,
  toGame: true,
  fromServers: false,
  ...more,
});
export const create = async (more: Partial<ChatRelayDraft> = {}): Promise<ChatRelay> => {
  const made = await call(running().port, discordChatHttp.create, { ...asOwner, body: draft(more) });
  expect(made.status, made.text).toBe(200);
  return made.json as unknown as ChatRelay;
};
export const change = (id: string, body: ChatRelayDraft & { version: number }) =>
  call(running().port, discordChatHttp.change, { ...asOwner, params: { id }, body });
const list = async () => (await call(running().port, discordChatHttp.list, asOwner)).json;
export const relay = async (id: string) =>
  ((await list()).relays as ChatRelay[]).find((one) => one.id === id);
export const filter = async (words: string[], treatment: 'mask' | 'hold' = 'mask') => {
  const { version } = (await list()).filter as { version: number };
  const body = { version, words, treatment };
  return call(running().port, discordChatHttp.changeFilter, { ...asOwner, body });
};
export const take = async (
  channels = [open(), open(otherChannelId)],
  busy: string[] = [],
): Promise<ChatPost[]> => {
  const answer = await call(running().port, discordChatBotHttp.take, { ...asBot, body: { channels, busy } });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.posts as ChatPost[];
};
export const takeOne = async (): Promise<ChatPost> => {
  const [post] = await take();
  if (!post) throw new Error('nothing is handed out');
  return post;
};
export const settle = (
  id: string,
  outcome: 'posted' | 'expired',
  messageId: string | null = '900000000000000001',
) =>
  call(running().port, discordChatBotHttp.settle, { ...asBot, params: { id }, body: { outcome, messageId } });
export const inFeed = () =>
  eventually(async () => {
    const { rows } = await sql<{ waits: boolean }>`
      select max(written_in) >= pg_snapshot_xmin(pg_current_snapshot()) as waits from event_logs`.execute(
      db(),
    );
    expect(rows[0]?.waits).toBe(false);
  }, 60_000);
interface Said {
  readonly name?: string;
  readonly on?: string;
  readonly agoMs?: number;
  readonly playerId?: string;
}
/** Like the log of events; players are told apart by their names. */
export const saySome = async (
  texts: readonly string[],
  { name, on = serverId, agoMs = 0, playerId }: Said = {},
) => {
  // All at one time: what counts as a flood must not depend on how fast this machine writes.
  const at = new Date(Date.now() - agoMs);
  for (const [index, text] of texts.entries()) {
    const payload = JSON.stringify({ playerId: playerId ?? null, name: name ?? `Player ${index}`, text });
    await sql`insert into event_logs (kind, severity, server_id, at, payload)
        values ('chat.message', 'info', ${on}, ${at}, ${payload}::jsonb)`.execute(db());
  }
  await inFeed();
};
export const textsOf = (post: ChatPost | undefined) => post?.lines.map(({ text }) => text);
/** Everything that would be posted, one message after another. */
export const drain = async (): Promise<ChatPost[]> => {
  const posts: ChatPost[] = [];
  for (;;) {
    const [post] = await take();
    if (!post) return posts;
    posts.push(post);
    await settle(post.id, 'posted');
  }
};

beforeAll(async () => {
  serverId = await newServer(running().port, { name: 'Fjord' });
});
beforeEach(async () => {
  channels += 1;
  channelId = `3000000000000000${channels}0`;
  otherChannelId = `3000000000000000${channels}1`;
  for (const { id } of (await list()).relays as ChatRelay[])
    await call(running().port, discordChatHttp.remove, { ...asOwner, params: { id } });
  await filter([]);
});
