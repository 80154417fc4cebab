import { open, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { healthReasons } from '#contracts/operations/health-reasons.ts';

interface CommitLog {
  /**
   * @param page 8 KiB of a relation's main fork
   * @returns a transaction whose outcome, as a row of the page has noted it, is another one than in the commit log
   */
  findContradiction(page: Buffer): number | null;
}

/** Two bits for each transaction, in files of 32 pages. */
const transactionsPerFile = 32 * 8192 * 4;
const committed = 1;
const firstOrdinary = 3;

/** Where a page of a relation says how long its line pointers and its rows are. */
const lowerOffset = 12;
const specialOffset = 16;
const headerBytes = 24;
const normalPointer = 1;
const rowHeaderBytes = 23;

/** Bits of a row's `t_infomask`. */
const xminCommitted = 0x01_00;
const xminInvalid = 0x02_00;
const xmaxCommitted = 0x04_00;
const xmaxIsMulti = 0x10_00;

/**
 * Reads the commit log of a stopped cluster.
 * @param folder its `pg_xact`
 */
const readCommitLog = async (folder: string): Promise<CommitLog> => {
  const files = new Map<number, Buffer>();
  for (const name of await readdir(folder))
    files.set(Number.parseInt(name, 16), await readFile(join(folder, name)));

  /** Postgres deletes what is so old that each row knows it. */
  const differs = (id: number, isCommitted: boolean): boolean => {
    const within = id % transactionsPerFile;
    const byte = files.get(Math.floor(id / transactionsPerFile))?.[within >> 2];
    if (id < firstOrdinary || byte === undefined) return false;
    return (((byte >> ((within & 3) * 2)) & 3) === committed) !== isCommitted;
  };

  return {
    findContradiction(page) {
      // Only tables use their pages to the end; indexes and sequences have something else there.
      if (page.readUInt16LE(specialOffset) !== page.length) return null;
      const lower = page.readUInt16LE(lowerOffset);
      for (let at = headerBytes; at < lower; at += 4) {
        const pointer = page.readUInt32LE(at);
        if (((pointer >>> 15) & 3) !== normalPointer) continue;
        const row = pointer & 0x7f_ff;
        if (row + rowHeaderBytes > page.length) continue;
        const [xmin, xmax] = [page.readUInt32LE(row), page.readUInt32LE(row + 4)];
        const noted = page.readUInt16LE(row + 20);
        // Both bits together mean frozen: the log is no longer asked.
        const xminNoted = noted & (xminCommitted | xminInvalid);
        if (xminNoted === xminCommitted && differs(xmin, true)) return xmin;
        if (xminNoted === xminInvalid && differs(xmin, false)) return xmin;
        if ((noted & xmaxCommitted) !== 0 && (noted & xmaxIsMulti) === 0 && differs(xmax, true)) return xmax;
      }
      return null;
    },
  };
};

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
