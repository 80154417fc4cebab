import { type FileHandle, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Log } from '#runtime/log.ts';
import { sleep } from '#runtime/sleep.ts';
import { within } from '#runtime/within.ts';
import { openNamedFile } from '../folders/named-file.ts';
import {
  createKnownBytes,
  findAfter,
  hasHead,
  isBefore,
  isLineStart,
  type KnownBefore,
  type KnownBytes,
} from './known-bytes.ts';
import { createLineSplitter } from './line-splitter.ts';

/** A byte of one file, whatever its current name; a copy that continues the file counts as the same one. */
export interface LogPosition {
  readonly identity: string;
  readonly offset: number;
  readonly before?: KnownBefore | undefined;
}

export interface LogTail extends AsyncDisposable {
  /** Where the reading begins; null when that is unknown: the file cannot be read, or does not answer yet. */
  start(): LogPosition | null;
  /** Whether the file of that position is being read or is next, and reaches that far. */
  isAhead(position: LogPosition): boolean;
}

const chunkBytes = 64 * 1024;
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
  /** Of the file itself. */
  readonly actual: string;
  /** In positions: that of the file which this one continues. */
  identity: string;
  offset: number;
  readonly known: KnownBytes;
  /** What is known of the file before the offset was compared with it, at this size and time. */
  seen: string;
}

/**
 * Follows a log: through growth, truncation, and replacement. A file of the same name that has the known bytes is a copy, and is read
 * on; any other is read from its beginning, like one that was missing at first. What was read is compared before each reading, so that
 * nothing old is taken for new. Resolves when it is known where it begins, or when the file does not answer.
 */
export const followLog = async (options: {
  readonly path: string;
  /** Where an earlier reading ended; the current end by default. */
  readonly from?: LogPosition | null | undefined;
  /** A place of the same reading whose bytes are known, if `from` does not know its own. */
  readonly proof?: LogPosition | null | undefined;
  /** The encoding of lines that are not UTF-8. */
  readonly encoding?: string | undefined;
  /** @param ageMs minimum time since it was written. @param end where the line ends */
  readonly onLine: (line: string, ageMs: number, end: LogPosition) => void;
  /** Called after each check of the file. */
  readonly onRead?: (() => Promise<void>) | undefined;
  readonly log: Log;
  readonly pollMs?: number | undefined;
}): Promise<LogTail> => {
  const { path, from = null, proof = from, encoding, onLine, onRead, log, pollMs = 500 } = options;
  const stopping = new AbortController();
  const splitter = createLineSplitter(encoding);
  const buffer = Buffer.alloc(chunkBytes);
  let followed: Followed | null = null;
  /** Where reading was interrupted, or `end` before it ever began. */
  let resumption: LogPosition | 'end' | null = from ?? 'end';
  /** The place of `resumption` whose bytes are known. */
  let resumptionProof = proof;
  let complaint: string | null = null;
  /** Lines written while no one read are at least as old as the file's last change. */
  let isCatchingUp = from !== null;
  /** Reading began within a line, whose rest would look like a line. */
  let isWithinLine = false;
  /** Sizes of the files that were opened, or found in the log's place. */
  const sizes = new Map<string, number>();

  const take = async (file: FileHandle, identity: string, offset: number): Promise<Followed> => {
    const facts = await file.stat({ bigint: true });
    sizes.set(identity, Math.max(Number(facts.size), offset));
    isWithinLine = !(await isLineStart(file, offset));
    return {
      file,
      actual: identityOf(facts),
      identity,
      offset,
      known: await createKnownBytes(file, offset),
      seen: '',
    };
  };
  /** In the log itself, or in the file beside it that was the log. */
  const resumeIn = async (file: FileHandle, wanted: LogPosition): Promise<Followed> => {
    const facts = await file.stat({ bigint: true });
    const actual = identityOf(facts);
    sizes.set(actual, Number(facts.size));
    const known = resumptionProof?.identity === wanted.identity ? resumptionProof : null;
    const before = known?.before;
    if (known && before && before.bytes > 0) {
      if (await isBefore(file, known.offset, before)) return take(file, wanted.identity, wanted.offset);
      const size = Number(facts.size);
      if (size < known.offset && (await hasHead(file, before))) return take(file, wanted.identity, size);
    } else if (actual === wanted.identity) {
      return take(file, actual, wanted.offset <= Number(facts.size) ? wanted.offset : 0);
    }
    const moved = actual === wanted.identity ? null : await openMoved(path, wanted.identity);
    if (moved !== null) {
      await file.close();
      return take(moved, wanted.identity, wanted.offset);
    }
    return take(file, actual, (before && (await findAfter(file, before))) ?? 0);
  };
  const begin = async (): Promise<Followed | null> => {
    let file: FileHandle | null = null;
    try {
      file = await openNamedFile(path);
      const wanted = resumption;
      const facts = await file.stat({ bigint: true });
      const found =
        wanted === 'end'
          ? await take(file, identityOf(facts), Number(facts.size))
          : wanted === null
            ? await take(file, identityOf(facts), 0)
            : await resumeIn(file, wanted);
      resumption = null;
      return found;
    } catch (error) {
      await file?.close();
      const { code = 'unreadable' } = error as NodeJS.ErrnoException;
      // A file created later is read from its beginning, one that could not be opened from its end.
      if (code === 'ENOENT') resumption = null;
      complain(code);
      return null;
    }
  };
  const complain = (code: string | null) => {
    if (code !== null && code !== complaint)
      log.warn({ path, code }, "cannot read the game's log; waiting for it");
    else if (code === null && complaint !== null) log.info({ path }, "found the game's log");
    complaint = code;
  };

  const restart = async (current: Followed, offset: number) => {
    // The rest of a line is lost with what was cut.
    splitter.flush();
    isWithinLine = !(await isLineStart(current.file, offset));
    current.identity = current.actual;
    current.offset = offset;
  };
  /** Whether there is something to read behind the offset, which moves if what is before it is no longer what was read. */
  const isReadable = async (current: Followed): Promise<boolean> => {
    const { file, known } = current;
    const { size, mtimeMs } = await file.stat();
    const seen = `${size} ${mtimeMs}`;
    if (seen === current.seen) return size > current.offset;
    current.seen = seen;
    if (size >= current.offset && (await isBefore(file, current.offset, known.before(current.offset))))
      return true;
    // Shorter with the same beginning: a share whose sizes lag, or a copy that is still being written.
    const difference = await known.firstDifference(file, Math.min(size, current.offset));
    if (difference === null) return false;
    await restart(current, (await findAfter(file, known.before(current.offset))) ?? difference);
    return true;
  };
  const readOn = async (current: Followed) => {
    if (!(await isReadable(current))) return;
    const { mtimeMs } = await current.file.stat();
    const ageMs = isCatchingUp ? Math.max(0, Date.now() - mtimeMs) : 0;
    while (!stopping.signal.aborted) {
      const { bytesRead } = await current.file.read(buffer, 0, chunkBytes, current.offset);
      if (bytesRead === 0) return;
      const start = current.offset;
      const bytes = buffer.subarray(0, bytesRead);
      current.known.add(bytes, start);
      current.offset += bytesRead;
      for (const { text, end } of splitter.split(bytes)) {
        const at = { identity: current.identity, offset: start + end };
        if (!isWithinLine) onLine(text, ageMs, { ...at, before: current.known.before(at.offset) });
        isWithinLine = false;
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
    if (identityOf(named) === followed.actual) {
      isCatchingUp = false;
      return;
    }
    followed = await next(followed);
    if (followed) await readOn(followed);
  };
  /** The file in place of the one that was read: a copy is read on, after any other begins a new log. */
  const next = async (last: Followed): Promise<Followed | null> => {
    let file: FileHandle;
    try {
      file = await openNamedFile(path);
    } catch (error) {
      complain((error as NodeJS.ErrnoException).code ?? 'unreadable');
      resumption = null;
      await leave();
      return null;
    }
    const { size } = await file.stat();
    const { known, identity, offset } = last;
    const before = known.before(offset);
    const isCopy = size >= offset && before.bytes > 0 && (await isBefore(file, offset, before));
    const found = isCopy ? offset : await findAfter(file, before);
    // A copy that is still being written has nothing that differs yet.
    const isHalf = !isCopy && size < offset && (await known.firstDifference(file, size)) === null;
    if (isHalf) {
      await file.close();
      return last;
    }
    const wasWithinLine = isWithinLine;
    await leave();
    if (found !== null) {
      const copy = await take(file, isCopy ? identity : identityOf(await file.stat({ bigint: true })), found);
      // What was read of its last line is still held.
      isWithinLine = wasWithinLine;
      return copy;
    }
    for (const line of splitter.flush()) if (!wasWithinLine) onLine(line, 0, { identity, offset, before });
    return take(file, identityOf(await file.stat({ bigint: true })), 0);
  };

  let start: LogPosition | null = null;
  const beginning = begin().then((found) => {
    followed = found;
    if (found) start = positionOf(found);
    else if (resumption === null) start = { identity: 'not there yet', offset: 0 };
  });
  if (!(await endsInTime(beginning, silenceMs))) complain('no answer');
  const loop = async () => {
    await beginning.catch(({ code = 'unreadable' }: NodeJS.ErrnoException) => complain(code));
    while (!stopping.signal.aborted) {
      await sleep(pollMs, stopping.signal);
      if (stopping.signal.aborted) break;
      try {
        await look();
        await onRead?.();
      } catch (error) {
        complain((error as NodeJS.ErrnoException).code ?? 'unreadable');
        resumption = followed && positionOf(followed);
        resumptionProof = resumption;
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

const positionOf = ({ identity, offset, known }: Followed): LogPosition => ({
  identity,
  offset,
  before: known.before(offset),
});

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
