import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import type { Pack } from 'tar-stream';
import { reportProgress } from '../disk-worker/progress.ts';

/** What the name of a packed backup ends with: a tar that age (age-encryption.org/v1) has encrypted with a passphrase. */
export const packedSuffix = '.tar.age';

/** The logarithm of scrypt's N, as `age` itself takes it: each guess of a passphrase costs 256 MiB and about a second. */
const usualWorkFactor = 18;
const chunkBytes = 2 ** 18;

/**
 * A task of a disk worker: writes a backup as one encrypted tar, in which everything is in a folder with the backup's name, and ends
 * the output. Nothing is written before the passphrase has become a key.
 */
export const packBackup = async (
  output: Writable,
  backup: string,
  passphrase: string,
  workFactor = usualWorkFactor,
): Promise<void> => {
  // Loaded only where something is packed: every program of the stack knows this task.
  const [{ Encrypter }, tar] = await Promise.all([import('age-encryption'), import('tar-stream')]);
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(workFactor);
  encrypter.setPassphrase(passphrase);
  await lstat(backup);
  const pack = tar.pack();
  const encrypted = await encrypter.encrypt(ReadableStream.from(pack) as never);
  const packing = addFolder(pack, backup, basename(backup)).then(
    () => pack.finalize(),
    (error: Error) => void pack.destroy(error),
  );
  await Promise.all([packing, pipeline(encrypted, output)]);
};

const addFolder = async (pack: Pack, folder: string, name: string): Promise<void> => {
  await new Promise<void>((resolve, reject) => {
    pack.entry({ name: `${name}/`, type: 'directory', mode: 0o700 }, (error) =>
      error ? reject(error) : resolve(),
    );
  });
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await addFolder(pack, path, `${name}/${entry.name}`);
    else await addFile(pack, path, `${name}/${entry.name}`);
  }
};

const addFile = async (pack: Pack, path: string, name: string): Promise<void> => {
  const stats = await lstat(path);
  if (!stats.isFile()) throw new Error(`${path} is no file and no folder, and cannot be packed.`);
  const ended = Promise.withResolvers<void>();
  const entry = pack.entry({ name, size: stats.size, mode: 0o600, mtime: stats.mtime }, (error) =>
    error ? ended.reject(error) : ended.resolve(),
  );
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    if (!entry.write(chunk)) await once(entry, 'drain');
    reportProgress(chunk.length);
  }
  entry.end(null);
  await ended.promise;
};
