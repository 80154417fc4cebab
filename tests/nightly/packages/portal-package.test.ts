import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { licensesHttp } from '#contracts/license/licenses.ts';
import { testDatabase } from '#harness/database.ts';
import { faultsOfLicenses, librariesIn } from '#harness/library-licenses.ts';
import { newHwid, newMasterKey } from '#harness/portal.ts';
import { type PortalProcess, servePortal } from '#harness/portal-process.ts';
import { freePort } from '#harness/ports.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { systemEnv } from '#runtime/system-env.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder('portal-package');
});
afterAll(() => folder[Symbol.asyncDispose]());

const make = (out: string, ...options: string[]) =>
  run(process.execPath, [join(root, 'build/package.ts'), 'portal', '--out', out, ...options], {
    cwd: root,
  });

/** Runs with Node and the folder alone: the repository's files and packages are out of reach. */
const serve = (packaged: string, env: Readonly<Record<string, string>>): Promise<PortalProcess> =>
  servePortal({ entry: join(packaged, 'portal.mjs'), cwd: packaged, env });

const activate = async ({ url }: PortalProcess, licenseKey: string): Promise<number> => {
  const response = await fetch(url + licensesHttp.activate.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      licenseKey,
      hwid: newHwid(),
      instanceId: crypto.randomUUID(),
      version: '1.0.0',
    }),
  });
  await response.arrayBuffer();
  return response.status;
};

const issue = async (packaged: string, env: Readonly<Record<string, string>>): Promise<string> => {
  const args = ['portal.mjs', 'license', 'issue', '--email', 'owner@example.com', '--json'];
  const { stdout } = await run(process.execPath, args, {
    cwd: packaged,
    env: { ...systemEnv(), ...env },
  });
  return (JSON.parse(stdout) as { licenseKey: string }).licenseKey;
};

// Guarantee: the packaged portal runs with Node alone and its own Postgres, including its pages.
test('a package with Postgres', async () => {
  const out = join(folder.path, 'with-postgres');
  await make(out);
  expect((await readdir(join(out, 'licenses'))).sort()).toEqual(['libraries.txt', 'postgresql.txt']);
  const env = {
    PORTAL_HOME: join(folder.path, 'home'),
    PORTAL_POSTGRES_PORT: String(await freePort()),
  };
  await using portal = await serve(out, env);
  expect(await activate(portal, await issue(out, env))).toBe(200);
  const page = await fetch(`${portal.url}/account`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<!doctype html>')]);
  expect((await fetch(`${portal.url}/api/openapi.json`)).status).toBe(200);
});

// Guarantee: with an external database it needs no packages at all, and reveals nothing about where it was built; the licenses of
// its libraries are included, and allow that.
test('a package without Postgres', async () => {
  const out = join(folder.path, 'without-postgres');
  await make(out, '--no-postgres');
  expect((await readdir(out)).sort()).toEqual([
    'disk-worker.mjs',
    'docs',
    'guardian.mjs',
    'licenses',
    'package.json',
    'portal.mjs',
  ]);
  expect(existsSync(join(out, 'docs/examples/castellan-portal.service'))).toBe(true);
  expect(await readFile(join(out, 'portal.mjs'), 'utf8')).not.toContain(root);
  const licenses = await readFile(join(out, 'licenses', 'libraries.txt'), 'utf8');
  expect(faultsOfLicenses(licenses)).toEqual([]);
  const libraries = librariesIn(licenses).map(({ name }) => name);
  expect(libraries).toEqual(expect.arrayContaining(['express', 'nodemailer', 'pg']));
  expect(libraries).not.toContain('discord.js');
  await using database = await testDatabase();
  const env = {
    PORTAL_HOME: join(folder.path, 'external-home'),
    PORTAL_DATABASE_URL: database.url.reveal(),
    PORTAL_MASTER_KEY: newMasterKey().reveal(),
  };
  await using portal = await serve(out, env);
  expect(await activate(portal, await issue(out, env))).toBe(200);
});

// Guarantee: packaging again replaces the package, and nothing but a package.
test('what stands in the place', async () => {
  const out = join(folder.path, 'again');
  await make(out, '--no-postgres');
  await writeFile(join(out, 'left-over.txt'), '');
  await make(out, '--no-postgres');
  expect(existsSync(join(out, 'left-over.txt'))).toBe(false);
  const own = join(folder.path, 'own');
  await mkdir(own);
  await writeFile(join(own, 'thesis.txt'), 'years of work');
  await expect(make(own)).rejects.toThrow('holds something else');
  expect(await readdir(own)).toEqual(['thesis.txt']);
});
