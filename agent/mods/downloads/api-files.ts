import type { DownloadContent, OpenSource } from './download-fault.ts';

interface ApiFilePart {
  readonly content: Buffer;
  /** Size of the whole file. */
  readonly bytes: number;
}

/** Files and keys that the API gives to a running task. */
export interface ApiFiles {
  readonly partBytes: number;
  /** @param part counts from 0 @throws {PassingFault} or {ModFileError} */
  part(taskId: string, fileId: string, part: number, signal: AbortSignal): Promise<ApiFilePart>;
  /** Kept only in memory. @throws {PassingFault} or {ModFileError} */
  curseforgeKey(taskId: string, signal: AbortSignal): Promise<string>;
}

/** A file stored by the API; the file of an id never changes. */
export const createApiSource =
  (files: ApiFiles, taskId: string, fileId: string): OpenSource =>
  async ({ offset }, signal): Promise<DownloadContent> => {
    const { partBytes } = files;
    const number = Math.floor(offset / partBytes);
    const first = await files.part(taskId, fileId, number, signal);
    return {
      offset,
      validator: null,
      total: first.bytes,
      isEndProven: true,
      bytes: partsFrom(files, { taskId, fileId, number, first, skip: offset % partBytes }, signal),
    };
  };

async function* partsFrom(
  files: ApiFiles,
  {
    taskId,
    fileId,
    number,
    first,
    skip,
  }: {
    readonly taskId: string;
    readonly fileId: string;
    readonly number: number;
    readonly first: ApiFilePart;
    /** Bytes of the first part that are already on disk. */
    readonly skip: number;
  },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  yield first.content.subarray(skip);
  for (let next = number + 1; next * files.partBytes < first.bytes; next += 1)
    yield (await files.part(taskId, fileId, next, signal)).content;
}
