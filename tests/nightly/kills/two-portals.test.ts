// @module-tag mount, iproute, kills

import { chmod, chown, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { runCount } from '#harness/kill-count.ts';
import { readPortalConfig } from '../../../portal/config.ts';
import { embeddedDatabaseUrl } from '../../../portal/database/embedded-postgres.ts';
import {
  type Account,
  cases,
  containersOf,
  ofContainer,
  onDisk,
  openWriter,
  postmasters,
  root,
  type Writer,
  watchPostmasters,
} from './containers.ts';

const patienceMs = 60_000;
const { command, begin, start } = containersOf('portal.mjs', 'PORTAL_HOME', 'serve');

const makePlace = async (home: string, { uid }: Account): Promise<void> => {
  await mkdir(home, { mode: 0o711, recursive: true });
  await chmod(home, 0o711);
  await chown(home, uid, uid);
};

/** A first start makes the key and the database. */
const firstStart = async (home: string, account: Account): Promise<Writer> => {
  {
    await using _portal = start('first', account, home);
    await eventually(
      async () => expect(await readFile(join(home, 'portal.json'), 'utf8')).toContain('pid'),
      patienceMs,
    );
  }
  await eventually(async () => expect(await postmasters(home)).toEqual([]), patienceMs);
  const { postgresPort, masterKey } = await readPortalConfig({ PORTAL_HOME: home });
  if (postgresPort === null || masterKey === null) throw new Error('the first start wrote no settings');
  return openWriter(account, embeddedDatabaseUrl(postgresPort, masterKey).reveal());
};

const portals = () => ofContainer('first', 'portal.mjs\0serve');
const guardians = () => ofContainer('first', 'guardian.mjs');
const victims: Readonly<Record<string, (home: string) => Promise<readonly string[]>>> = {
  portal: portals,
  guardian: guardians,
  postmaster: postmasters,
  'portal and guardian': async () => [...(await guardians()), ...(await portals())],
  'portal and postmaster': async (home) => [...(await portals()), ...(await postmasters(home))],
};
const kills = runCount({ day: 5, night: 10 });

// Guarantee: of two portals in two containers on one data folder, only one ever runs a Postgres on it, whatever is killed when and
// however they know the folder; the other one, its backup and its restore are refused, with the first one's host; no kill needs a
// person, and no acknowledged write is lost.
test.each(cases)('on $place as $account.name', { timeout: 60_000 * kills }, async ({ open, account }) => {
  await using place = await open();
  const { first, second } = place;
  await makePlace(first, account);
  await using writer = await firstStart(first, account);
  {
    await using watched = watchPostmasters(first);
    for (let kill = 0; kill < kills; kill += 1) {
      const [name = '', find = postmasters] = Object.entries(victims)[kill % 5] ?? [];
      const before = await writer.acknowledged();
      await using _portal = start('first', account, first, writer);
      await eventually(
        async () => expect(await writer.acknowledged(), name).toBeGreaterThan(before),
        patienceMs,
      );
      for (const args of [['serve'], ['backup'], ['restore', join(second, 'backups/none')]]) {
        const { code, said } = await command('second', account, second, ...args);
        expect(code, `${name}: ${said}`).toBe(1);
        expect(said).toContain('of host first');
      }
      for (const pid of await find(first)) process.kill(Number(pid), 'SIGKILL');
      // It starts, or is refused as long as anything of the first one lives.
      await using _other = start('second', account, second, writer);
      await delay(3000);
    }
    expect(watched.most()).toBe(1);
  }
  await eventually(async () => expect(await postmasters(first)).toEqual([]), patienceMs);
  await using _again = start('last', account, first, writer);
  await eventually(async () => {
    const verdicts = await writer.verdicts();
    expect(verdicts.at(-1)).toMatchObject({ run: 'last', lost: 0 });
    expect(verdicts.filter(({ lost }) => lost > 0)).toEqual([]);
  }, patienceMs);
  process.stdout.write(`${kills} kills, acknowledged writes: ${await writer.acknowledged()}, none lost\n`);
});

// Guarantee: a restore of a portal during a backup in another container, and a backup during a restore, are refused with the other
// one's host, and the one that began first succeeds.
test.each([
  ['backup', 'restore'],
  ['restore', 'backup'],
] as const)('a %s, and a %s in another container', { timeout: 600_000 }, async (earlier, later) => {
  await using place = await onDisk();
  const home = place.first;
  await makePlace(home, root);
  await using _writer = await firstStart(home, root);
  const taken = await command('first', root, home, 'backup', '--json');
  expect(taken.code, taken.said).toBe(0);
  const { path } = JSON.parse(taken.said) as { readonly path: string };
  const argsOf = { backup: ['backup'], restore: ['restore', path] };

  const child = begin('second', root, home, ...argsOf[earlier]);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await eventually(
    async () => expect(await readFile(join(home, 'lock-holder.json'), 'utf8')).toContain('"host":"second"'),
    patienceMs,
  );
  const frozen = await ofContainer('second', `portal.mjs\0${earlier}`);
  for (const pid of frozen) process.kill(Number(pid), 'SIGSTOP');
  // It has not ended in the meantime.
  expect(await ofContainer('second', `portal.mjs\0${earlier}`)).toEqual(frozen);
  expect(frozen).toHaveLength(1);
  try {
    const { code, said } = await command('first', root, home, ...argsOf[later]);
    expect(code, said).toBe(1);
    expect(said).toContain('of host second');
  } finally {
    for (const pid of frozen) process.kill(Number(pid), 'SIGCONT');
  }
  expect(await ended).toBe(0);
  await using _portal = start('first', root, home);
  await eventually(async () => expect(await postmasters(home)).toHaveLength(1), patienceMs);
});

// Guarantee: the lock is no file, so what is deleted in a folder that is in use opens it to no one.
test('what says who holds the folder is deleted', async () => {
  await using place = await onDisk();
  const home = place.first;
  await makePlace(home, root);
  await using writer = await firstStart(home, root);
  await using _portal = start('first', root, home, writer);
  await eventually(async () => expect(await writer.acknowledged()).toBeGreaterThan(0), patienceMs);
  await using watched = watchPostmasters(home);
  for (const file of ['lock-holder.json', 'portal.json', 'postgres/data/postmaster.pid'])
    await rm(join(home, file), { force: true });
  for (const args of [['serve'], ['backup']]) {
    const { code, said } = await command('second', root, home, ...args);
    expect(code, said).toBe(1);
    expect(said).toContain('is in use by process unknown of host unknown');
  }
  expect(watched.most()).toBe(1);
});
