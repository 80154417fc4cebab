import { createHash } from 'node:crypto';
import { chmod, type FileHandle, lchown, mkdir, open, symlink, utimes } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import { StartupError } from '#runtime/program.ts';
import { type FoundEntry, type HomeSurvey, surveyHome } from './survey-home.ts';

export interface CopyProgress {
  readonly step: 'copy' | 'verify';
  readonly doneBytes: number;
  readonly doneFiles: number;
}

interface CopyOptions {
  readonly home: string;
  /** Exists, and is empty except for a mark. */
  readonly target: string;
  readonly survey: HomeSurvey;
  readonly signal: AbortSignal;
  /** Called often. */
  readonly onProgress: (progress: CopyProgress) => void;
}

/** Large enough for few calls, small enough to notice a cancellation quickly. */
const pieceBytes = 1 << 20;

/**
 * Copies everything, flushes it to disk and reads it back.
 * @throws {StartupError} when a copy differs from what was read, or a source has changed since
 * @throws the signal's reason, or the disk's error
 */
export const copyHome = async (options: CopyOptions): Promise<void> => {
  const hashes = await copyAll(options);
  await verifyAll(options, hashes);
  await demandUnchanged(options);
};

const copyAll = async ({ home, target, survey, signal, onProgress }: CopyOptions) => {
  const hashes = new Map<string, string>();
  const buffer = Buffer.allocUnsafe(pieceBytes);
  let doneBytes = 0;
  for (const entry of survey.entries) {
    signal.throwIfAborted();
    const to = join(target, entry.path);
    if (entry.kind === 'folder') {
      await mkdir(to, { recursive: true, mode: 0o700 });
      // Postgres starts only where others have no access, and a umask would change the mode that mkdir gets.
      await chmod(to, entry.mode | 0o700);
    } else if (entry.kind === 'link') await symlink(entry.leadsTo ?? '', to);
    else {
      const onBytes = (bytes: number) => {
        doneBytes += bytes;
        onProgress({ step: 'copy', doneBytes, doneFiles: hashes.size });
      };
      hashes.set(entry.path, await copyFile(join(home, entry.path), to, entry, { buffer, signal, onBytes }));
    }
    if (process.getuid?.() === 0) await lchown(to, entry.uid, entry.gid);
  }
  for (const { kind, path } of survey.entries) if (kind === 'folder') await syncFolder(join(target, path));
  await syncFolder(target);
  return hashes;
};

/** Giving up over one file that another program holds would waste everything that was copied. */
const heldLimitMs = 30_000;

interface Reading {
  readonly buffer: Buffer;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** @returns the hash of what was read */
const copyFile = async (from: string, to: string, entry: FoundEntry, reading: Reading): Promise<string> => {
  await using source = await whenNotBusy(() => open(from, 'r'), heldLimitMs);
  await using copy = await open(to, 'wx', entry.mode);
  const hash = await readThrough(source, reading, (piece) => copy.writeFile(piece));
  await copy.chmod(entry.mode);
  await copy.sync();
  const modified = entry.modifiedMs / 1000;
  await utimes(to, modified, modified);
  return hash;
};

const readThrough = async (
  file: FileHandle,
  { buffer, signal, onBytes }: Reading,
  onPiece: (piece: Buffer) => Promise<void> = async () => undefined,
): Promise<string> => {
  const hash = createHash('sha256');
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return hash.digest('hex');
    const piece = buffer.subarray(0, bytesRead);
    hash.update(piece);
    await onPiece(piece);
    onBytes(bytesRead);
  }
};

const verifyAll = async (
  { target, signal, onProgress }: CopyOptions,
  hashes: ReadonlyMap<string, string>,
) => {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  let doneBytes = 0;
  let doneFiles = 0;
  for (const [path, expected] of hashes) {
    const whole = join(target, path);
    await using file = await whenNotBusy(() => open(whole, 'r'), heldLimitMs);
    const onBytes = (bytes: number) => {
      doneBytes += bytes;
      onProgress({ step: 'verify', doneBytes, doneFiles });
    };
    const found = await readThrough(file, { buffer, signal, onBytes });
    if (found !== expected)
      throw new StartupError(
        `${whole} was written with errors. The disk may be failing. Choose another one.`,
      );
    doneFiles += 1;
  }
};

/** The supervisor keeps logging during a move. */
const logs = `logs${sep}`;

/** Changes when the entry was written since. */
const stampOf = ({ kind, leadsTo, bytes, modifiedMs }: FoundEntry): string =>
  kind === 'file' ? `${bytes} ${modifiedMs}` : `${kind} ${leadsTo}`;

const stampsOf = ({ entries }: HomeSurvey): Map<string, string> =>
  new Map(entries.filter(({ path }) => !path.startsWith(logs)).map((entry) => [entry.path, stampOf(entry)]));

const demandUnchanged = async ({ home, survey }: CopyOptions): Promise<void> => {
  const then = stampsOf(survey);
  const now = stampsOf(await surveyHome(home));
  for (const path of new Set([...then.keys(), ...now.keys()]))
    if (then.get(path) !== now.get(path))
      throw new StartupError(`${join(home, path)} changed while it was being copied. Try again.`);
};
