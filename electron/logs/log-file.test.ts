import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { openLogFile } from './log-file.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder('logs');
});
afterEach(() => folder[Symbol.asyncDispose]());

const troubles: string[] = [];
const open = (name = 'api.log') =>
  openLogFile({
    folder: folder.path,
    name,
    fullBytes: 1024,
    onTrouble: (path, error) => troubles.push(`${path}: ${error.message}`),
  });

/** The numbers of the lines in all files, the oldest file first. */
const writtenNumbers = async (): Promise<number[]> => {
  const age = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? Number.POSITIVE_INFINITY);
  const names = (await readdir(folder.path)).sort((a, b) => (age(a) < age(b) ? -1 : 1));
  const texts = await Promise.all(names.map((name) => readFile(join(folder.path, name), 'utf8')));
  return [...texts.join('').matchAll(/^line (\d+) x{40}$/gm)].map(([, number]) => Number(number));
};

// Guarantee: a log takes bounded room on the disk, and its newest lines are kept whole and in order.
test('files rotate, and five old ones are kept', async () => {
  const log = open();
  for (let n = 0; n < 400; n += 1) {
    log.write(`line ${n} ${'x'.repeat(40)}`);
    await log.ready();
  }
  await log[Symbol.asyncDispose]();
  const names = await readdir(folder.path);
  expect(names).toHaveLength(6);
  expect(names).toContain('api.log');
  for (const name of names) expect((await stat(join(folder.path, name))).size).toBeLessThan(1100);
  const numbers = await writtenNumbers();
  expect(numbers.at(-1)).toBe(399);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  expect((await stat(join(folder.path, 'api.log'))).mode & 0o777).toBe(0o600);
});

// Guarantee: a log that cannot be written is reported once and harms nothing.
test('a log in trouble is said once', async () => {
  troubles.length = 0;
  const path = join(folder.path, 'api.log');
  await mkdir(path);
  const log = open();
  for (let n = 0; n < 50; n += 1) {
    log.write(`line ${n}`);
    await log.ready();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await log[Symbol.asyncDispose]();
  await rm(path, { recursive: true });
  expect(troubles).toEqual([expect.stringContaining(path)]);
});

// Guarantee: a full file that cannot be rotated (on Windows: while someone reads it) is written on, and no older one is removed.
test('a file that is held fast loses nothing', async () => {
  troubles.length = 0;
  // The tenth number makes the name too long for the file system.
  const name = 'x'.repeat(253);
  const log = open(name);
  for (let n = 0; n < 400; n += 1) {
    log.write(`line ${n} ${'x'.repeat(40)}`);
    await log.ready();
  }
  await log[Symbol.asyncDispose]();
  expect((await readdir(folder.path)).sort()).toEqual([name, ...[5, 6, 7, 8, 9].map((n) => `${name}.${n}`)]);
  const numbers = await writtenNumbers();
  expect(numbers.at(-1)).toBe(399);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  expect(troubles).toEqual([expect.stringContaining('ENAMETOOLONG')]);
});
