import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#harness/database.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { ask } from '../testing/ask.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

let database: TestDatabase;
let programs: TemporaryFolder;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
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
  await writeFile(join(programs.path, 'secret.txt'), 'not part of the panel');
  await symlink(join(programs.path, 'secret.txt'), join(panel, 'link.txt'));
  api = await startTestApi({ databaseUrl: database.url, programsFolder: programs.path });
  // Listed, and then taken away, as by an update.
  await rm(join(panel, 'assets', 'gone.1a2b.js'));
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await programs[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

// Guarantee: each file comes with its type; what has a hash in its name is kept by browsers, the page itself is asked
// for again, so that an update is seen.
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
])('%s is not found', async (path) => {
  expect((await ask(api.port, path)).json).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

// Guarantee: while the license is rejected, what cannot be served is the license's 403, like everything else.
test.each(['/assets/gone.1a2b.js', '/.DS_Store'])('%s is refused without a license', async (path) => {
  api.license.set('rejected', 'REVOKED');
  try {
    expect((await ask(api.port, path)).json).toMatchObject({ status: 403, code: 'REVOKED' });
  } finally {
    api.license.set('valid');
  }
});

// Guarantee: files are served whole; a range, even one beyond the end, is passed over.
test('a range', async () => {
  expect((await ask(api.port, '/index.html', { headers: { Range: 'bytes=999-' } })).status).toBe(200);
});

// Guarantee: a source tree without a built panel is served without one.
test('no panel', async () => {
  await using bare = await startTestApi({ databaseUrl: database.url });
  expect((await ask(bare.port, '/')).status).toBe(404);
});
