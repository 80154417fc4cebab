import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface LogFile extends AsyncDisposable {
  /** Adds a line; if the disk fails, only that line is lost. */
  write(line: string): void;
  /** Resolves immediately unless lines come faster than the disk takes them. */
  ready(): Promise<void>;
}

const defaultFullBytes = 10 * 1024 * 1024;
const keptFiles = 5;
/** The pause after a failed write, or a full file that cannot be rotated. */
const retryMs = 10_000;
/** When this many characters wait for the disk, the writer should wait, too. */
const enoughWaiting = 64 * 1024;

export const openLogFile = (options: {
  readonly folder: string;
  /** Such as `api.log`; a full file gets a number appended, the next one a higher number. */
  readonly name: string;
  /** Called once per trouble, not once per line. */
  readonly onTrouble: (path: string, error: Error) => void;
  /** A file of this size is rotated. */
  readonly fullBytes?: number;
}): LogFile => {
  const { folder, name, fullBytes = defaultFullBytes } = options;
  const path = join(folder, name);
  let file: FileHandle | null = null;
  let bytes = 0;
  let waiting = '';
  let writing: Promise<void> | null = null;
  let inTrouble = false;
  let writeAgainAtMs = 0;
  /** In the future while the full file is written on, because it could not be rotated. */
  let rotateAgainAtMs = 0;
  let disposed = false;

  const trouble = (error: unknown) => {
    if (!inTrouble) options.onTrouble(path, error as Error);
    inTrouble = true;
  };

  const openFile = async (): Promise<FileHandle> => {
    await mkdir(folder, { recursive: true });
    const opened = await open(path, 'a', 0o600);
    bytes = (await opened.stat()).size;
    return opened;
  };

  const close = async () => {
    const open = file;
    file = null;
    await open?.close();
  };

  /** Older files are removed only after the newest has been renamed: on Windows a reader may hold it. */
  const rotate = async () => {
    await close();
    try {
      await putAside(folder, name);
      rotateAgainAtMs = 0;
    } catch (error) {
      rotateAgainAtMs = performance.now() + retryMs;
      trouble(error);
    }
  };

  const writeWaiting = async () => {
    while (waiting !== '') {
      file ??= await openFile();
      const mayRotate = performance.now() >= rotateAgainAtMs;
      if (mayRotate && bytes >= fullBytes) {
        await rotate();
        continue;
      }
      const end = mayRotate ? lineEndAfter(waiting, fullBytes - bytes) : waiting.length;
      const text = waiting.slice(0, end);
      waiting = waiting.slice(end);
      await file.writeFile(text);
      bytes += Buffer.byteLength(text);
      if (rotateAgainAtMs === 0) inTrouble = false;
    }
  };

  const giveUpForNow = async (error: unknown) => {
    waiting = '';
    writeAgainAtMs = performance.now() + retryMs;
    trouble(error);
    await close().catch(trouble);
  };

  return {
    write(line) {
      if (disposed || performance.now() < writeAgainAtMs) return;
      waiting += `${line}\n`;
      writing ??= writeWaiting()
        .catch(giveUpForNow)
        .finally(() => {
          writing = null;
        });
    },
    async ready() {
      if (waiting.length > enoughWaiting) await writing;
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      await writing;
      await close();
    },
  };
};

/** The end of the line that crosses `room` characters; of the last line when none does. */
const lineEndAfter = (lines: string, room: number): number => {
  const end = lines.indexOf('\n', room - 1);
  return end === -1 ? lines.length : end + 1;
};

/** Renames the file to an unused number, and removes the oldest ones. */
const putAside = async (folder: string, name: string): Promise<void> => {
  const numbers = (await readdir(folder))
    .filter((other) => other.startsWith(`${name}.`) && /^\d+$/.test(other.slice(name.length + 1)))
    .map((other) => Number(other.slice(name.length + 1)))
    .sort((a, b) => a - b);
  const fresh = (numbers.at(-1) ?? 0) + 1;
  await rename(join(folder, name), join(folder, `${name}.${fresh}`));
  for (const number of [...numbers, fresh].slice(0, -keptFiles))
    await rm(join(folder, `${name}.${number}`), { force: true });
};
