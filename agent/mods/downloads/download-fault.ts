import type { ModFileFault } from '../mod-files.ts';

/** Worth another try; the fault is told when the time is over. */
export class PassingFault extends Error {
  override name = 'PassingFault';
  readonly fault: ModFileFault;
  /** What the other side asks to wait; null: it says nothing. */
  readonly waitMs: number | null;

  constructor(fault: ModFileFault, message: string, { waitMs = null, cause }: PassingFaultOptions = {}) {
    super(message, { cause });
    this.fault = fault;
    this.waitMs = waitMs;
  }
}

interface PassingFaultOptions {
  readonly waitMs?: number | null;
  readonly cause?: unknown;
}

export interface DownloadTiming {
  /** Without a byte, until a connection is given up. */
  readonly idleMs: number;
  /** For a whole download, before what its bytes add. */
  readonly patienceMs: number;
  /** Slower downloads end as `too-slow` once the patience is used up. */
  readonly leastBytesPerSecond: number;
  readonly firstRetryMs: number;
  readonly mostRetryMs: number;
}

export const usualDownloadTiming: DownloadTiming = {
  idleMs: 30_000,
  patienceMs: 10 * 60_000,
  leastBytesPerSecond: 20_000,
  firstRetryMs: 250,
  mostRetryMs: 30_000,
};

/** Where a download goes on. */
export interface DownloadStart {
  readonly offset: number;
  /** Of what is there already: an ETag or a date; null: nothing is known. */
  readonly validator: string | null;
  /** Of the whole file, as announced at its beginning. */
  readonly total: number | null;
}

export interface DownloadContent {
  /** Of the first byte: where it was asked to start, or 0. */
  readonly offset: number;
  readonly validator: string | null;
  readonly total: number | null;
  /** Whether a cut connection can be told from the end of the file. */
  readonly isEndProven: boolean;
  /** Must be read to its end, or left by a break. @throws {PassingFault} when the connection is lost */
  readonly bytes: AsyncIterable<Buffer>;
}

/** @throws {PassingFault} or {ModFileError} */
export type OpenSource = (start: DownloadStart, signal: AbortSignal) => Promise<DownloadContent>;
