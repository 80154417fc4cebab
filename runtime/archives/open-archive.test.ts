import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { runCount } from '#harness/kill-count.ts';
import { type Archive, ArchiveError, usualLimits } from './archive.ts';
import { openArchive } from './open-archive.ts';
import { extraField, type RawEntry, zipByBytes } from './testing/zip-by-bytes.ts';

const run = promisify(execFile);
const { signal } = new AbortController();

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'archive-'));
});
afterEach(() => rm(root, { recursive: true }));

let count = 0;
const fresh = async (): Promise<string> => {
  count += 1;
  const folder = join(root, `unpacked-${count}`);
  await mkdir(folder);
  return folder;
};

const saved = async (bytes: Buffer): Promise<string> => {
  count += 1;
  const path = join(root, `${count}.zip`);
  await writeFile(path, bytes);
  return path;
};

const opened = async (entries: readonly RawEntry[]): Promise<Archive> =>
  openArchive(await saved(zipByBytes(entries)));

const unpacked = async (entries: readonly RawEntry[]): Promise<string[]> => {
  await using archive = await opened(entries);
  const folder = await fresh();
  await archive.unpack(folder, { signal });
  return (await readdir(folder, { recursive: true })).sort();
};

const sha512 = (data: Buffer) => createHash('sha512').update(data).digest('hex');

type Files = readonly (readonly [path: string, data: Buffer, isCompressed: boolean])[];

const byYazl = async (files: Files): Promise<string> => {
  const zip = new ZipFile();
  for (const [path, data, compress] of files) zip.addBuffer(data, path, { compress });
  zip.end();
  count += 1;
  const path = join(root, `${count}.zip`);
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
};

const name = fc.stringMatching(/^[a-z0-9üß_-]{1,12}$/);
const files: fc.Arbitrary<Files> = fc.uniqueArray(
  fc.tuple(
    // A file ends in .dat and a folder does not, so that no path is both.
    fc
      .tuple(fc.array(name, { maxLength: 3 }), name)
      .map(([folders, last]) => [...folders, `${last}.dat`].join('/')),
    fc.oneof(
      fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
      // Larger than what one call inflates.
      fc.integer({ min: 1_048_000, max: 1_400_000 }).map((bytes) => Buffer.alloc(bytes, `${bytes} bytes, `)),
    ),
    fc.boolean(),
  ),
  { maxLength: 12, selector: ([path]) => path.normalize('NFC').toUpperCase() },
);

// Guarantee: everything in an ordinary zip arrives whole, with its true hash, however it is packed.
test('unpacks what yazl packs', { tags: 'kills' }, async () => {
  await fc.assert(
    fc.asyncProperty(files, async (packed) => {
      const path = await byYazl(packed);
      await using archive = await openArchive(path, { ...usualLimits, ratio: 2000 });
      const folder = await fresh();
      let progress = 0;
      const written = await archive.unpack(folder, { signal, onProgress: (bytes) => (progress = bytes) });
      const expected = packed.map(([file, data]) => ({
        path: file,
        bytes: data.length,
        sha512: sha512(data),
      }));
      const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1);
      expect(written.toSorted(byPath)).toEqual(expected.toSorted(byPath));
      expect(progress).toBe(packed.reduce((sum, [, data]) => sum + data.length, 0));
      for (const [file, data] of packed) {
        expect((await readFile(join(folder, file))).equals(data)).toBe(true);
        expect((await archive.read(file, data.length)).equals(data)).toBe(true);
      }
    }),
    { numRuns: runCount({ day: 8, night: 25 }) },
  );
});

// Guarantee: the same files and folders arrive as with another program.
test('unpacks as unzip does', { tags: ['unzip'] }, async () => {
  const packed = fc.sample(files, 5).filter((one) => one.length > 0);
  for (const one of packed) {
    const path = await byYazl(one);
    await using archive = await openArchive(path, { ...usualLimits, ratio: 2000 });
    const [folder, other] = [await fresh(), await fresh()];
    await archive.unpack(folder, { signal, onProgress: () => undefined });
    await run('unzip', ['-q', path, '-d', other]);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(
      (await readdir(other, { recursive: true })).sort(),
    );
  }
});

// Guarantee: for any bytes, the answer is an archive or a refusal, and a refusal leaves the disk unchanged.
test('takes damaged bytes for damaged', { tags: 'kills' }, async () => {
  const base = zipByBytes([
    { name: 'mods/one.jar', data: 'some text '.repeat(40) },
    { name: 'mods/', data: '' },
    { name: 'two.txt', data: 'stored', method: 0 },
  ]);
  const damage = fc.array(fc.tuple(fc.nat({ max: base.length - 1 }), fc.nat({ max: 255 })), {
    minLength: 1,
    maxLength: 4,
  });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((random) => Buffer.from(random)),
    fc.tuple(damage, fc.nat({ max: base.length })).map(([changes, cut]) => {
      const changed = Buffer.from(base);
      for (const [at, byte] of changes) changed[at] = byte;
      return cut % 3 === 0 ? changed.subarray(0, cut) : changed;
    }),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (damaged) => {
      const folder = await fresh();
      const path = await saved(damaged);
      try {
        await using archive = await openArchive(path);
        await archive.unpack(folder, { signal });
      } catch (error) {
        expect(error).toBeInstanceOf(ArchiveError);
        expect(await readdir(folder)).toEqual([]);
      }
    }),
    { numRuns: runCount({ day: 100, night: 400 }) },
  );
});

test('takes zip64, data descriptors, code pages, backslashes and a comment as programs write them', async () => {
  const data = Buffer.from('text of a file');
  const sizes = Buffer.alloc(16);
  sizes.writeBigUInt64LE(BigInt(data.length), 0);
  sizes.writeBigUInt64LE(BigInt(data.length), 8);
  const descriptor = Buffer.alloc(16);
  const bytes = zipByBytes(
    [
      {
        name: 'wide.txt',
        data,
        method: 0,
        local: { bytes: 0xffff_ffff, packedBytes: 0xffff_ffff, extra: extraField(1, sizes) },
        central: { bytes: 0xffff_ffff, packedBytes: 0xffff_ffff, extra: extraField(1, sizes) },
      },
      { name: 'later.txt', data, flags: 0x808, local: { crc: 0, bytes: 0, packedBytes: 0 }, descriptor },
      { name: Buffer.from([0x81, 0x2e, 0x74]), data, flags: 0 },
      { name: Buffer.from('mac-ü.t'), data, flags: 0 },
      { name: 'old\\net\\', flags: 0 },
      { name: 'old\\net\\file.txt', data, flags: 0 },
      { name: './dot/file.txt', data },
      { name: 'dot/' },
      { name: 'dot/' },
      { name: 'empty/', mode: 0o040_755 },
      { name: 'program.sh', data, mode: 0o100_755 },
    ],
    {
      zip64: {},
      end: { entries: 0xffff, entriesHere: 0xffff, directoryStart: 0xffff_ffff },
      comment: Buffer.from('by 7-Zip'),
    },
  );
  await using archive = await openArchive(await saved(bytes));
  const folder = await fresh();
  await archive.unpack(folder, { signal });
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(
    [
      ...['dot', 'dot/file.txt', 'empty', 'later.txt', 'mac-ü.t', 'old', 'old/net', 'old/net/file.txt'],
      ...['program.sh', 'wide.txt', 'ü.t'],
    ].sort(),
  );
  expect((await readFile(join(folder, 'wide.txt'))).equals(data)).toBe(true);
  // A file from an archive is never executable.
  expect((await stat(join(folder, 'program.sh'))).mode & 0o111).toBe(0);
});

test('reads a jar whose classes differ in case alone, and never unpacks it', async () => {
  await using jar = await opened([
    { name: 'a.class', data: 'small' },
    { name: 'A.class', data: 'large' },
    { name: 'aux.class' },
    { name: 'plugin.yml', data: 'name: One' },
    { name: 'twice.txt', data: '1' },
    { name: 'twice.txt', data: '2' },
  ]);
  expect(String(await jar.read('a.class', 100))).toBe('small');
  expect(String(await jar.read('plugin.yml', 100))).toBe('name: One');
  // Java reads the last one.
  expect(String(await jar.read('twice.txt', 100))).toBe('2');
  expect(() => jar.checkPaths()).toThrow(ArchiveError);
  const folder = await fresh();
  await expect(jar.unpack(folder, { signal })).rejects.toBeInstanceOf(ArchiveError);
  expect(await readdir(folder)).toEqual([]);
});

test('reads no more of a file than asked for', async () => {
  await using archive = await opened([{ name: 'large.json', data: 'x'.repeat(5000) }]);
  await expect(archive.read('large.json', 4999)).rejects.toMatchObject({ fault: 'too-large' });
  await expect(archive.read('none.json', 4999)).rejects.toBeInstanceOf(ArchiveError);
});

test('puts files where it is told, and leaves the others out', async () => {
  await using archive = await opened([
    { name: 'pack/mods/a.jar', data: 'a' },
    { name: 'readme.txt', data: 'r' },
  ]);
  const folder = await fresh();
  const written = await archive.unpack(folder, {
    signal,
    place: ({ path }) => (path.startsWith('pack/') ? path.slice('pack/'.length) : null),
  });
  expect(written.map(({ path }) => path)).toEqual(['mods/a.jar']);
  expect(await readdir(folder)).toEqual(['mods']);
});

test.each([
  ['out of the folder', () => '../evil', 'path-outside'],
  ['on one another', () => 'same', 'duplicate'],
  ['by names of devices', ({ path }: { path: string }) => `${path}/nul`, 'path-name'],
] as const)('puts no files %s', async (_, place, fault) => {
  await using archive = await opened([
    { name: 'a', data: 'a' },
    { name: 'b', data: 'b' },
  ]);
  const folder = await fresh();
  await expect(archive.unpack(folder, { signal, place })).rejects.toMatchObject({ fault });
  expect(await readdir(folder)).toEqual([]);
});

// Guarantee: files that were there before stay, no matter who put them there.
test('unpacks into an empty folder alone', async () => {
  await using archive = await opened([{ name: 'a', data: 'new' }]);
  const folder = await fresh();
  await writeFile(join(folder, 'a'), 'old');
  await expect(archive.unpack(folder, { signal })).rejects.toThrow('not empty');
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('old');
});

test('leaves nothing when it is aborted midway', async () => {
  const abort = new AbortController();
  const entries = Array.from({ length: 200 }, (_, at) => ({
    name: `folder-${at % 7}/${at}`,
    data: 'x'.repeat(at),
  }));
  await using archive = await opened(entries);
  const folder = await fresh();
  const reason = new Error('cancelled');
  const onProgress = (bytes: number) => {
    if (bytes > 2000) abort.abort(reason);
  };
  await expect(archive.unpack(folder, { signal: abort.signal, onProgress })).rejects.toBe(reason);
  expect(await readdir(folder)).toEqual([]);
});

test('has an archive without files', async () => {
  expect(await unpacked([])).toEqual([]);
});

test('says when there is no such file', async () => {
  await expect(openArchive(join(root, 'none.zip'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('holds to the limits that it is given', async () => {
  const path = await saved(
    zipByBytes([
      { name: 'a', data: 'aa' },
      { name: 'b', data: 'bb' },
    ]),
  );
  const refused = (limits: Partial<typeof usualLimits>) =>
    expect(openArchive(path, { ...usualLimits, ...limits })).rejects;
  await refused({ entries: 1 }).toMatchObject({ fault: 'too-many-entries' });
  await refused({ bytes: 3 }).toMatchObject({ fault: 'too-large' });
});
