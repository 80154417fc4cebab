import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { componentLogsHttp } from '#contracts/operations/component-logs.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { createRedactor } from '#runtime/redact.ts';
import { asAnotherAccount } from '../../kernel/testing/another-account.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { type FeatureApi, serveFeature, silentLog } from '../../kernel/testing/feature-api.ts';
import { bindComponentLogsRoutes } from './component-logs.routes.ts';
import { createComponentLogs } from './component-logs.ts';

let home: TemporaryFolder;
let folder: string;
let api: FeatureApi;

beforeEach(async () => {
  home = await temporaryFolder('unreadable-log');
  folder = join(home.path, 'logs');
  const logs = createComponentLogs({ folder, redact: createRedactor(), log: silentLog });
  api = await serveFeature((routes) => bindComponentLogsRoutes(routes, logs));
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const search = '/api/component-logs/api';
const read = (path: string) => asAnotherAccount(() => ask(api.port, path));

// Guarantee: if the API's account may not read the log files, it says so with its own code and reveals no path; a
// download is refused before it has begun.
test.skipIf(process.platform === 'win32').each([
  ['the folder', '.', [componentLogsHttp.usage.path, search, `${search}/download`]],
  ['a file', 'api.log', [search, `${search}/download`]],
])('%s may not be read', async (_what, closed, paths) => {
  await mkdir(folder);
  await writeFile(join(folder, 'api.log'), 'a line\n');
  await chmod(join(folder, closed), 0o000);
  for (const path of paths) {
    const { json, text } = await read(path);
    expect(json, path).toMatchObject({ status: 500, code: 'LOG_UNREADABLE' });
    expect(text).not.toContain(home.path);
  }
  await chmod(join(folder, closed), 0o755);
  expect((await read(componentLogsHttp.usage.path)).status).toBe(200);
});

// Guarantee: something else in place of the folder is reported in the same way.
test('a file where the folder should be', async () => {
  await writeFile(folder, '');
  expect((await ask(api.port, search)).json).toMatchObject({ status: 500, code: 'LOG_UNREADABLE' });
});
