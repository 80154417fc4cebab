// @module-tag identity, mount, iproute, kills

import { chmod, cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { type Installation, install } from '#harness/installation.ts';
import { runCount } from '#harness/kill-count.ts';
import { freePort } from '#harness/ports.ts';
import {
  type Account,
  cases,
  containersOf,
  giveTo,
  ofContainer,
  onDisk,
  openWriter,
  postmasters,
  root,
  watchPostmasters,
} from './containers.ts';

const patienceMs = 60_000;
const { command, begin, start } = containersOf('castellan.mjs', 'CASTELLAN_HOME', 'start');

let installation: Installation;
let databaseUrl: string;
beforeAll(async () => {
  const port = await freePort();
  databaseUrl = `postgresql://castellan:a-long-secret@127.0.0.1:${port}/castellan?connection_limit=20`;
  installation = await install({ DATABASE_URL: databaseUrl });
});
afterAll(async () => {
  await installation?.[Symbol.asyncDispose]();
});

const installInto = async (home: string, account: Account): Promise<void> => {
  await cp(installation.home, home, { recursive: true });
  await chmod(home, 0o711);
  await giveTo(account, home);
};

const supervisors = () => ofContainer('first', 'castellan.mjs\0start');
const guardians = () => ofContainer('first', 'guardian.mjs');
const victims: Readonly<Record<string, (home: string) => Promise<readonly string[]>>> = {
  supervisor: supervisors,
  guardian: guardians,
  postmaster: postmasters,
  'supervisor and guardian': async () => [...(await guardians()), ...(await supervisors())],
  'supervisor and postmaster': async (home) => [...(await supervisors()), ...(await postmasters(home))],
};
const kills = runCount({ day: 5, night: 10 });

// Guarantee: of two containers on one data folder, only one ever runs a Postgres on it, whatever is killed when and however they
// know the folder; the other one and its backup are refused, with the first one's host; no kill needs a person, and no
// acknowledged write is lost.
test.each(cases)('on $place as $account.name', { timeout: 60_000 * kills }, async ({ open, account }) => {
  await using place = await open();
  const { first, second } = place;
  await installInto(first, account);
  await using writer = await openWriter(account, databaseUrl);
  {
    await using watched = watchPostmasters(first);
    for (let kill = 0; kill < kills; kill += 1) {
      const [name = '', find = postmasters] = Object.entries(victims)[kill % 5] ?? [];
      const before = await writer.acknowledged();
      await using _stack = start('first', account, first, writer);
      await eventually(async () => expect(await postmasters(first), name).toHaveLength(1), patienceMs);
      for (const args of [['start'], ['status'], ['backup']]) {
        const { code, said } = await command('second', account, second, ...args);
        expect(code, `${name}: ${said}`).toBe(3);
        expect(said).toContain('host first');
      }
      await eventually(async () => expect(await writer.acknowledged()).toBeGreaterThan(before), patienceMs);
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

const recordOf = async (home: string) =>
  JSON.parse(await readFile(join(home, 'supervisor.json'), 'utf8')) as {
    readonly heldBy: string;
    readonly host: string;
  };

// Guarantee: what one container does to a data folder waits for no luck in another: a restore during a backup, and a backup
// during a restore, are refused with the other one's host, and the one that began first succeeds.
test.each([
  ['backup', 'restore'],
  ['restore', 'backup'],
] as const)('a %s, and a %s in another container', { timeout: 600_000 }, async (earlier, later) => {
  await using place = await onDisk();
  const home = place.first;
  await installInto(home, root);
  {
    await using _stack = start('first', root, home);
    const apiLog = () => readFile(join(home, 'logs/api.log'), 'utf8');
    await eventually(
      async () => expect(await apiLog()).toContain('database schema is up to date'),
      patienceMs,
    );
  }
  await eventually(async () => expect(await postmasters(home)).toEqual([]), patienceMs);
  const taken = await command('first', root, home, 'backup');
  expect(taken.code, taken.said).toBe(0);
  const [, backup = ''] = /^Backup taken: (.+)$/m.exec(taken.said) ?? [];
  expect(backup).not.toBe('');
  const argsOf = { backup: ['backup'], restore: ['restore', backup] };

  const child = begin('second', root, home, ...argsOf[earlier]);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await eventually(async () =>
    expect(await recordOf(home)).toMatchObject({ heldBy: `castellan ${earlier}`, host: 'second' }),
  );
  const frozen = await ofContainer('second', `castellan.mjs\0${earlier}`);
  for (const pid of frozen) process.kill(Number(pid), 'SIGSTOP');
  // It has not ended in the meantime.
  expect(await ofContainer('second', `castellan.mjs\0${earlier}`)).toEqual(frozen);
  expect(frozen).toHaveLength(1);
  try {
    const { code, said } = await command('first', root, home, ...argsOf[later]);
    expect(code, said).toBe(3);
    expect(said).toContain('host second');
  } finally {
    for (const pid of frozen) process.kill(Number(pid), 'SIGCONT');
  }
  expect(await ended).toBe(0);
  await using _stack = start('first', root, home);
  await eventually(async () => expect(await postmasters(home)).toHaveLength(1), patienceMs);
});

// Guarantee: the lock is no file, so what is deleted in a folder that is in use opens it to no one.
test('what says who holds the folder is deleted', async () => {
  await using place = await onDisk();
  const home = place.first;
  await installInto(home, root);
  await using _stack = start('first', root, home);
  await eventually(async () => expect(await postmasters(home)).toHaveLength(1), patienceMs);
  await using watched = watchPostmasters(home);
  for (const file of ['supervisor.json', '.env.lock', 'postgres/data/postmaster.pid'])
    await rm(join(home, file), { force: true });
  for (const args of [['start'], ['backup']])
    expect(await command('second', root, home, ...args)).toMatchObject({ code: 3 });
  expect(watched.most()).toBe(1);
});
