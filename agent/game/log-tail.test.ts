import { appendFile, mkdir, rename, rm, rmdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { createLineSplitter, longestLineBytes } from './line-splitter.ts';
import { followLog } from './log-tail.ts';

const follow = async (path: string) => {
  const lines: string[] = [];
  const log = createLog({ component: 'agent', level: 'silent' });
  const tail = await followLog({ path, onLine: (line) => void lines.push(line), log, pollMs: 10 });
  return { lines, tail };
};
const see = (lines: readonly string[], ...expected: string[]) =>
  eventually(() => expect(lines).toEqual(expected));

// Guarantee: every line written from now on is read once, in order: across growth, half lines, replacement and truncation; earlier
// ones are not.
test('a log that lives', async () => {
  await using folder = await temporaryFolder('log');
  const path = join(folder.path, 'game.log');
  await writeFile(path, 'from before\n');
  const { lines, tail } = await follow(path);
  await using _tail = tail;
  await appendFile(path, 'one\r\ntwo\nth');
  await see(lines, 'one', 'two');
  await appendFile(path, 'ree\n');
  await see(lines, 'one', 'two', 'three');

  await appendFile(path, 'last words\n');
  await rename(path, `${path}.1`);
  await appendFile(`${path}.1`, 'very last words\n');
  await writeFile(path, 'new file\n');
  await see(lines, 'one', 'two', 'three', 'last words', 'very last words', 'new file');

  lines.length = 0;
  await truncate(path);
  await appendFile(path, 'anew\n');
  await see(lines, 'anew');
  await rm(path);
  await writeFile(path, Buffer.from([0x61, 0xff, 0x62, 0x00, 0x0a]));
  await see(lines, 'anew', 'aÿb\u{fffd}');
});

// Guarantee: a missing log is waited for, and then read from its beginning.
test('an absent log', async () => {
  await using folder = await temporaryFolder('log');
  const path = join(folder.path, 'later.log');
  const { lines, tail } = await follow(path);
  await using _tail = tail;
  await writeFile(path, 'first\n');
  await see(lines, 'first');
});

// Guarantee: an endless line takes bounded memory, and the line after it is whole.
test('endless lines', () => {
  const splitter = createLineSplitter();
  const chunk = Buffer.alloc(1000, 'x');
  for (let count = 0; count < 5000; count += 1) expect(splitter.take(chunk)).toEqual([]);
  const [long, short] = splitter.take(Buffer.from('\nshort\n'));
  expect(long?.length).toBe(longestLineBytes);
  expect(short).toBe('short');
  expect(splitter.take(Buffer.from([0xe2, 0x82]))).toEqual([]);
  expect(splitter.take(Buffer.from([0xac, 0x0a]))).toEqual(['€']);
});

// Guarantee: a folder in place of the log is reported once, and the log is read when it is there.
test('no file', async () => {
  await using folder = await temporaryFolder('log');
  const path = join(folder.path, 'game.log');
  await mkdir(path);
  const lines: string[] = [];
  const logged: string[] = [];
  const log = createLog({ component: 'agent', destination: { write: (line) => void logged.push(line) } });
  await using _tail = await followLog({ path, onLine: (line) => void lines.push(line), log, pollMs: 10 });
  await eventually(() => expect(logged).toHaveLength(1));
  await rmdir(path);
  // Shown by another message after the one about the folder.
  await eventually(() => expect(logged.map((line) => JSON.parse(line).code)).toEqual(['NO_FILE', 'ENOENT']));
  await writeFile(path, 'one\n');
  await see(lines, 'one');
});
