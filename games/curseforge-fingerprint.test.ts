import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fingerprintFile } from './curseforge-fingerprint.ts';

const { signal } = new AbortController();

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fingerprint-'));
});
afterAll(() => rm(root, { recursive: true }));

const fingerprint = async (content: Buffer | string): Promise<number> => {
  const path = join(root, 'file');
  await writeFile(path, content);
  return fingerprintFile(path, signal);
};

/** MurmurHash2 as published by its author, over the whole input, in numbers that do not overflow. */
const murmur2 = (data: Buffer): number => {
  const m = 0x5bd1_e995n;
  const u32 = (value: bigint) => BigInt.asUintN(32, value);
  let hash = 1n ^ BigInt(data.length);
  let at = 0;
  for (; data.length - at >= 4; at += 4) {
    let k = u32(BigInt(data.readUInt32LE(at)) * m);
    k = u32((k ^ (k >> 24n)) * m);
    hash = u32(hash * m) ^ k;
  }
  const rest = data.subarray(at);
  if (rest.length > 0) hash = u32((hash ^ BigInt(rest.readUIntLE(0, rest.length))) * m);
  hash = u32((hash ^ (hash >> 13n)) * m);
  return Number(hash ^ (hash >> 15n));
};

// Text and number from a launcher's own test (OneLauncher, `crypto::murmur2`).
test('knows the fingerprint that others compute', async () => {
  expect(await fingerprint('\nthis is my\ntext content\n')).toBe(661_461_369);
});

test('leaves blanks out, and nothing else', async () => {
  const plain = await fingerprint('thisismytextcontent');
  expect(await fingerprint(' this\tis\r\nmy text  content ')).toBe(plain);
  expect(await fingerprint('this\u000bis\u000cmy\0textcontent')).not.toBe(plain);
});

test('agrees with the hash of the whole, whatever the file is', async () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      const kept = Buffer.from(content.filter((byte) => ![9, 10, 13, 32].includes(byte)));
      expect(await fingerprint(content)).toBe(murmur2(kept));
    }),
    { numRuns: 200 },
  );
});

test.each([1024 * 1024 - 1, 1024 * 1024, 2 * 1024 * 1024 + 3])('reads %i bytes in pieces', async (length) => {
  const content = Buffer.from(Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 0xff));
  const kept = Buffer.from(content.filter((byte) => ![9, 10, 13, 32].includes(byte)));
  expect(await fingerprint(content)).toBe(murmur2(kept));
});

test('ends when it is aborted', async () => {
  await writeFile(join(root, 'file'), 'x');
  await expect(fingerprintFile(join(root, 'file'), AbortSignal.abort(new Error('stopped')))).rejects.toThrow(
    'stopped',
  );
});
