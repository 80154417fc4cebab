import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { licensesHttp } from '#contracts/license/licenses.ts';
import { newHwid } from '#harness/portal.ts';
import { type PortalProcess, servePortal } from '#harness/portal-process.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { programsFolder } from '../../../build/bundle.ts';

/** The drill of docs/operations/README.md, step by step, for a portal with its own Postgres. */

const run = promisify(execFile);

let resources: AsyncDisposableStack;
let env: Record<string, string>;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  const folder = resources.use(await temporaryFolder('portal-restore'));
  env = { PORTAL_HOME: join(folder.path, 'home'), PORTAL_POSTGRES_PORT: String(await freePort()) };
});
afterEach(() => resources.disposeAsync());

const serve = async (): Promise<PortalProcess> => resources.use(await servePortal({ env }));

const command = async (...args: string[]) => {
  const { stdout } = await run(process.execPath, [join(programsFolder, 'portal.mjs'), ...args, '--json'], {
    env: { ...systemEnv(), ...env },
  });
  return JSON.parse(stdout);
};

const post = async ({ url }: PortalProcess, path: string, body: object) => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { token: string } };
};

// Guarantee: a data folder that was copied while the portal was stopped can be restored as the notes say: licenses, bindings and
// keys are those of that time, and installed machines notice nothing; without the master key the portal says what is missing.
test('the restore drill', async () => {
  const home = env.PORTAL_HOME ?? '';
  const portal = await serve();
  const license = await command('license', 'issue', '--email', 'owner@example.com');
  const hwid = newHwid();
  const machine = { hwid, instanceId: crypto.randomUUID(), version: '1.0.0' };
  const { body } = await post(portal, licensesHttp.activate.path, {
    licenseKey: license.licenseKey,
    ...machine,
  });

  await portal.end('SIGTERM');
  const backup = join(home, '../backup.tar');
  await run('tar', ['--create', '--file', backup, '--exclude', './.env', '--directory', home, '.']);
  const masterKeyFile = await readFile(join(home, '.env'), 'utf8');

  const again = await serve();
  const late = await command('license', 'issue', '--email', 'late@example.com');
  await again.end('SIGTERM');

  await rm(home, { recursive: true });
  await run('mkdir', ['--mode=711', home]);
  await run('tar', ['--extract', '--same-owner', '--file', backup, '--directory', home]);
  await expect(serve()).rejects.toThrow('PORTAL_MASTER_KEY');
  await writeFile(join(home, '.env'), masterKeyFile, { mode: 0o600 });

  const restored = await serve();
  const { tenantId } = license;
  const checked = await post(restored, licensesHttp.validate.path, { tenantId, token: body.token, hwid });
  expect(checked.status).toBe(200);
  expect((await command('license', 'show', license.licenseKey)).machine.hwid).toBe(hwid);
  await expect(command('license', 'show', late.licenseKey)).rejects.toThrow('no such license');
});

// Guarantee: a running portal is backed up without a pause, including the master key; restored into a data folder that was used
// since, the backup replaces the data, the old data is kept, and a running portal is never restored into.
test('portal backup and restore', async () => {
  const home = env.PORTAL_HOME ?? '';
  const portal = await serve();
  const license = await command('license', 'issue', '--email', 'owner@example.com');
  const to = join(home, '../elsewhere');
  const taken = await command('backup', '--to', to);
  expect(taken).toMatchObject({ licenses: 1, hasMasterKey: true });
  expect(dirname(taken.path)).toBe(to);
  expect(((await stat(join(taken.path, '.env'))).mode & 0o777).toString(8)).toBe('600');
  expect((await fetch(`${portal.url}/ready`)).status).toBe(200);
  const late = await command('license', 'issue', '--email', 'late@example.com');
  await expect(command('restore', taken.path)).rejects.toThrow('Stop the portal first');
  await portal.end('SIGTERM');

  const { replaced } = await command('restore', taken.path);
  expect((await readdir(replaced)).toSorted()).toEqual(['.env', 'postgres']);
  await serve();
  expect(await command('license', 'show', license.licenseKey)).toMatchObject({ id: license.id });
  await expect(command('license', 'show', late.licenseKey)).rejects.toThrow('no such license');
});
