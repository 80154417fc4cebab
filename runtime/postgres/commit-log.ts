import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

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
export const readCommitLog = async (folder: string): Promise<CommitLog> => {
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
