import type { ModFileFault } from '../mod-files.ts';

/** Worth another try; the fault is reported when the time runs out. */
export class PassingFault extends Error {
  override name = 'PassingFault';
  readonly fault: ModFileFault;
  /** The wait that the server asks for; null: none. */
  readonly waitMs: number | null;

  constructor(
    fault: ModFileFault,
    message: string,
    { waitMs = null, cause }: { readonly waitMs?: number | null; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.fault = fault;
    this.waitMs = waitMs;
  }
}

export interface DownloadTiming {
  /** Time without a byte after which a connection is given up. */
  readonly idleMs: number;
  /** For a whole download, before the extra time that its bytes earn. */
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

/** Where a download continues. */
export interface DownloadStart {
  readonly offset: number;
  /** Identifies the bytes on disk: an ETag or a date; null: unknown. */
  readonly validator: string | null;
  /** Size of the whole file, as announced at its beginning. */
  readonly total: number | null;
}

export interface DownloadContent {
  /** Position of the first byte: where the request started, or 0. */
  readonly offset: number;
  readonly validator: string | null;
  readonly total: number | null;
  /** Whether a cut connection can be told from the end of the file. */
  readonly isEndProven: boolean;
  /** Must be read to its end, or left with a break. @throws {PassingFault} when the connection is lost */
  readonly bytes: AsyncIterable<Buffer>;
}

/** @throws {PassingFault} or {ModFileError} */
export type OpenSource = (start: DownloadStart, signal: AbortSignal) => Promise<DownloadContent>;
