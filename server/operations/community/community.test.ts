import { afterEach, beforeEach, expect, test } from 'vitest';
import { reasons } from '#contracts/kernel/reasons.ts';
import { communityHttp } from '#contracts/operations/community-http.ts';
import { drawnPng } from '#harness/drawn-png.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { openNotifications } from '../../kernel/database/notifications.ts';
import { ask } from '../../kernel/testing/ask.ts';
import {
  type MigratedDatabase,
  migratedDatabase,
  serveFeature,
  silentLog,
} from '../../kernel/testing/feature-api.ts';
import { bindCommunityRoutes } from './community.routes.ts';
import { createCommunity } from './community.ts';

type Chosen = Awaited<ReturnType<Parameters<typeof createCommunity>[0]['chosen']>>;

let owned: AsyncDisposableStack;
let database: MigratedDatabase;
let chosen: Chosen;
beforeEach(async () => {
  owned = new AsyncDisposableStack();
  database = owned.use(await migratedDatabase());
  chosen = {};
});
afterEach(() => owned.disposeAsync());

/** The community as one process sees it. */
const startProcess = async () => {
  const notifications = owned.use(openNotifications(database.url, silentLog));
  const community = createCommunity({
    ...{ db: database.db, notifications, chosen: async () => chosen },
    internalApiSecret: new Secret('internal'),
  });
  const { port } = owned.use(await serveFeature((routes) => bindCommunityRoutes(routes, community)));
  return {
    community,
    read: (headers = {}) => ask(port, communityHttp.read.path, { headers }),
    logo: (headers = {}) => ask(port, communityHttp.logo.path, { headers }),
    setLogo: (seen: string | null, logo: Buffer | null) =>
      ask(port, communityHttp.setLogo.path, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ seen, logo: logo?.toString('base64') ?? null }),
      }),
  };
};
const auditRows = () => database.db.selectFrom('audit_logs').selectAll().orderBy('id').execute();

// Guarantee: strangers read the name, the language and which logo there is, and nothing else; what no one has chosen is null.
test('what the entrance shows', async () => {
  const { read, community } = await startProcess();
  expect((await read()).json).toEqual({ name: null, language: null, logo: null });
  chosen = { communityName: 'The Keep', language: 'pt-BR', timeZone: 'America/Sao_Paulo' };
  const { status, headers, json } = await read();
  expect([status, json]).toEqual([200, { name: 'The Keep', language: 'pt-BR', logo: null }]);
  expect(headers['cache-control']).toBe('no-cache');
  expect(await community.read()).toMatchObject({ timeZone: 'America/Sao_Paulo' });
  const again = await read({ 'If-None-Match': headers.etag });
  expect([again.status, again.text]).toEqual([304, '']);
  chosen = { ...chosen, communityName: 'The other Keep' };
  expect((await read({ 'If-None-Match': headers.etag })).status).toBe(200);
});

// Guarantee: a logo is stored and sent unaltered, by its ETag; removing it leaves none. Each change has its audit row,
// which holds no picture, and a change that changes nothing has none.
test('a logo', async () => {
  const { logo, setLogo, read } = await startProcess();
  expect((await logo()).status).toBe(404);
  const set = await setLogo(null, drawnPng(8, 6));
  expect(set.status).toBe(200);
  const sha256 = String(set.json.logo);
  expect((await read()).json.logo).toBe(sha256);
  const shown = await logo();
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/png']);
  expect((await logo({ 'If-None-Match': shown.headers.etag })).status).toBe(304);
  expect((await setLogo(sha256, drawnPng(8, 6))).json.logo).toBe(sha256);
  expect((await setLogo(sha256, null)).json.logo).toBeNull();
  expect((await logo()).status).toBe(404);
  const facts = { logo: { mediaType: 'image/png', width: 8, height: 6 } };
  expect(await auditRows()).toMatchObject([
    { action: 'community.change-logo', target: 'settings:general', before: null, after: facts },
    { action: 'community.change-logo', target: 'settings:general', before: facts, after: null },
  ]);
});

// Guarantee: something that is not a picture, or too large, is refused with its reason and replaces nothing.
test.each([
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), reasons['picture-kind']],
  ['nothing', Buffer.alloc(0), reasons['picture-kind']],
  ['a cut PNG', drawnPng(8, 6).subarray(0, -4), reasons['picture-damaged']],
  ['too many pixels', drawnPng(513, 1), reasons['picture-too-many-pixels'](512)],
  ['too many bytes', Buffer.alloc(256 * 1024 + 1, 1), reasons['picture-too-large'](256)],
])('%s', async (_what, bytes, why) => {
  const { setLogo, read } = await startProcess();
  const { json } = await setLogo(null, drawnPng(4, 4));
  const refused = await setLogo(String(json.logo), bytes);
  expect(refused.json).toMatchObject({ status: 422, code: 'PICTURE_INVALID', detail: why });
  expect((await read()).json.logo).toBe(json.logo);
});

// Guarantee: of two owners who started from the same logo, one is told that the other was first; nothing is lost unseen.
test('two owners at once', async () => {
  const { setLogo, read } = await startProcess();
  const answers = await Promise.all([4, 5, 6].map((side) => setLogo(null, drawnPng(side, side))));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.json.code).toBe('CONFLICT');
  expect((await read()).json.logo).toBe(answers.find(({ status }) => status === 200)?.json.logo);
  expect((await setLogo(null, null)).status).toBe(409);
  expect(await auditRows()).toHaveLength(1);
});

// Guarantee: what one process keeps in memory is dropped when another one changes the logo.
test('two processes', async () => {
  const one = await startProcess();
  const two = await startProcess();
  expect((await two.read()).json.logo).toBeNull();
  const { json } = await one.setLogo(null, drawnPng(4, 4));
  await eventually(async () => expect((await two.read()).json.logo).toBe(json.logo));
});
