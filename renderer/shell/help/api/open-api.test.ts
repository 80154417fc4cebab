import { expect, test } from 'vitest';
import * as z from 'zod';
import { endpoint } from '#contracts/kernel/http.ts';
import { openApiDocument } from '#runtime/http/openapi.ts';
import { canOf } from '../../../kit/access/can.ts';
import { byTag, findOperations, readOpenApi } from './open-api.ts';
import { requestOf } from './request.ts';
import { standingOf } from './standing.ts';

const kick = endpoint({
  method: 'POST',
  path: '/api/players/:playerId/actions',
  formerPath: '/api/players/:playerId/orders',
  summary: 'Kick a player',
  access: 'players.write',
  params: z.object({ playerId: z.string() }),
  query: z.object({ dry: z.enum(['true', 'false']).optional(), reason: z.string() }),
  body: z.strictObject({ serverId: z.string(), text: z.string().default('Bye') }),
  idempotent: true,
  response: z.object({ verdict: z.string() }),
  problems: ['NOT_FOUND'],
});
const file = endpoint({
  method: 'PUT',
  path: '/api/mod-lists/:id/file',
  summary: 'Bring a file',
  access: 'session',
  proof: 'step-up',
  params: z.object({ id: z.string() }),
  rawBody: true,
  bodyType: 'application/zip',
  contentType: 'application/octet-stream',
  download: 'list.zip',
  response: z.string(),
  problems: [],
});
const beat = endpoint({
  method: 'GET',
  path: '/health',
  summary: 'Whether it runs',
  access: 'public',
  response: z.object({}),
  problems: [],
});
const document = openApiDocument({
  title: 'Test',
  version: '1.0.0',
  description: '',
  endpoints: [kick, file, beat],
});
const { operations, schemas } = readOpenApi(JSON.parse(JSON.stringify(document)));
const [post, former, put, get] = operations;

// Guarantee: the reference shows everything that the API's own document says about a route.
test('what is read', () => {
  expect(operations.map(({ method, path, tag }) => `${method} ${path}: ${tag}`)).toEqual([
    'POST /api/players/{playerId}/actions: Players',
    'POST /api/players/{playerId}/orders: Players',
    'PUT /api/mod-lists/{id}/file: Mod lists',
    'GET /health: Health',
  ]);
  expect([post?.isDeprecated, former?.isDeprecated]).toEqual([false, true]);
  expect(post?.parameters.map((each) => [each.in, each.name, each.isRequired])).toEqual([
    ['path', 'playerId', true],
    ['query', 'dry', false],
    ['query', 'reason', true],
    ['header', 'Idempotency-Key', false],
  ]);
  expect(put?.body?.type).toBe('application/zip');
  expect(put?.answer?.type).toBe('application/octet-stream');
  expect(post?.errors).toContainEqual(expect.objectContaining({ status: '404', code: 'NOT_FOUND' }));
  expect(post?.errors.every(({ meaning }) => meaning !== '')).toBe(true);
});

test('groups and search', () => {
  expect(byTag(operations).map(([tag]) => tag)).toEqual(['Health', 'Mod lists', 'Players']);
  expect(findOperations(operations, 'post KICK')).toEqual([post, former]);
  expect(findOperations(operations, 'players.write actions')).toEqual([post]);
  expect(findOperations(operations, ' ')).toHaveLength(4);
  expect(findOperations(operations, 'kick whale')).toEqual([]);
});

// Guarantee: a route is marked as available to a person exactly if the API would accept their key.
test('whose they are', () => {
  const can = canOf({ permissions: [], serverPermissions: { a: ['players.write'] } });
  const cannot = canOf({ permissions: ['players.read'], serverPermissions: {} });
  expect(operations.map((each) => standingOf(each, can))).toEqual(['yes', 'yes', 'panel', 'yes']);
  expect(post && standingOf(post, cannot)).toBe('lacks');
  expect(standingOf({ access: 'players.write', proof: 'person' }, can)).toBe('panel');
  for (const access of ['agent', 'discord-user', 'supervisor', 'bot.report'])
    expect(standingOf({ access, proof: 'any' }, can)).toBe('others');
});

test('what is asked for', () => {
  if (!post || !put || !get) throw new Error('the document lacks a route');
  expect(requestOf(post, schemas, { playerId: 'a/b c', dry: 'true' }, 'https://play.example')).toEqual({
    method: 'POST',
    url: 'https://play.example/api/players/a%2Fb%20c/actions?dry=true&reason=REASON',
    json: { serverId: 'text' },
    isPublic: false,
  });
  expect(requestOf(post, schemas, {}, '').url).toBe(
    'https://CASTELLAN/api/players/PLAYER_ID/actions?reason=REASON',
  );
  expect(requestOf(put, schemas, {}, 'http://127.0.0.1:8080')).toEqual({
    method: 'PUT',
    url: 'http://127.0.0.1:8080/api/mod-lists/ID/file',
    fileType: 'application/zip',
    saveAs: 'FILE',
    isPublic: false,
  });
  expect(requestOf(get, schemas, {}, '').isPublic).toBe(true);
});

test('no document of this API', () => expect(() => readOpenApi({ paths: 1 })).toThrow(z.ZodError));
