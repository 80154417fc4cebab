import fs from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { version } from '../version.ts';
import { goBackTo, listKeptStates } from './before-restore.ts';
import { beginSwap, finishHomeRestore, finishSwap, isRestoreUnfinished } from './restore-journal.ts';

const items = ['.env', join('postgres', 'superuser.password'), join('postgres', 'data')];

const writeState = async (folder: string, text: string, major = '18') => {
  const files = {
    '.env': text,
    'postgres/superuser.password': text,
    'postgres/data/PG_VERSION': `${major}\n`,
  };
  for (const [name, content] of Object.entries({ ...files, 'postgres/data/rows': text })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
};

/** After a restore; its license is newer than what was replaced. */
const restoredHome = async (home: string, more: { version?: string; major?: string } = {}) => {
  await writeState(home, 'before', more.major);
  await writeState(join(home, 'restore.ready'), 'restored');
  await writeFile(join(home, 'license.json'), 'newest');
  const swap = { from: null, replaced: 'replaced-one', items, at: '2026-02-01T00:00:00.000Z' };
  await beginSwap(home, { ...swap, version: more.version ?? version });
  await finishSwap(home);
};

const contentOf = async (home: string) =>
  Promise.all(
    ['.env', 'postgres/superuser.password', 'postgres/data/rows', 'license.json'].map((name) =>
      readFile(join(home, name), 'utf8'),
    ),
  );
const wholly = (text: string) => [text, text, text, 'newest'];

const { rename } = fs.promises;
afterEach(() => {
  fs.promises.rename = rename;
  syncBuiltinESMExports();
});
/** As a kill: nothing after that rename happens. */
const failAt = (count: number) => {
  let left = count;
  fs.promises.rename = async (...args) => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return rename(...args);
  };
  syncBuiltinESMExports();
};

// Guarantee: a way back that is interrupted at any rename is whole after the next start: the state before the restore or, if it had not
// been decided, the restored one; what it replaces is kept, and the license stays.
test('the way back, interrupted at any rename', async () => {
  const seen = new Set<string>();
  for (let count = 0; ; count += 1) {
    await using folder = await temporaryFolder('way-back');
    const home = folder.path;
    await restoredHome(home);
    failAt(count);
    const isDone = await goBackTo(home, 'replaced-one').then(
      () => true,
      (error: Error) => {
        expect(error.message).toBe('killed');
        return false;
      },
    );
    fs.promises.rename = rename;
    syncBuiltinESMExports();
    const isBack = isDone || isRestoreUnfinished(home);
    expect(await finishHomeRestore(home), String(count)).toBe(!isDone && isBack ? 'finished-back' : null);
    expect(await finishHomeRestore(home)).toBe(null);
    expect(await contentOf(home)).toEqual(wholly(isBack ? 'before' : 'restored'));
    const [kept, ...others] = await listKeptStates(home);
    expect(others).toEqual([]);
    const replaced = join(home, kept?.name ?? '', 'postgres', 'data', 'rows');
    expect(await readFile(replaced, 'utf8')).toBe(isBack ? 'restored' : 'before');
    seen.add(isBack ? 'back' : 'not');
    if (isDone) break;
  }
  expect(seen).toEqual(new Set(['back', 'not']));
});

// Guarantee: a state that this program cannot run, that is not whole, or that says nothing of itself, is not put in place.
test('states that are refused', async () => {
  await using folder = await temporaryFolder('way-back');
  for (const [name, more, refusal] of [
    ['newer', { version: '999.0.0' }, /was last run by version 999/],
    ['other', { major: '12' }, /of Postgres 12/],
  ] as const) {
    const home = join(folder.path, name);
    await restoredHome(home, more);
    await expect(goBackTo(home, 'replaced-one')).rejects.toThrow(refusal);
    expect(await contentOf(home)).toEqual(wholly('restored'));
  }
  const home = join(folder.path, 'torn');
  await restoredHome(home);
  await expect(goBackTo(home, '../torn/replaced-one')).rejects.toThrow('not there any more');
  await rm(join(home, 'replaced-one', 'postgres', 'superuser.password'));
  await expect(goBackTo(home, 'replaced-one')).rejects.toThrow('is not whole');
  await rm(join(home, 'replaced-one', 'restore.json'));
  expect(await listKeptStates(home)).toEqual([]);
  expect(await readdir(home)).toContain('replaced-one');
});
