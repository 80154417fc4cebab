import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import { createLineSplitter } from './line-splitter.ts';

export interface LogTailOptions {
  readonly path: string;
  readonly onLine: (line: string) => void;
  readonly log: Log;
  readonly pollMs?: number | undefined;
}

const chunkBytes = 64 * 1024;
/** A log on a network drive that is gone must not keep the agent from its start or its end. */
const silenceMs = 2000;

const endsInTime = async (work: Promise<void>, ms: number): Promise<boolean> => {
  const over = new AbortController();
  const late = delay(ms, false, { signal: over.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    over.abort();
  }
};

interface Followed {
  readonly file: FileHandle;
  readonly identity: string;
  offset: number;
}

/**
 * Follows a log from its end of now on: through growth, truncation, and replacement by another file of the same name, which is read
 * from its beginning, as is one that was not there at first. Resolves when the end of now is known,
 * or where the file does not answer.
 */
export const followLog = async (options: LogTailOptions): Promise<AsyncDisposable> => {
  const { path, onLine, log, pollMs = 500 } = options;
  const stopping = new AbortController();
  const splitter = createLineSplitter();
  const buffer = Buffer.alloc(chunkBytes);
  let followed: Followed | null = null;
  /** Where reading broke off, or `end` before it ever began. */
  let resumption: Omit<Followed, 'file'> | 'end' | null = 'end';
  let complaint: string | null = null;

  const give = (lines: readonly string[]) => {
    for (const line of lines) onLine(line);
  };
  const begin = async (): Promise<Followed | null> => {
    let file: FileHandle;
    try {
      // Before it is opened, which would wait at a pipe for ever.
      if (!(await stat(path)).isFile()) throw Object.assign(new Error(), { code: 'NO_FILE' });
      file = await open(path, 'r');
    } catch (error) {
      const { code = 'unreadable' } = error as NodeJS.ErrnoException;
      // One that will be made is read from its beginning, one that could not be opened from its end.
      if (code === 'ENOENT') resumption = null;
      complain(code);
      return null;
    }
    const { dev, ino, size } = await file.stat({ bigint: true });
    const identity = `${dev}:${ino}`;
    const known =
      resumption === 'end' ? Number(size) : resumption?.identity === identity ? resumption.offset : 0;
    resumption = null;
    return { file, identity, offset: known };
  };
  const complain = (code: string | null) => {
    if (code !== null && code !== complaint)
      log.warn({ path, code }, "the game's log cannot be read; waiting for it");
    else if (code === null && complaint !== null) log.info({ path }, "the game's log is there");
    complaint = code;
  };

  const readOn = async (current: Followed) => {
    const { size } = await current.file.stat();
    if (size < current.offset) {
      // Truncated: what was left of a line is gone with it.
      splitter.flush();
      current.offset = 0;
    }
    while (!stopping.signal.aborted) {
      const { bytesRead } = await current.file.read(buffer, 0, chunkBytes, current.offset);
      if (bytesRead === 0) return;
      current.offset += bytesRead;
      give(splitter.take(buffer.subarray(0, bytesRead)));
    }
  };
  const leave = async () => {
    const left = followed;
    followed = null;
    await left?.file.close();
  };
  const look = async () => {
    followed ??= await begin();
    if (!followed) return;
    // Before the reading: what is written to the old file after its rename is still read.
    const named = await stat(path, { bigint: true }).catch(() => null);
    await readOn(followed);
    complain(null);
    if (named !== null && `${named.dev}:${named.ino}` === followed.identity) return;
    if (named === null) return;
    give(splitter.flush());
    await leave();
    followed = await begin();
    if (followed) await readOn(followed);
  };

  const beginning = begin().then((found) => {
    followed = found;
  });
  if (!(await endsInTime(beginning, silenceMs))) complain('no answer');
  const loop = async () => {
    await beginning.catch(({ code = 'unreadable' }: NodeJS.ErrnoException) => complain(code));
    while (!stopping.signal.aborted) {
      await delay(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) break;
      try {
        await look();
      } catch (error) {
        complain((error as NodeJS.ErrnoException).code ?? 'unreadable');
        resumption = followed;
        await leave().catch(() => undefined);
      }
    }
    await leave();
  };
  const ended = loop();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      // What waits for a network drive that is gone is left: it ends with the next answer.
      await endsInTime(ended, silenceMs);
    },
  };
};
