import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ArchiveError } from './archive.ts';
import { openArchive } from './open-archive.ts';
import { hostileZips } from './testing/hostile-zips.ts';

const { signal } = new AbortController();

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hostile-zip-'));
});
afterEach(() => rm(root, { recursive: true }));

const list = async () => (await readdir(root, { recursive: true })).sort();

// Guarantee: nothing of an archive that tries to do harm, or cannot be trusted, reaches the disk, and people read why.
test.each(hostileZips)('$name is refused as $fault', async ({ fault, bytes }) => {
  const path = join(root, 'hostile.zip');
  const folder = join(root, 'server', 'unpacked');
  await mkdir(folder, { recursive: true });
  await writeFile(path, bytes());
  const before = await list();

  const refused = await (async () => {
    await using archive = await openArchive(path);
    await archive.unpack(folder, { signal });
  })().catch((error: unknown) => error);

  expect(refused).toBeInstanceOf(ArchiveError);
  expect(refused).toMatchObject({ fault });
  expect((refused as ArchiveError).message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect((refused as ArchiveError).message.length).toBeLessThan(400);
  expect(await list()).toEqual(before);
});

test('each hostile archive has its own name', () => {
  expect(new Set(hostileZips.map(({ name }) => name)).size).toBe(hostileZips.length);
  expect(hostileZips.length).toBeGreaterThanOrEqual(60);
});
