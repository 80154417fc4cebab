import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import {
  countDamagedCopies,
  keyRecordName,
  readKeyRecord,
  recordKeys,
  removeDamagedCopies,
  removeRecordedKeys,
} from './key-record.ts';
import { Secret } from './secret.ts';
import { keyIdOf } from './secret-box.ts';

const newKey = () => new Secret(randomBytes(32).toString('hex'));

let folder: TemporaryFolder;
let home: string;
let path: string;
beforeEach(async () => {
  folder = await temporaryFolder('key-record');
  home = folder.path;
  path = join(home, keyRecordName);
  await writeFile(join(home, '.env'), '', { mode: 0o600 });
});
afterEach(() => folder[Symbol.asyncDispose]());

const idsIn = async () => (await readKeyRecord(home)).keys.map(keyIdOf).toSorted();
const idsOf = (...keys: Secret[]) => keys.map(keyIdOf).toSorted();
const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

// Guarantee: a key that was recorded stays until it is removed; the file changes only when a key comes or goes.
test('keys come and go', async () => {
  const [first, second] = [newKey(), newKey()];
  expect(await readKeyRecord(home)).toEqual({ keys: [], fault: null });
  expect(await recordKeys(home, [first])).toEqual({ damagedCopy: null, wasOpen: false });
  const { ino } = await stat(path);
  await recordKeys(home, [new Secret(first.reveal().toUpperCase())]);
  expect((await stat(path)).ino).toBe(ino);
  await recordKeys(home, [second]);
  expect(await idsIn()).toEqual(idsOf(first, second));
  await removeRecordedKeys(home, [keyIdOf(first), 'unknown']);
  expect(await idsIn()).toEqual(idsOf(second));
  expect((await readdir(home)).toSorted()).toEqual(['.env', keyRecordName]);
});

// Guarantee: the file is as private as `.env`, and never open to everyone.
test.skipIf(process.platform === 'win32')('permissions', async () => {
  await chmod(join(home, '.env'), 0o644);
  await recordKeys(home, [newKey()]);
  expect(await modeOf(path)).toBe('640');
  await chmod(path, 0o644);
  expect(await recordKeys(home, [newKey()])).toEqual({ damagedCopy: null, wasOpen: true });
  expect(await modeOf(path)).toBe('640');
});

// Guarantee: writers at the same time lose no key of each other's.
test('many writers', async () => {
  const [old, ...fresh] = Array.from({ length: 8 }, newKey);
  await recordKeys(home, [old as Secret]);
  await Promise.all([
    ...fresh.map((key) => recordKeys(home, [key])),
    removeRecordedKeys(home, [keyIdOf(old as Secret)]),
  ]);
  expect(await idsIn()).toEqual(idsOf(...fresh));
});

// Guarantee: every key of a damaged file that can still be read is used, the file is kept as it was found, and a start that was killed
// before it wrote a new one changes nothing about that.
test.each([
  [
    'a changed digit',
    (text: string) =>
      text.replace(/("key": ")(.)/, (_, lead, digit) => `${lead}${digit === '0' ? '1' : '0'}`),
    1,
  ],
  ['cut off', (text: string) => text.slice(0, -12), 2],
  ['empty', () => '', 0],
  ['another encoding', (text: string) => Buffer.from(text, 'utf16le').toString('latin1'), 0],
] as const)('a damaged file: %s', async (_name, damage, found) => {
  const keys = [newKey(), newKey()] as const;
  await recordKeys(home, keys);
  const damaged = damage(await readFile(path, 'utf8'));
  await writeFile(path, damaged);
  const read = await readKeyRecord(home);
  expect(read.fault).toEqual({ kind: 'damaged' });
  expect(read.keys.map(keyIdOf).filter((id) => idsOf(...keys).includes(id))).toHaveLength(found);
  const current = newKey();
  const { damagedCopy } = await recordKeys(home, [current]);
  expect(await readFile(join(home, damagedCopy ?? ''), 'utf8')).toBe(damaged);
  expect(await modeOf(join(home, damagedCopy ?? ''))).toBe('600');
  expect(await readKeyRecord(home)).toMatchObject({ fault: null });
  expect(await idsIn()).toContain(keyIdOf(current));
  // As found by the next start after a kill.
  await writeFile(path, damaged);
  expect((await recordKeys(home, [current])).damagedCopy).toBe(damagedCopy);
  expect(await countDamagedCopies(home)).toBe(1);
  expect(await removeDamagedCopies(home)).toBe(1);
  expect(await countDamagedCopies(home)).toBe(0);
});

// Guarantee: what cannot be read is reported, and neither replaced nor removed.
test('an unusable file', async () => {
  await mkdir(path);
  expect(await readKeyRecord(home)).toMatchObject({ keys: [], fault: { kind: 'unusable' } });
  await expect(recordKeys(home, [newKey()])).rejects.toThrow('EISDIR');
  await expect(removeRecordedKeys(home, [])).rejects.toThrow('EISDIR');
  expect((await stat(path)).isDirectory()).toBe(true);
});

// Guarantee: removing a key also removes what a killed write has left of the file.
test('a half-written file', async () => {
  const key = newKey();
  await recordKeys(home, [key]);
  await writeFile(`${path}.68714f06-0087-4dbd-98d5-494814695c8d`, key.reveal());
  await removeRecordedKeys(home, [keyIdOf(key)]);
  const texts = await Promise.all((await readdir(home)).map((name) => readFile(join(home, name), 'utf8')));
  expect(texts.join('\n')).not.toContain(key.reveal());
  await rm(path);
});
