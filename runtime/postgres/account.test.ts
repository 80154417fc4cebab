import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lchown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { accountFor, giveTo, needsAccount, postgresAccount } from './account.ts';
import { openCluster } from './cluster.ts';

const testAsRoot = test.runIf(needsAccount());

/** An account that this test creates and removes. */
let name: string;
beforeEach(() => {
  name = `castellan-${randomBytes(4).toString('hex')}`;
});
afterEach(() => {
  vi.unstubAllEnvs();
  const made = execFileSync('getent', ['passwd'], { encoding: 'utf8' }).includes(`${name}:`);
  if (made) execFileSync('/usr/sbin/userdel', [name], { stdio: 'ignore' });
});

const ownersIn = async (folder: string): Promise<Set<number>> => {
  const owners = new Set([(await stat(folder)).uid]);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    owners.add((await stat(join(entry.parentPath, entry.name))).uid);
  return owners;
};

// Guarantee: Postgres gets an account that nothing else uses, created once; no home folder, no shell.
testAsRoot('the account is made where it is missing', () => {
  const made = postgresAccount(name);
  expect(made?.uid).toBeGreaterThan(0);
  expect(made?.uid).not.toBe(postgresAccount('nobody')?.uid);
  expect(postgresAccount(name)).toEqual(made);
  expect(execFileSync('getent', ['passwd', name], { encoding: 'utf8' })).toMatch(
    /:\/nonexistent:\/usr\/sbin\/nologin\n$/,
  );
});

// Guarantee: when an account cannot be created, the message says what to do, and a database that has another one still runs.
testAsRoot('an account that cannot be made', async () => {
  const refused = 'not:a:name';
  expect(() => postgresAccount(refused)).toThrow(
    /could not be made: .*useradd --system .*CASTELLAN_POSTGRES_ACCOUNT/s,
  );
  expect(() => postgresAccount('root')).toThrow(/root/);
  vi.stubEnv('CASTELLAN_POSTGRES_ACCOUNT', refused);
  await using folder = await temporaryFolder('account');
  expect(() => accountFor(join(folder.path, 'data'))).toThrow(/could not be made/);
  expect(() => accountFor(folder.path)).toThrow(/could not be made/);
  await lchown(folder.path, 65_534, 65_534);
  expect(accountFor(folder.path)).toEqual({ uid: 65_534, gid: 65_534 });
});

// Guarantee: a database that a person's own account has run keeps that account when root once starts it, and still belongs to that
// person afterwards.
testAsRoot('a database of a person', async () => {
  await using folder = await temporaryFolder('account');
  const port = await freePort();
  const before = await openCluster({ folder: folder.path, port });
  const person = postgresAccount(name);
  if (person === null) throw new Error('not root');
  await giveTo(person, before.dataFolder);
  const after = await openCluster({ folder: folder.path, port });
  await after.start();
  try {
    expect(await ownersIn(after.dataFolder)).toEqual(new Set([person.uid]));
  } finally {
    await after.stop();
  }
});

// Guarantee: a database that belongs to another account is handed over at a start, with all its files, even when an earlier start
// was killed in the middle of that.
testAsRoot('a database changes hands', async () => {
  await using folder = await temporaryFolder('account');
  const port = await freePort();
  const before = await openCluster({ folder: folder.path, port });
  await before.start();
  const client = await before.connect();
  await client.query('create table kept as select 42 as answer');
  await client.end();
  await before.stop();
  expect(await ownersIn(before.dataFolder)).toEqual(new Set([postgresAccount()?.uid]));

  vi.stubEnv('CASTELLAN_POSTGRES_ACCOUNT', name);
  const account = postgresAccount();
  // The state that a start killed halfway leaves.
  await lchown(before.dataFolder, 0, 0);
  await lchown(join(before.dataFolder, 'base'), account?.uid ?? 0, account?.gid ?? 0);
  const lines: string[] = [];
  const after = await openCluster({ folder: folder.path, port, onLine: (line) => lines.push(line) });
  await after.start();
  try {
    expect(await ownersIn(after.dataFolder)).toEqual(new Set([account?.uid]));
    const again = await after.connect();
    expect((await again.query('select answer from kept')).rows).toEqual([{ answer: 42 }]);
    await again.end();
    expect(lines.join('\n')).toContain('were given to the account');
  } finally {
    await after.stop();
  }
});
