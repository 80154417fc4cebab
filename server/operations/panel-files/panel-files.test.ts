import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { asAnotherAccount } from '../../kernel/testing/another-account.ts';
import { apiDatabase } from '../../kernel/testing/api-database.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { startTestApi, type TestApi } from '../../kernel/testing/test-api.ts';

const script = `export const text = '${'large '.repeat(500)}';\n`;

let database: TestDatabase;
let programs: TemporaryFolder;
let api: TestApi;

beforeAll(async () => {
  database = await apiDatabase();
  programs = await temporaryFolder('panel-files');
  const panel = join(programs.path, 'panel');
  await mkdir(join(panel, 'assets'), { recursive: true });
  await writeFile(join(panel, 'index.html'), '<title>Castellan</title>');
  await writeFile(join(panel, 'assets', 'app.1a2b.js'), 'export {};');
  await writeFile(
    join(panel, 'assets', 'a name with spaces.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
  );
  await writeFile(join(panel, 'assets', 'gone.1a2b.js'), 'export {};');
  await writeFile(join(panel, '.DS_Store'), '');
  await writeFile(join(panel, 'assets', 'large.3c4d.js'), script);
  await writeFile(join(panel, 'assets', 'large.3c4d.js.br'), brotliCompressSync(script));
  await writeFile(join(panel, 'assets', 'large.3c4d.js.gz'), gzipSync(script));
  await writeFile(join(panel, 'assets', 'zipped.css'), 'body {}');
  await writeFile(join(panel, 'assets', 'zipped.css.gz'), gzipSync('body {}'));
  await writeFile(join(panel, 'assets', 'left-behind.js.br'), brotliCompressSync(script));
  await writeFile(join(programs.path, 'secret.txt'), 'not part of the panel');
  await symlink(join(programs.path, 'secret.txt'), join(panel, 'link.txt'));
  api = await startTestApi({ databaseUrl: database.url, programsFolder: programs.path });
  // Listed, and then removed, as by an update.
  await rm(join(panel, 'assets', 'gone.1a2b.js'));
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await programs[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

// Guarantee: each file has its type; browsers cache files with a hash in the name, but request the page itself again, so
// that an update is seen.
test.each([
  ['/', 'text/html; charset=utf-8', 'no-cache'],
  ['/index.html', 'text/html; charset=utf-8', 'no-cache'],
  ['/assets/app.1a2b.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/a%20name%20with%20spaces.svg', 'image/svg+xml', 'public, max-age=31536000, immutable'],
])('%s', async (path, type, caching) => {
  const { status, headers } = await ask(api.port, path);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe(type);
  expect(headers['cache-control']).toBe(caching);
});

// Guarantee: no path leads out of the panel's folder, no folder is listed, no link is followed.
test.each([
  '/assets',
  '/assets/',
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/assets/%00',
  '/link.txt',
  '/panel/index.html',
  '//index.html',
  '/assets/gone.1a2b.js',
  '/.DS_Store',
  '/assets/large.3c4d.js.br',
  '/assets/large.3c4d.js.gz',
  '/assets/left-behind.js',
  '/assets/left-behind.js.br',
])('%s is not found', async (path) => {
  expect((await ask(api.port, path)).json).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

// Guarantee: while the license is rejected, a file that cannot be served gets the license's 403, like everything else.
test.each(['/assets/gone.1a2b.js', '/.DS_Store'])('%s is refused without a license', async (path) => {
  api.license.set('rejected', 'REVOKED');
  try {
    expect((await ask(api.port, path)).json).toMatchObject({ status: 403, code: 'REVOKED' });
  } finally {
    api.license.set('valid');
  }
});

const bytesOf = async (path: string, accepted: string | null) => {
  const headers = accepted === null ? {} : { 'Accept-Encoding': accepted };
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    get({ host: '127.0.0.1', port: api.port, path, headers, agent: false }, resolve).on('error', reject),
  );
  return { headers: answer.headers, body: await buffer(answer) };
};
const unpack: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

// Guarantee: files compressed at build time are sent in the coding that the client accepts, and decode to the same file.
test.each([
  [null, undefined],
  ['', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.9', 'gzip'],
  ['gzip;q=0.5, br;q=0.9', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['identity;q=1, br;q=0.5', undefined],
  ['identity;q=0, gzip', 'gzip'],
  ['deflate', undefined],
  ['br;q=zzz,,;;==', undefined],
])('Accept-Encoding: %s', async (accepted, coding) => {
  const { headers, body } = await bytesOf('/assets/large.3c4d.js', accepted);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
    'content-length': String(body.length),
    'x-content-type-options': 'nosniff',
  });
  expect(headers['content-encoding']).toBe(coding);
  const unpacked = coding === undefined ? body : unpack[coding]?.(body);
  expect(String(unpacked)).toBe(script);
});

// Guarantee: a file with only one coding, or none, is sent unencoded to a client that does not accept that coding.
test('what there is', async () => {
  expect((await bytesOf('/assets/zipped.css', 'br')).headers['content-encoding']).toBeUndefined();
  expect((await bytesOf('/assets/zipped.css', 'br, gzip')).headers['content-encoding']).toBe('gzip');
  const { headers } = await bytesOf('/index.html', 'br, gzip');
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.vary).toBeUndefined();
});

// Guarantee: no cache confuses codings: each has its own ETag for revalidation.
test('ETags', async () => {
  const tags = [];
  for (const accepted of ['br', 'gzip', 'identity']) {
    const { headers } = await bytesOf('/assets/large.3c4d.js', accepted);
    tags.push(headers.etag);
    const again = await ask(api.port, '/assets/large.3c4d.js', {
      headers: { 'Accept-Encoding': accepted, 'If-None-Match': String(headers.etag) },
    });
    expect(again).toMatchObject({ status: 304, headers: { vary: 'Accept-Encoding' } });
  }
  expect(new Set(tags).size).toBe(3);
});

// Guarantee: files are served whole; a range, even one beyond the end, is ignored.
test('a range', async () => {
  expect((await ask(api.port, '/index.html', { headers: { Range: 'bytes=999-' } })).status).toBe(200);
});

// Guarantee: preconditions meant for changes block no file.
test.each([{ 'If-Match': '"other"' }, { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }])(
  'under the condition %o',
  async (condition) => {
    const headers = { ...condition, 'Accept-Encoding': 'br' };
    const { status, json } = await ask(api.port, '/assets/large.3c4d.js', { headers });
    expect([status, json.code]).toEqual([200, undefined]);
  },
);

// Guarantee: the answer for an unreadable file can be read: none of the file's headers remain.
test.skipIf(process.platform === 'win32')('a file that may not be read', async () => {
  await chmod(join(programs.path, 'panel', 'assets', 'zipped.css.gz'), 0o000);
  const { status, headers, json } = await asAnotherAccount(() =>
    ask(api.port, '/assets/zipped.css', { headers: { 'Accept-Encoding': 'gzip' } }),
  );
  expect(json).toMatchObject({ status, instance: headers['x-request-id'] });
  expect(status).toBeGreaterThanOrEqual(500);
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.etag).toBeUndefined();
  expect(headers['last-modified']).toBeUndefined();
});

// Guarantee: a source tree without a built panel is served without one.
test('no panel', async () => {
  await using bare = await startTestApi({ databaseUrl: database.url });
  expect((await ask(bare.port, '/')).status).toBe(404);
});
