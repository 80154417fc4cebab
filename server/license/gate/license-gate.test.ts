import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { apiDatabase } from '../../kernel/testing/api-database.ts';
import { ask, askRaw } from '../../kernel/testing/ask.ts';
import { startTestApi, type TestApi } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';

let database: TestDatabase;
let programs: TemporaryFolder;
let api: TestApi;

beforeAll(async () => {
  database = await apiDatabase();
  programs = await temporaryFolder('panel');
  await mkdir(join(programs.path, 'panel', 'assets'), { recursive: true });
  await writeFile(join(programs.path, 'panel', 'index.html'), '<title>Castellan</title>');
  await writeFile(join(programs.path, 'panel', 'assets', 'app.1a2b.js'), 'export {};');
  await writeFile(join(programs.path, 'secret.txt'), 'not part of the panel');
  api = await startTestApi({ databaseUrl: database.url, programsFolder: programs.path });
  await whenInUse(api);
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await programs[Symbol.asyncDispose]();
});

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'];
const paths = [
  '/api/health',
  '/api/health/queues',
  '/api/health/database',
  '/api/health/agents',
  '/api/game-agent/status',
  '/api/internal/license/status',
  '/api/internal/bot/status',
  '/api/openapi.json',
  '/metrics',
  '/nowhere',
  '/%zz',
  '/panel',
  '/assets',
  '/assets/',
  '/..%2fsecret.txt',
  '/../secret.txt',
  '//index.html',
];

describe.each([
  { state: 'unlicensed', code: 'LICENSE_REQUIRED' },
  { state: 'rejected', code: 'REVOKED' },
  { state: 'rejected', code: 'CLOCK_ROLLED_BACK' },
] as const)('while $state with $code', ({ state, code }) => {
  beforeAll(() => api.license.set(state, code));

  // Guarantee: apart from the webhooks of shops, every method and path, known or unknown, is answered with the license's 403.
  test.each(methods)('%s is refused everywhere', async (method) => {
    for (const path of paths) {
      const answer = await ask(api.port, path, { method });
      expect([path, answer.status]).toEqual([path, 403]);
      if (method === 'HEAD') continue;
      expect(answer.headers['content-type']).toContain('application/problem+json');
      expect(answer.json).toMatchObject({
        status: 403,
        code,
        license: { state, code, detail: `The license is ${state}.`, hwid: `sha256:${'a'.repeat(64)}` },
      });
    }
  });

  // Guarantee: only this machine is told its hardware ID.
  test.each([{ Host: 'castellan.example' }, { 'X-Forwarded-For': '10.0.0.1' }])(
    'from afar, by %j',
    async (headers) => {
      const { json } = await ask(api.port, '/api/health', { headers });
      expect(json.license).toEqual({ state, code, detail: `The license is ${state}.` });
    },
  );

  // Guarantee: the license is checked before the body: even for no JSON, a body that is too large, or a wrong type.
  test('broken bodies are refused for the license', async () => {
    for (const [type, body] of [
      ['application/json', '{"broken'],
      ['application/json', Buffer.alloc(300_000, 'a')],
      ['text/plain', 'hello'],
    ] as const) {
      const headers = { 'Content-Type': type };
      const answer = await ask(api.port, '/api/internal/bot/status', { method: 'PUT', headers, body });
      expect(answer.json).toMatchObject({ status: 403, code });
    }
  });

  // Guarantee: what Node's HTTP server answers by itself does not get past the license either.
  test.each([
    [
      'an upgrade',
      'GET /api/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['no Host', 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an odd expectation', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n'],
    [
      'an offer of HTTP/2',
      'GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n',
    ],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['no HTTP at all', '\x16\x03\x01\r\n\r\n'],
  ])('%s is refused for the license', async (what, bytes) => {
    const answer = await askRaw(api.port, bytes);
    // The panel's own page loads whatever the client's Expect header says.
    if (what === 'an odd expectation') return expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(answer).toContain(`"code":"${code}"`);
  });

  // Guarantee: only GET and HEAD of the panel's own files still work, so that the panel can say what is wrong.
  test('the panel loads', async () => {
    for (const path of ['/', '/index.html', '/assets/app.1a2b.js', '/index.html?v=1']) {
      expect((await ask(api.port, path)).status).toBe(200);
      expect(await ask(api.port, path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
      expect((await ask(api.port, path, { method: 'POST' })).status).toBe(403);
    }
  });
});

// Guarantee: when the license becomes valid again, so does the API, without a restart.
test('a license that heals opens the gate again', async () => {
  api.license.set('rejected', 'SUSPENDED');
  expect((await ask(api.port, '/api/health')).status).toBe(403);
  api.license.set('grace');
  expect((await ask(api.port, '/api/health')).status).toBe(200);
  api.license.set('valid');
  expect((await ask(api.port, '/api/health')).json).toMatchObject({ license: 'valid' });
  expect((await ask(api.port, '/nowhere')).json).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
