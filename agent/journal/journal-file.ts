import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from '#runtime/atomic-write.ts';

/** Lines are on disk once `append` resolves; those that arrive together share one flush. */
interface JournalFile extends AsyncDisposable {
  /** @throws when the disk does not accept it; from then on nothing is accepted */
  append(line: string, options?: { readonly thenRenew?: boolean }): Promise<void>;
}

interface PendingLine {
  readonly line: string;
  /** Earlier lines must disappear from the disk. */
  readonly thenRenew: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Rewrites the file with the kept lines, and opens it for more. */
export const openJournalFile = async (options: {
  readonly path: string;
  /** The lines that a new file has to begin with. */
  readonly kept: () => string;
  /** A file that has grown this far beyond its beginning is rewritten. */
  readonly growthBytes: number;
}): Promise<JournalFile> => {
  const { path, kept, growthBytes } = options;
  let pending: PendingLine[] = [];
  let writing: Promise<void> | null = null;
  let failure: unknown = null;
  let grownBytes = 0;

  const renew = async (): Promise<FileHandle> => {
    await writeFileAtomically(path, kept(), 0o600);
    await syncRename(dirname(path));
    grownBytes = 0;
    return open(path, 'a', 0o600);
  };
  let file = await renew();

  const writeAll = async () => {
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      try {
        if (failure !== null) throw failure;
        const bytes = Buffer.from(batch.map(({ line }) => line).join(''));
        await file.appendFile(bytes);
        await file.datasync();
        grownBytes += bytes.length;
        if (batch.some(({ thenRenew }) => thenRenew)) await compact();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        failure ??= error;
        for (const { reject } of batch) reject(error);
      }
      if (grownBytes > growthBytes && failure === null) await compact();
    }
    writing = null;
  };
  const compact = async () => {
    // The state in memory is ahead of the file by the waiting lines: they are written once more, with the same content.
    try {
      // First: Windows renames nothing over an open file.
      await file.close();
      file = await renew();
    } catch (error) {
      // The file on disk is whole, but accepts nothing more.
      failure = error;
    }
  };

  return {
    append: (line, { thenRenew = false } = {}) =>
      new Promise<void>((resolve, reject) => {
        pending.push({ line, thenRenew, resolve, reject });
        writing ??= Promise.resolve().then(writeAll);
      }),
    async [Symbol.asyncDispose]() {
      await writing;
      await file.close();
    },
  };
};

/**
 * Makes the rename survive a power cut; Windows does not open folders for this. Without `using`: an old Node must get far enough
 * to say that it is too old.
 */
const syncRename = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
};
