import { open, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openJournalFile } from './journal-file.ts';

// Guarantee: a line is on disk before it counts as written, and lines that arrive together share a flush.
test('grouped flushes', async () => {
  await using folder = await temporaryFolder('journal');
  const path = join(folder.path, 'j');
  const file = await openJournalFile({ path, kept: () => 'kept\n', growthBytes: 1e9 });
  const probe = await open(path, 'r');
  const flush = vi.spyOn(Object.getPrototypeOf(probe), 'datasync');
  await probe.close();
  try {
    await Promise.all(Array.from({ length: 500 }, (_, index) => file.append(`${index}\n`)));
    expect(flush.mock.calls.length).toBeLessThanOrEqual(2);
    const flushed = flush.mock.calls.length;
    await file.append('one more\n');
    expect(flush.mock.calls.length).toBe(flushed + 1);
  } finally {
    flush.mockRestore();
  }
  const lines = (await readFile(path, 'utf8')).split('\n');
  expect(lines.slice(0, 3)).toEqual(['kept', '0', '1']);
  expect(lines.length).toBe(503);
  await file[Symbol.asyncDispose]();
});

/** Files below a folder that this process has open, including deleted ones. */
const openBelow = async (folder: string): Promise<readonly string[]> => {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((path) => path.startsWith(folder));
};

// Guarantee: a file that was rewritten is closed: Windows renames nothing over an open one, and handles would pile up.
test.runIf(process.platform === 'linux')('rewritten files', async () => {
  await using folder = await temporaryFolder('journal');
  const path = join(folder.path, 'j');
  const file = await openJournalFile({ path, kept: () => 'kept\n', growthBytes: 10 });
  for (let line = 0; line < 3; line += 1) await file.append('more than ten bytes\n', { thenRenew: true });
  expect(await openBelow(folder.path)).toEqual([path]);
  await file[Symbol.asyncDispose]();
  expect(await openBelow(folder.path)).toEqual([]);
});
