import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { setupHttp } from '#contracts/operations/setup.ts';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { apiDatabase } from '../../kernel/testing/api-database.ts';
import { call, signIn } from '../../kernel/testing/call.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { startTestApi, type TestApi, testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';

let home: TemporaryFolder;
let database: TestDatabase;
let running: TestApi[] = [];
let printed: string[] = [];

beforeEach(async () => {
  home = await temporaryFolder('setup');
  database = await apiDatabase();
  printed = [];
});
afterEach(async () => {
  for (const api of running) await api[Symbol.asyncDispose]();
  running = [];
  await database[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const start = async (): Promise<TestApi> => {
  const log = createLog({ component: 'api', destination: { write: (line) => printed.push(line) } });
  const api = await startTestApi({ databaseUrl: database.url, home: home.path, workers: [], log });
  running.push(api);
  await whenInUse(api);
  return api;
};
const file = () => join(home.path, 'setup-link.txt');
const tokenInFile = async () => /[?]token=(\S+)/.exec(await readFile(file(), 'utf8'))?.[1] ?? '';
const setup = (api: TestApi, token: string, name = 'First', browser = {}) =>
  call(api.port, setupHttp.createOwner, {
    body: { token, name, password: 'the first password', ...browser },
  });
const isNeeded = async (api: TestApi) => (await call(api.port, setupHttp.state)).json.needed;

// Guarantee: the link that the first start prints creates one owner, once; no one else can read the file, and it is removed.
test('the set-up link', async () => {
  const api = await start();
  const token = await tokenInFile();
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect(printed.join('')).toContain(`/#/setup?token=${token}`);
  await using sql = await sqlSession(database.url);
  expect(JSON.stringify(await sql.query('select setup_link::text from setup_link'))).not.toContain(token);

  expect(await isNeeded(api)).toBe(true);
  expect((await setup(api, `${token.slice(0, -1)}_`)).json.code).toBe('SETUP_LINK_INVALID');
  const answers = await Promise.all([
    setup(api, token, 'One'),
    setup(api, token, 'Two'),
    setup(api, token, 'Three'),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
  expect(await isNeeded(api)).toBe(false);
  await expect(stat(file())).rejects.toThrow('ENOENT');
  const owner = answers.find(({ status }) => status === 200)?.json.name;
  await signIn(api.port, String(owner), 'the first password');
});

// Guarantee: the community starts with the language and the time zone of the browser that creates the owner, even if
// these equal the defaults; if this API does not know them, neither is kept, and the owner is created.
test.each([
  [
    { language: 'en', timeZone: 'America/Sao_Paulo' },
    { language: 'en', timeZone: 'America/Sao_Paulo' },
  ],
  [{ timeZone: 'Mars/Olympus_Mons' }, {}],
  [{}, {}],
] as const)('the language and time zone of the first owner: %j', async (browser, kept) => {
  const api = await start();
  expect((await setup(api, await tokenInFile(), 'First', browser)).status).toBe(200);
  await eventually(async () => expect(await api.context.settings.saved('general')).toEqual(kept));
  const { language = null } = kept as { language?: string };
  expect((await call(api.port, setupHttp.state)).json.community).toMatchObject({ language });
  await using sql = await sqlSession(database.url);
  const [audited] = await sql.query(
    `select actor_name, after from audit_logs where action = 'settings.change'`,
  );
  expect(audited).toEqual(language === null ? undefined : { actor_name: 'First', after: kept });
});

// Guarantee: a restart before its use leaves the link unchanged; once there is an owner, none is offered again.
test('restarts', async () => {
  const first = await start();
  const token = await tokenInFile();
  await first[Symbol.asyncDispose]();
  const second = await start();
  expect(await tokenInFile()).toBe(token);
  await setup(second, token);
  await second[Symbol.asyncDispose]();
  printed = [];
  await start();
  expect(printed.join('')).not.toContain('?token=');
  await expect(stat(file())).rejects.toThrow('ENOENT');
});

// Guarantee: creating an owner on the machine itself, as the command line does, withdraws the link.
test('the command line was first', async () => {
  const api = await start();
  const token = await tokenInFile();
  const made = await call(api.port, adminsHttp.create, {
    as: testDesktopCredential,
    body: { name: 'Owner', password: 'the first password', role: 'owner' },
  });
  expect(made.status).toBe(200);
  await expect(stat(file())).rejects.toThrow('ENOENT');
  expect((await setup(api, token)).json.code).toBe('SETUP_LINK_INVALID');
});
