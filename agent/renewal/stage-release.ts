import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, open, rename, rm, stat } from 'node:fs/promises';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { diskSpaceOf, inMegabytes } from '#runtime/disk-space.ts';
import type { AgentExecutable } from '#runtime/release/agent-release.ts';
import { requestApi } from '../connection/api-transport.ts';
import { type ApiAddress, addressBelow } from '../connection/connection.ts';
import { type ProgramFiles, removeOthers } from './program-files.ts';

/** The release could not be downloaded, or is not what was signed; the message is for people. */
class StagingError extends Error {
  override readonly name = 'StagingError';
}

/** The download ended too early; the bytes received are kept. */
export class BrokenOffError extends StagingError {}

/** A server that sends nothing for this long is given up; a slow connection is not. */
const stallMs = 30_000;
/** Stays free beside the new program. */
const reserveBytes = 64 * 2 ** 20;

/**
 * Downloads the executable to `files.next`, complete, verified and flushed to disk. The next call continues an interrupted
 * download.
 * @throws {StagingError}
 */
export const stageRelease = async ({
  api,
  file,
  files,
  signal,
}: {
  readonly api: ApiAddress;
  readonly file: AgentExecutable;
  readonly files: ProgramFiles;
  readonly signal: AbortSignal;
}): Promise<void> => {
  await removeOthers(files, file.sha256);
  const download = files.download(file.sha256);
  const kept = await keptBytes(download, file.size);
  const { freeBytes } = await diskSpaceOf(files.folder);
  if (freeBytes < file.size - kept + reserveBytes)
    throw new StagingError(
      `the disk has ${inMegabytes(freeBytes)} free, the update needs ${inMegabytes(file.size)}`,
    );
  await fetchRest(addressBelow(api.url, `/api/game-agent/downloads/${file.name}`), kept, {
    pins: api.pins,
    path: download,
    size: file.size,
    signal,
  });
  if ((await sha256Of(download)) !== file.sha256) {
    await rm(download, { force: true });
    throw new StagingError('what was fetched is not what was signed; it is deleted');
  }
  await chmod(download, 0o755);
  await whenNotBusy(() => rename(download, files.next));
};

const keptBytes = async (path: string, most: number): Promise<number> => {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  return size < most ? size : 0;
};

const fetchRest = async (
  url: URL,
  from: number,
  {
    pins,
    path,
    size,
    signal,
  }: Pick<ApiAddress, 'pins'> & {
    readonly path: string;
    readonly size: number;
    readonly signal: AbortSignal;
  },
): Promise<void> => {
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), stallMs);
  try {
    const response = await requestApi(url, {
      method: 'GET',
      headers: from > 0 ? { Range: `bytes=${from}-` } : {},
      pins,
      signal: AbortSignal.any([signal, stalled.signal]),
    });
    const { statusCode: status = 0 } = response;
    if (status !== 200 && status !== 206) {
      response.destroy();
      const answer = `the API answers ${status}`;
      // It is busy, restarting, or still building the file.
      throw status >= 500 || status === 429 ? new BrokenOffError(answer) : new StagingError(answer);
    }
    let length = status === 206 ? from : 0;
    await using file = await open(path, length > 0 ? 'a' : 'w', 0o700);
    for await (const piece of response as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), stallMs);
      length += piece.byteLength;
      if (length > size) throw new StagingError('the API sends more than what was signed');
      await file.writeFile(piece);
    }
    if (length < size) throw new BrokenOffError('the download broke off');
    await file.sync();
  } catch (error) {
    if (error instanceof StagingError || signal.aborted) throw error;
    const why = stalled.signal.aborted ? 'the API sends nothing' : (error as Error).message;
    throw new BrokenOffError(`the download broke off: ${why}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
};

const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
};
