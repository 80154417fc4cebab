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
const open = () =>
  openLogFile({
    folder: folder.path,
    name: 'api.log',
    size: '1K',
    onTrouble: (path, error) => troubles.push(`${path}: ${error.message}`),
  });

// Guarantee: a log takes a bounded room on the disk, and its newest lines are kept whole and in order.
test('files rotate, and five old ones are kept', async () => {
  const log = open();
  for (let n = 0; n < 400; n += 1) {
    log.write(`line ${n} ${'x'.repeat(40)}`);
    await log.ready();
  }
  await log[Symbol.asyncDispose]();
  const names = (await readdir(folder.path)).sort();
  expect(names).toEqual(['api.log', 'api.log.1', 'api.log.2', 'api.log.3', 'api.log.4', 'api.log.5']);
  const texts = await Promise.all(
    names.toReversed().map((name) => readFile(join(folder.path, name), 'utf8')),
  );
  const numbers = [...texts.join('').matchAll(/^line (\d+) x{40}$/gm)].map(([, number]) => Number(number));
  expect(numbers.at(-1)).toBe(399);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  expect((await stat(join(folder.path, 'api.log'))).mode & 0o777).toBe(0o600);
});

// Guarantee: a log that cannot be written is said once and harms nothing.
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
