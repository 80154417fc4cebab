import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { readCommitLog } from './commit-log.ts';

const pageBytes = 8192;
const pagesPerSegment = 131_072;
const pagesPerRead = 64;

/** `16384`, or `1259_vm`; `.1` and up number the segments of a large relation. */
const relationFile = /^\d+(?<fork>_(?:fsm|vm|init))?(?:\.(?<segment>\d+))?$/;

/**
 * Reads each page of a stopped cluster, of all databases and system catalogs, and compares it with its checksum. What its rows say
 * about transactions is compared with the commit log, which has no checksums.
 * @param hasChecksums whether the cluster has them; without, only the commit log is compared
 * @returns the first fault in words, with its file; null if there is none
 */
export const findDamagedPage = async (dataFolder: string, hasChecksums: boolean): Promise<string | null> => {
  const commitLog = await readCommitLog(join(dataFolder, 'pg_xact'));
  const buffer = Buffer.alloc(pagesPerRead * pageBytes);
  for (const name of await relationFiles(dataFolder)) {
    const { fork, segment = '0' } = relationFile.exec(basename(name))?.groups ?? {};
    const firstBlock = Number(segment) * pagesPerSegment;
    await using file = await open(join(dataFolder, name), 'r');
    for (let index = 0, isEnd = false; !isEnd; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, index * pageBytes);
      isEnd = bytesRead < buffer.length;
      for (let at = 0; at < bytesRead; at += pageBytes, index += 1) {
        const page = buffer.subarray(at, Math.min(at + pageBytes, bytesRead));
        if (page.length < pageBytes) return healthReasons['damaged-end'](name);
        if (hasChecksums && !isSound(page, firstBlock + index))
          return healthReasons['damaged-page'](index, name);
        const transaction = fork === undefined ? commitLog.findContradiction(page) : null;
        if (transaction !== null) return healthReasons['damaged-commit-log'](name, transaction);
      }
    }
  }
  return null;
};

const relationFiles = async (dataFolder: string): Promise<string[]> => {
  const databases = (await readdir(join(dataFolder, 'base'))).map((name) => join('base', name));
  const files: string[] = [];
  for (const folder of ['global', ...databases])
    for (const name of await readdir(join(dataFolder, folder)))
      if (relationFile.test(name)) files.push(join(folder, name));
  return files;
};

/** From storage/checksum_impl.h of Postgres: 32 interleaved sums like FNV-1a. */
const baseOffsets = [
  0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c, 0xf8d4474f,
  0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb, 0xe58f764b, 0x187636bc,
  0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4, 0x783125bb, 0x6ca8eaa2, 0xe407eac6,
  0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756,
];
const prime = 16_777_619;
const checksumOffset = 8;
const upperOffset = 14;

/** Whether a page has its checksum. One that was never used is all zeros. */
const isSound = (page: Buffer, block: number): boolean => {
  if (page.readUInt16LE(upperOffset) === 0) return page.every((byte) => byte === 0);
  const words = new Int32Array(page.buffer, page.byteOffset, pageBytes / 4);
  const sums = Int32Array.from(baseOffsets);
  const add = (index: number, word: number) => {
    const mixed = (sums[index] ?? 0) ^ word;
    sums[index] = Math.imul(mixed, prime) ^ (mixed >>> 17);
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? 0;
    // The checksum itself counts as zero; the flags of the page are the other half of its word.
    add(at & 31, at * 4 === checksumOffset ? word & 0xff_ff_00_00 : word);
  }
  for (let round = 0; round < 64; round += 1) add(round & 31, 0);
  const sum = sums.reduce((total, each) => total ^ each, block);
  return ((sum >>> 0) % 65_535) + 1 === page.readUInt16LE(checksumOffset);
};
