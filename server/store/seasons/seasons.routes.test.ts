import { afterAll, beforeAll, expect, test } from 'vitest';
import { seasonsHttp } from '#contracts/store/seasons.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call } from '../../kernel/testing/call.ts';
import { type FeatureApi, serveFeature } from '../../kernel/testing/feature-api.ts';
import { bindSeasonsRoutes } from './seasons.routes.ts';
import { type SeasonsOfATest, seasonsOfATest } from './testing/seasons-of-a-test.ts';

let bench: SeasonsOfATest;
let api: FeatureApi;
beforeAll(async () => {
  bench = await seasonsOfATest();
  api = await serveFeature((routes) => bindSeasonsRoutes(routes, bench.seasons));
});
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await bench?.[Symbol.asyncDispose]();
});

// Guarantee: every answer has the shape of its contract, page by page.
test('requests', async () => {
  const { port } = api;
  const ann = await bench.store.newMember(100);
  const { id: productId } = await bench.store.newProduct({ onWipe: 'regrant', limits: { perMember: 2 } });
  await bench.has(ann, productId);
  const plan = {
    game: 'minecraft' as const,
    balances: { kind: 'keep' as const, percent: 10, whose: 'everyone' as const },
    limitProductIds: [productId],
  };
  const preview = seasonsHttp.preview.response.parse(
    (await call(port, seasonsHttp.preview, { body: plan })).json,
  );
  const body = { ...plan, name: 'Spring', digest: preview.digest };
  const begun = seasonsHttp.begin.response.parse((await call(port, seasonsHttp.begin, { body })).json);
  await bench.seasons.idle();
  const params = { id: begun.id };
  const read = seasonsHttp.read.response.parse((await call(port, seasonsHttp.read, { params })).json);
  expect(read).toMatchObject({ state: 'done', pieces: 1, pointsTaken: 81, members: 1, name: 'Spring' });
  const undo = await call(port, seasonsHttp.previewUndo, { params });
  expect(seasonsHttp.previewUndo.response.parse(undo.json).isPossible).toBe(true);
  const undone = await call(port, seasonsHttp.undo, { params });
  expect(seasonsHttp.undo.response.parse(undone.json).undoneBy).toBe('Owner');
  await bench.seasons.idle();
  await bench.run({ name: 'Later' });
  const first = seasonsHttp.list.response.parse((await ask(port, '/api/seasons?limit=1')).json);
  expect(first.rows.map(({ name }) => name)).toEqual(['Later']);
  const next = await ask(port, `/api/seasons?limit=1&cursor=${first.nextCursor}`);
  expect(seasonsHttp.list.response.parse(next.json)).toMatchObject({
    rows: [{ name: 'Spring', state: 'undone', progress: { done: 0 } }],
    nextCursor: null,
  });
});

// Guarantee: a season for something that does not exist, or with impossible numbers, is refused and leaves nothing behind.
test.each([
  [{ game: 'chess' }, 'INVALID_REQUEST'],
  [{ game: 'minecraft', balances: { kind: 'keep', percent: 100, whose: 'everyone' } }, 'INVALID_REQUEST'],
  [{ game: 'minecraft', balances: { kind: 'cap', most: -1, whose: 'everyone' } }, 'INVALID_REQUEST'],
  [{ game: 'minecraft', wipedAt: 'yesterday' }, 'INVALID_REQUEST'],
  [{ game: 'minecraft', wipedAt: '2999-01-01T00:00:00Z' }, 'INVALID_REQUEST'],
  [{ game: 'seven-days-to-die' }, 'CONFLICT'],
  [{ game: 'minecraft', serverIds: ['ark'] }, 'CONFLICT'],
])('%j', async (body, code) => {
  const answer = await ask(api.port, '/api/seasons/preview', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.json.code).toBe(code);
});

// Guarantee: a refusal that only the clock can decide names its field separately from the sentence, like those of the schema.
test('a wipe in the future', async () => {
  const { json } = await ask(api.port, '/api/seasons/preview', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ game: 'minecraft', wipedAt: '2999-01-01T00:00:00Z' }),
  });
  const detail = 'The time of the wipe is in the future.';
  expect(json).toMatchObject({ detail, errors: [{ path: 'body.wipedAt', message: detail }] });
});

test('a season that there is not', async () => {
  for (const path of ['/api/seasons/none', '/api/seasons/none/undo'])
    expect((await ask(api.port, path)).json.code).toBe('NOT_FOUND');
});
