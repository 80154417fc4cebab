import { afterAll, beforeAll, expect, test } from 'vitest';
import { playersHttp } from '#contracts/people/players.ts';
import { eventually } from '#harness/eventually.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call } from '../../kernel/testing/call.ts';
import { type FeatureApi, serveFeature } from '../../kernel/testing/feature-api.ts';
import { createModerationActions } from './moderation-actions.ts';
import { createPlayerReading } from './player-reading.ts';
import { bindPlayersRoutes } from './players.routes.ts';
import type { Presence } from './presence.ts';
import { listed, type PresenceOfATest, presenceOfATest } from './testing/presence-of-a-test.ts';

const notAsked = async (): Promise<never> => Promise.reject(new Error('no one asked for it'));

let bench: PresenceOfATest;
let presence: Presence;
let api: FeatureApi;
let server: string;

beforeAll(async () => {
  bench = await presenceOfATest();
  presence = await bench.start();
  server = await bench.server();
  const { db } = bench.database;
  const reading = createPlayerReading(db, presence);
  const orders = createModerationActions({
    db,
    directory: bench.servers,
    presence,
    // No test in this file bans.
    bans: { banOn: notAsked, unbanOn: notAsked },
    console: { give: async () => ({ refused: 'SERVER_ARCHIVED' }) },
  });
  api = await serveFeature((routes) => bindPlayersRoutes(routes, reading, orders));
  presence.report(server, 'direct', [listed('Ann')]);
  await eventually(() => expect(presence.read(server).players).toHaveLength(1));
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await bench[Symbol.asyncDispose]();
});

// Guarantee: every answer has the shape of its contract, and invalid ids, texts and cursors are refused.
test('requests', async () => {
  const online = playersHttp.online.response.parse((await call(api.port, playersHttp.online)).json);
  const [ann] = online.rows[0]?.players ?? [];
  const id = ann?.playerId ?? '';
  const found = await call(api.port, playersHttp.search);
  expect(playersHttp.search.response.parse(found.json).rows).toMatchObject([
    { id, name: 'Ann', onlineOn: server },
  ]);
  const read = await call(api.port, playersHttp.read, { params: { id } });
  expect(playersHttp.read.response.parse(read.json).names).toHaveLength(1);
  const sessions = await call(api.port, playersHttp.sessions, { params: { id } });
  expect(playersHttp.sessions.response.parse(sessions.json).rows).toMatchObject([
    { serverId: server, leftAt: null },
  ]);

  expect((await call(api.port, playersHttp.read, { params: { id: '999999999' } })).json.code).toBe(
    'NOT_FOUND',
  );
  for (const path of [
    '/api/players/x',
    '/api/players?cursor=x',
    '/api/players?text=%20',
    '/api/players?limit=0',
    '/api/players?serverId=%00',
    '/api/players/online?serverId=%00',
  ])
    expect([path, (await ask(api.port, path)).status]).toEqual([path, 400]);
  expect((await ask(api.port, '/api/players?text=%00%25')).status).toBe(200);
});

// Guarantee: a refused action is reported with its code.
test('refused actions', async () => {
  const id = presence.read(server).players?.[0]?.playerId ?? '';
  const kick = await call(api.port, playersHttp.act, {
    params: { id },
    body: { serverId: server, action: 'kick' },
  });
  expect(kick.json.code).toBe('SERVER_ARCHIVED');
  const former = await ask(api.port, `/api/players/${id}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ serverId: server, action: 'kick' }),
  });
  expect((former.json as { code: string }).code).toBe('SERVER_ARCHIVED');
  const silence = { serverId: server, action: 'message' as const };
  expect((await call(api.port, playersHttp.act, { params: { id }, body: silence })).status).toBe(400);
  const shout = await call(api.port, playersHttp.broadcast, {
    params: { id: 'nowhere' },
    body: { text: 'hi' },
  });
  expect(shout.json.code).toBe('NOT_FOUND');
  const hostile = await call(api.port, playersHttp.broadcast, {
    params: { id: '%00' },
    body: { text: 'hi' },
  });
  expect(hostile.json.code).toBe('INVALID_REQUEST');
});
