import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { movableClock, startTestPortal } from '#harness/portal.ts';
import { type PortalProcess, servePortal } from '#harness/portal-process.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { programsFolder } from '../../build/bundle.ts';
import { install } from '../../runtime/license/testing/installation.ts';

/** A portal with its own Postgres; tests/nightly/packages has the drill of docs/operations/README.md, step by step. */

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
  await expect(command('restore', taken.path)).rejects.toThrow('Stop the portal first');
  await portal.end('SIGTERM');

  const { replaced } = await command('restore', taken.path);
  expect((await readdir(replaced)).toSorted()).toEqual(['.env', 'postgres', 'restore.json']);
  expect(await command('license', 'show', license.licenseKey)).toMatchObject({ id: license.id });
});

const restoreMs = 10 * 60_000;

// Guarantee: signing keys that are missing from a backup lock no one out: installations that have followed them also follow the
// keys after the restore, past the lost ones.
test('signing keys that were lost', async () => {
  const database = resources.use(await testDatabase());
  const clock = movableClock(new Date());
  const portal = resources.use(await startTestPortal({ databaseUrl: database.url, clock }));
  const { pool, keyRing, signingKeys } = portal.context;
  const installation = resources.use(await install());
  installation.clock.set(clock.now().getTime());
  const { licenseKey } = await portal.issue();
  const client = await installation.open({
    portalUrl: portal.url,
    publicKey: keyRing.active.publicKey,
    scheduled: false,
  });
  expect(await client.activate(licenseKey)).toEqual({ outcome: 'activated' });
  const { rows } = await pool.query<{ backup: object }>(
    'select json_agg(signing_keys) as backup from signing_keys',
  );
  const rotate = () => signingKeys.rotate({ activeKid: keyRing.active.kid, urgent: true });

  await rotate();
  await rotate();
  expect(await client.checkNow()).toMatchObject({ state: 'valid' });
  const lost = keyRing.active.kid;

  await pool.query('delete from signing_keys');
  await pool.query('insert into signing_keys select * from json_populate_recordset(null::signing_keys, $1)', [
    JSON.stringify(rows[0]?.backup),
  ]);
  await keyRing.refresh();
  clock.pass(restoreMs);
  installation.clock.set(clock.now().getTime());
  await rotate();
  await rotate();
  expect(keyRing.active.kid).not.toBe(lost);
  expect(await client.checkNow()).toMatchObject({ state: 'valid', lastCheck: { outcome: 'confirmed' } });
});
