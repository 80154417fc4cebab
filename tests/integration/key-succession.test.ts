import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keySuccession, keySuccessionHttp } from '#contracts/license/key-succession.ts';
import { licensesHttp } from '#contracts/license/licenses.ts';
import { testDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { newAddress, newHwid, newMasterKey, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { programsFolder } from '../../build/bundle.ts';
import { licenseRecord } from '../../runtime/license/record/license-record.ts';
import { install, type TestInstallation } from '../../runtime/license/testing/installation.ts';

/** Real portals, each a separate process on one Postgres, and the real license client. */

const entry = join(programsFolder, 'portal.mjs');

let resources: AsyncDisposableStack;
let env: Record<string, string>;
/** A portal in this process, with which the tests issue licenses. */
let office: TestPortal;
let firstPublicKey: string;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  const database = resources.use(await testDatabase());
  const home = resources.use(await temporaryFolder('key-succession')).path;
  const masterKey = newMasterKey();
  env = {
    ...systemEnv(),
    PORTAL_HOME: home,
    PORTAL_PORT: '0',
    PORTAL_DATABASE_URL: database.url.reveal(),
    PORTAL_MASTER_KEY: masterKey.reveal(),
    TRUST_PROXY: 'loopback',
  };
  office = resources.use(await startTestPortal({ databaseUrl: database.url, masterKey }));
  firstPublicKey = office.context.keyRing.active.publicKey;
});
afterEach(() => resources.disposeAsync());

interface PortalProcess {
  readonly url: string;
  readonly child: ChildProcess;
}

const serve = async (): Promise<PortalProcess> => {
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  resources.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, port } = JSON.parse(line);
    if (msg !== 'portal ready') continue;
    child.stdout.resume();
    return { url: `http://127.0.0.1:${port}`, child };
  }
  throw new Error('the portal ended before it was ready');
};

const command = async (group: string, name: string, ...args: string[]) => {
  const line = [entry, group, name, '--json', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, line, { env });
  return JSON.parse(stdout);
};

const post = async (url: string, path: string, body: object) => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': newAddress() },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
};

const published = async ({ url }: PortalProcess) =>
  keySuccession.parse(await (await fetch(url + keySuccessionHttp.succession.path)).json());

const recordOf = async ({ home }: TestInstallation) =>
  licenseRecord.parse(JSON.parse(await readFile(join(home, 'license.json'), 'utf8')));
const signerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

const installPinned = async (portalUrl: string) => {
  const installation = resources.use(await install());
  installation.clock.set(Date.now());
  const { licenseKey } = await office.issue();
  const pinned = { portalUrl, publicKey: firstPublicKey, scheduled: false };
  const client = await installation.open(pinned);
  expect(await client.activate(licenseKey)).toEqual({ outcome: 'activated' });
  return { installation, client, pinned };
};

// Guarantee: a client that pinned key 1 stays licensed while the portal is on key 3, even if it then starts offline; nothing was
// changed on its side.
test('pinned to key 1, portal on key 3', async () => {
  const portal = await serve();
  const { installation, client, pinned } = await installPinned(portal.url);
  await command('key', 'rotate', '--now');
  const { activeKid } = await command('key', 'rotate', '--now');
  const keys = await command('key', 'list');
  expect(keys.map(({ state }: { state: string }) => state)).toEqual([
    'retiring',
    'retiring',
    'active',
    'next',
  ]);
  expect(keys[2].kid).toBe(activeKid);
  await eventually(async () => expect((await published(portal)).endorsements).toHaveLength(3));
  expect(await client.checkNow()).toMatchObject({ state: 'valid', lastCheck: { outcome: 'confirmed' } });
  await client[Symbol.asyncDispose]();

  portal.child.kill('SIGKILL');
  await once(portal.child, 'exit');
  const offline = await installation.open(pinned);
  expect(offline.status()).toMatchObject({ state: 'valid', code: null });
  expect(await offline.checkNow()).toMatchObject({ state: 'grace' });
});

// Guarantee: a revoked key proves nothing in any process from that moment on; a client with a token of it is licensed again
// within one check, and remembers the revocation.
test('a revocation while everything runs', async () => {
  const [one, two] = [await serve(), await serve()];
  const { client, installation } = await installPinned(one.url);
  const { activeKid: stolen } = await command('key', 'rotate', '--now');
  const license = await office.issue();
  const hwid = newHwid();
  const machine = { hwid, instanceId: crypto.randomUUID(), version: '1.0.0' };
  const activation = { licenseKey: license.licenseKey, ...machine };
  const follows = async (portal: PortalProcess) =>
    expect((await published(portal)).endorsements).toHaveLength(2);
  for (const portal of [one, two]) await eventually(() => follows(portal));
  const { token = '' } = (await post(two.url, licensesHttp.activate.path, activation)).body;
  expect((await client.checkNow()).state).toBe('valid');
  for (const held of [token, (await recordOf(installation)).token]) expect(signerOf(held)).toBe(stolen);

  expect(await command('key', 'revoke', '--', stolen)).toMatchObject({ outcome: 'struck', number: 1 });
  for (const { url } of [one, two]) {
    const { body } = await post(url, licensesHttp.validate.path, { tenantId: license.tenantId, token, hwid });
    expect(body.code).toBe('UNAUTHORIZED');
  }
  for (const portal of [one, two])
    await eventually(async () => expect((await published(portal)).strikes).not.toBeNull());
  expect((await client.checkNow()).state).toBe('valid');
  const record = await recordOf(installation);
  expect(signerOf(record.token)).not.toBe(stolen);
  expect(record.strikes).toBe((await published(one)).strikes);
});

// Guarantee: while keys rotate, no process refuses a token, even if one of them is killed.
test('two portals, rotation and load', { tags: 'night' }, async () => {
  const portals = [await serve(), await serve()];
  const licenses = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const { licenseKey, tenantId } = await office.issue();
      const hwid = newHwid();
      const { body } = await office.activate(licenseKey, hwid);
      return { tenantId, hwid, token: body.token as string };
    }),
  );
  const refused: unknown[] = [];
  const kids = new Set<string>();
  let asked = 0;
  let rotating = true;
  const load = licenses.map(async ({ tenantId, hwid, token: first }) => {
    let token = first;
    while (rotating) {
      asked += 1;
      const { url, child } = portals[asked % portals.length] ?? { url: '', child: undefined };
      try {
        const { status, body } = await post(url, licensesHttp.validate.path, { tenantId, token, hwid });
        if (status !== 200) refused.push(body);
        token = body.token ?? token;
        kids.add(body.signingKeyId ?? '');
      } catch (error) {
        // A killed process did not answer; the client asks again.
        if (!child?.killed) refused.push(error);
      }
    }
  });
  for (let rotations = 0; rotations < 2; rotations += 1) {
    const { activeKid } = await command('key', 'rotate', '--now');
    if (rotations === 1) portals.splice(0, 1)[0]?.child.kill('SIGKILL');
    await eventually(() => expect(kids).toContain(activeKid), 30_000);
  }
  rotating = false;
  await Promise.all(load);
  expect(refused).toEqual([]);
});

// Guarantee: the master key of a portal with its own Postgres can be rotated as the operations notes say, and afterwards the old
// one is no longer needed.
test("the operations notes' rotation of the master key", { tags: 'night' }, async () => {
  const home = resources.use(await temporaryFolder('master-key')).path;
  const envFile = join(home, '.env');
  env = { ...systemEnv(), PORTAL_HOME: home, PORTAL_POSTGRES_PORT: String(await freePort()) };
  const { licenseKey, id } = await command('license', 'issue', '--email', 'owner@example.com');
  const text = await readFile(envFile, 'utf8');
  const [, oldKey = ''] = /^PORTAL_MASTER_KEY=(\w+)$/m.exec(text) ?? [];
  const newKey = newMasterKey().reveal();
  const swapped = text.replace(oldKey, newKey);
  await writeFile(envFile, `${swapped}PORTAL_MASTER_KEY_PREVIOUS=${oldKey}\n`);
  expect((await command('license', 'show', licenseKey)).id).toBe(id);
  expect(await command('key', 'rotate-master')).toMatchObject({ unreadable: [] });
  await writeFile(envFile, swapped);
  expect((await command('license', 'show', licenseKey)).id).toBe(id);
  expect((await command('key', 'rotate', '--now')).outcome).toBe('rotated');
});
