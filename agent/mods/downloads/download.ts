import { setTimeout as delay } from 'node:timers/promises';
import { largestModFile } from '#contracts/servers/agent-mods.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { demandRoom, inMegabytes, isDiskFull } from '#runtime/disk-space.ts';
import { ModFileError } from '../mod-files.ts';
import { type DownloadTiming, type OpenSource, PassingFault } from './download-fault.ts';
import { type FileHashes, meets, type WantedHashes } from './hash-file.ts';
import type { PartialFile } from './partial-file.ts';

interface DownloadOptions {
  readonly name: string;
  readonly source: OpenSource;
  readonly partial: PartialFile;
  readonly wanted: WantedHashes;
  /** Null: the source does not say. */
  readonly bytes: number | null;
  readonly timing: DownloadTiming;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number | null) => void;
  /** Frees disk space by deleting what the cache can spare. */
  readonly makeRoom: () => Promise<void>;
}

/** Fills the partial file until it is whole and verified. @throws {ModFileError} */
export const download = async (options: DownloadOptions): Promise<FileHashes> => {
  const { name, partial, wanted, bytes: wantedBytes, signal } = options;
  const clock = downloadClock(options);
  const most = wantedBytes ?? largestModFile;
  for (let isLast = false; ; isLast = true) {
    try {
      await fill(options, clock, most);
      const { offset } = partial.start;
      if (wantedBytes !== null && offset !== wantedBytes)
        throw new ModFileError('size', `${name} has ${offset} bytes where ${wantedBytes} were promised.`);
      const found = await partial.finish();
      if (meets(found, wanted)) return found;
      throw new ModFileError('hash', `${name} is not the file that was promised: its hash is another one.`);
    } catch (error) {
      signal.throwIfAborted();
      if (isDiskFull(error)) {
        await partial.discard();
        throw new ModFileError('disk-full', diskFullText(name, error), { cause: error });
      }
      const isWrong = error instanceof ModFileError && ['hash', 'size'].includes(error.fault);
      if (isWrong && !isLast) {
        // It may have changed between two parts.
        await partial.beginAgain();
        continue;
      }
      if (error instanceof ModFileError && !['away', 'limited', 'too-slow'].includes(error.fault))
        await partial.discard();
      throw error;
    }
  }
};

const diskFullText = (name: string, error: unknown): string =>
  `There is no room for ${name}: ${error instanceof Error ? error.message : 'the disk is full'}`;

interface DownloadClock {
  /** Milliseconds until it is given up. */
  left(done: number): number;
}

/** Bytes that arrive a second time earn no more time. */
const downloadClock = ({ timing, partial }: DownloadOptions): DownloadClock => {
  const startedMs = performance.now();
  let best = partial.start.offset;
  let gained = 0;
  return {
    left(done) {
      gained += Math.max(0, done - best);
      best = Math.max(best, done);
      const limitMs = timing.patienceMs + (gained / timing.leastBytesPerSecond) * 1000;
      return startedMs + limitMs - performance.now();
    },
  };
};

/** Until the source says that the file is complete. */
const fill = async (options: DownloadOptions, clock: DownloadClock, most: number): Promise<void> => {
  const { name, partial, timing, signal } = options;
  let failures = 0;
  if (partial.start.offset > most) await partial.beginAgain();
  while (!isWhole(options)) {
    const { offset: before } = partial.start;
    try {
      await takeContent(options, clock, most);
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PassingFault)) throw error;
      const { offset } = partial.start;
      failures = offset > before ? 1 : failures + 1;
      const { firstRetryMs: firstMs, mostRetryMs: mostMs } = timing;
      const usualMs = backOffDelay({ firstMs, mostMs, jitter: 0.2 }, failures, Math.random());
      const waitMs = error.waitMs ?? usualMs;
      // A wait of zero is honoured once; a server that keeps asking for it is treated as one that fails.
      const pauseMs = failures > 1 ? Math.max(waitMs, usualMs) : waitMs;
      if (pauseMs >= clock.left(offset))
        throw new ModFileError(error.fault, `${name} could not be downloaded in time. ${error.message}`, {
          cause: error,
        });
      await delay(pauseMs, undefined, { signal });
    }
  }
};

/** By the promised size, or the size announced at its beginning. */
const isWhole = ({ partial, bytes }: DownloadOptions): boolean => {
  const { offset, total } = partial.start;
  return offset > 0 && offset === (bytes ?? total);
};

const betweenLooks = 64 * 1024 * 1024;

const takeContent = async (options: DownloadOptions, clock: DownloadClock, most: number): Promise<void> => {
  const { name, source, partial, bytes: wantedBytes, signal, onProgress, makeRoom } = options;
  const content = await source(partial.start, signal);
  const tooLarge = (bytes: number) =>
    new ModFileError('size', `${name} is larger than ${inMegabytes(bytes)}, which is all that is allowed.`);
  if (content.offset !== partial.start.offset) await partial.beginAgain();
  const { validator, total } = content;
  if (total !== null && total > most) throw tooLarge(most);
  await partial.learn({ validator, total });
  const said = wantedBytes ?? total;
  const missing = said === null ? betweenLooks : said - partial.start.offset;
  await demandDisk(name, partial.path, missing, makeRoom);
  let lookedAt = partial.start.offset;
  onProgress(partial.start.offset, said);
  for await (const bytes of content.bytes) {
    if (partial.start.offset + bytes.length > most) throw tooLarge(most);
    // The length is unknown.
    if (said === null && partial.start.offset - lookedAt >= betweenLooks) {
      await demandDisk(name, partial.path, betweenLooks, makeRoom);
      lookedAt = partial.start.offset;
    }
    await partial.write(bytes);
    const { offset } = partial.start;
    if (clock.left(offset) < 0)
      throw new ModFileError('too-slow', `${name} comes too slowly: ${inMegabytes(offset)} by now.`);
    onProgress(offset, said);
  }
  const { offset } = partial.start;
  if ((total ?? (content.isEndProven ? offset : wantedBytes) ?? offset) > offset)
    throw new PassingFault('away', `The connection ended after ${offset} bytes.`);
};

const demandDisk = async (
  name: string,
  path: string,
  bytes: number,
  makeRoom: () => Promise<void>,
): Promise<void> => {
  if (bytes <= 0) return;
  const need = [{ path, bytes }];
  await demandRoom(name, need).catch(async (error: unknown) => {
    if (!isDiskFull(error)) throw error;
    await makeRoom();
    await demandRoom(name, need);
  });
};
