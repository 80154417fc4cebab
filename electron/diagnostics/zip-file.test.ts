import { randomBytes } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Entry, fromBuffer, type ZipFile as OpenedZip } from 'yauzl';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { zipFile } from './zip-file.ts';

const openZip = promisify<Buffer, { lazyEntries: true }, OpenedZip>(fromBuffer);

const entriesOf = async (path: string): Promise<Entry[]> => {
  const zip = await openZip(await readFile(path), { lazyEntries: true });
  const entries: Entry[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  zip.on('entry', (entry: Entry) => {
    entries.push(entry);
    zip.readEntry();
  });
  zip.on('end', resolve).on('error', reject);
  zip.readEntry();
  await promise;
  return entries;
};

// Guarantee: entries keep their order and size, whether empty or larger than any buffer, and only their owner can read what
// is unpacked.
test('entries', async () => {
  await using folder = await temporaryFolder('zip-file');
  const path = join(folder.path, 'a.zip');
  const contents = { 'empty.txt': 0, 'logs/small.log': 20, 'logs/large.log': 3_000_000 };
  await using file = await open(path, 'wx', 0o600);
  const zip = zipFile(file, new Date(2026, 4, 3, 12, 30, 10));
  for (const [name, bytes] of Object.entries(contents)) await zip.add(name, randomBytes(bytes));
  await zip.finish();
  // The caller still syncs it.
  expect((await file.stat()).size).toBe((await stat(path)).size);
  const entries = await entriesOf(path);
  expect(entries.map(({ fileName, uncompressedSize }) => [fileName, uncompressedSize])).toEqual(
    Object.entries(contents),
  );
  for (const entry of entries) {
    expect((entry.externalFileAttributes >>> 16).toString(8)).toBe('100600');
    expect(entry.getLastModDate()).toEqual(new Date(2026, 4, 3, 12, 30, 10));
  }
});

// Guarantee: a disk that is full fails the bundle instead of holding it up.
test('a full disk', async () => {
  await using file = await open('/dev/full', 'w');
  const zip = zipFile(file, new Date());
  const failed = (async () => {
    for (let at = 0; at < 20; at += 1) await zip.add(`${at}.log`, randomBytes(1_000_000));
    await zip.finish();
  })();
  await expect(failed).rejects.toThrow(/ENOSPC/);
});
