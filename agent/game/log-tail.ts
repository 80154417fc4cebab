import { type FileHandle, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import { within } from '#runtime/within.ts';
import { openNamedFile } from '../folders/named-file.ts';
import { createLineSplitter } from './line-splitter.ts';

export interface LogTailOptions {
  readonly path: string;
  /** Where an earlier reading ended; the current end by default. */
  readonly from?: LogPosition | null | undefined;
  /** @param ageMs minimum time since it was written. @param end where the line ends */
  readonly onLine: (line: string, ageMs: number, end: LogPosition) => void;
  /** Called after each check of the file. */
  readonly onRead?: (() => Promise<void>) | undefined;
  readonly log: Log;
  readonly pollMs?: number | undefined;
}

/** A byte of one file, whatever its current name. */
export interface LogPosition {
  readonly identity: string;
  readonly offset: number;
}

export interface LogTail extends AsyncDisposable {
  /** Where the reading begins; null when that is unknown: the file cannot be read, or does not answer yet. */
  start(): LogPosition | null;
  /** Whether the file of that position is being read or is next, and reaches that far. */
  isAhead(position: LogPosition): boolean;
}

const chunkBytes = 64 * 1024;
const lineFeed = 0x0a;
/** A log on a network drive that is gone must not delay the agent's start or end. */
const silenceMs = 2000;

const endsInTime = (work: Promise<void>, ms: number): Promise<boolean> =>
  within(
    ms,
    work.then(() => true),
    () => false,
  );

interface Followed {
  readonly file: FileHandle;
  readonly identity: string;
  offset: number;
}

/**
 * Follows a log: through growth, truncation, and replacement by another file of the same name, which is read from its beginning,
 * like one that was missing at first. Resolves when it is known where it begins, or when the file does not answer.
 */
export const followLog = async (options: LogTailOptions): Promise<LogTail> => {
  const { path, from = null, onLine, onRead, log, pollMs = 500 } = options;
  const stopping = new AbortController();
  const splitter = createLineSplitter();
  const buffer = Buffer.alloc(chunkBytes);
  let followed: Followed | null = null;
  /** Where reading was interrupted, or `end` before it ever began. */
  let resumption: LogPosition | 'end' | null = from ?? 'end';
  let complaint: string | null = null;
  /** Lines written while no one read are at least as old as the file's last change. */
  let isCatchingUp = from !== null;
  /** Sizes of the files that were opened, or found in the log's place. */
  const sizes = new Map<string, number>();

  const begin = async (): Promise<Followed | null> => {
    let file: FileHandle | null = null;
    try {
      file = await openNamedFile(path);
      const named = await file.stat({ bigint: true });
      const wanted = resumption === 'end' ? null : (resumption?.identity ?? null);
      sizes.set(identityOf(named), Number(named.size));
      const moved = wanted === null || wanted === identityOf(named) ? null : await openMoved(path, wanted);
      if (moved !== null) {
        await file.close();
        file = moved;
      }
    } catch (error) {
      await file?.close();
      const { code = 'unreadable' } = error as NodeJS.ErrnoException;
      // A file created later is read from its beginning, one that could not be opened from its end.
      if (code === 'ENOENT') resumption = null;
      complain(code);
      return null;
    }
    const facts = await file.stat({ bigint: true });
    const identity = identityOf(facts);
    sizes.set(identity, Number(facts.size));
    const known =
      resumption === 'end' ? Number(facts.size) : resumption?.identity === identity ? resumption.offset : 0;
    resumption = null;
    return { file, identity, offset: known };
  };
  const complain = (code: string | null) => {
    if (code !== null && code !== complaint)
      log.warn({ path, code }, "cannot read the game's log; waiting for it");
    else if (code === null && complaint !== null) log.info({ path }, "found the game's log");
    complaint = code;
  };

  const readOn = async (current: Followed) => {
    const { size, mtimeMs } = await current.file.stat();
    const ageMs = isCatchingUp ? Math.max(0, Date.now() - mtimeMs) : 0;
    if (size < current.offset) {
      // Truncated: the rest of a line is lost with it.
      splitter.flush();
      current.offset = 0;
    }
    while (!stopping.signal.aborted) {
      const { bytesRead } = await current.file.read(buffer, 0, chunkBytes, current.offset);
      if (bytesRead === 0) return;
      const start = current.offset;
      current.offset += bytesRead;
      const bytes = buffer.subarray(0, bytesRead);
      let end = -1;
      for (const line of splitter.take(bytes)) {
        end = bytes.indexOf(lineFeed, end + 1);
        onLine(line, ageMs, { identity: current.identity, offset: start + end + 1 });
      }
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
    // Before the read: lines written to the old file after its rename are still read.
    const named = await stat(path, { bigint: true }).catch(() => null);
    await readOn(followed);
    complain(null);
    if (named === null) return;
    if (identityOf(named) === followed.identity) {
      isCatchingUp = false;
      return;
    }
    const { identity, offset } = followed;
    for (const line of splitter.flush()) onLine(line, 0, { identity, offset });
    await leave();
    followed = await begin();
    if (followed) await readOn(followed);
  };

  let start: LogPosition | null = null;
  const beginning = begin().then((found) => {
    followed = found;
    if (found) start = { identity: found.identity, offset: found.offset };
    else if (resumption === null) start = { identity: 'not there yet', offset: 0 };
  });
  if (!(await endsInTime(beginning, silenceMs))) complain('no answer');
  const loop = async () => {
    await beginning.catch(({ code = 'unreadable' }: NodeJS.ErrnoException) => complain(code));
    while (!stopping.signal.aborted) {
      await delay(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) break;
      try {
        await look();
        await onRead?.();
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
    start: () => start,
    isAhead: ({ identity, offset }) => (sizes.get(identity) ?? -1) >= offset,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      // A read that waits for a network drive that is gone is abandoned: it ends with the next answer.
      await endsInTime(ended, silenceMs);
    },
  };
};

const identityOf = ({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string => `${dev}:${ino}`;

/** Opens the file with that identity beside the log, where games put the old one when they start another. */
const openMoved = async (path: string, identity: string): Promise<FileHandle | null> => {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    const facts = await stat(join(folder, name), { bigint: true }).catch(() => null);
    if (!facts?.isFile() || identityOf(facts) !== identity) continue;
    const file = await openNamedFile(join(folder, name));
    if (identityOf(await file.stat({ bigint: true })) === identity) return file;
    await file.close();
  }
  return null;
};
