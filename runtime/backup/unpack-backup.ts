import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Extract } from 'tar-stream';
import { pathFault } from '../archives/check-paths.ts';
import { patientRemoval } from '../busy-file.ts';
import { StartupError } from '../program.ts';

const firstLine = 'age-encryption.org/v1\n';
/** The header of a file with a passphrase has 150. */
const headBytes = 4096;
const chunkBytes = 2 ** 18;
const longestPath = 1000;

/**
 * Decrypts and unpacks what `packBackup` has written into a folder that does not exist yet. On any error nothing of it is left.
 * @returns the folder of the backup, in that one
 * @throws {StartupError} for a wrong passphrase, and for a file that is cut, damaged or of another kind
 */
export const unpackBackup = async (file: string, passphrase: string, folder: string): Promise<string> => {
  await demandPacked(file);
  await mkdir(folder, { mode: 0o700 });
  try {
    await unpackInto(file, passphrase, folder);
    const [name, ...others] = await readdir(folder);
    if (name === undefined || others.length > 0)
      throw new StartupError(`${file} holds no backup of Castellan.`);
    return join(folder, name);
  } catch (error) {
    await rm(folder, patientRemoval);
    throw error;
  }
};

/**
 * Without reading more than the beginning.
 * @throws {StartupError} for a wrong passphrase, and for a file that is no encrypted backup
 */
export const demandPassphrase = async (file: string, passphrase: string): Promise<void> => {
  const head = await demandPacked(file);
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  await decrypter.decryptHeader(head).catch((error: Error) => {
    throw faultOf(file, error);
  });
};

/** Before anything is read as lines: the first one of another file may be all of it. */
const demandPacked = async (file: string): Promise<Buffer> => {
  await using handle = await open(file, 'r').catch((cause: Error) => {
    throw new StartupError(`${file} cannot be read: ${cause.message}`, { cause });
  });
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes));
  const head = buffer.subarray(0, bytesRead);
  if (head.toString('latin1', 0, firstLine.length) !== firstLine)
    throw new StartupError(`${file} is no encrypted backup: it does not begin like a file of age.`);
  return head;
};

const unpackInto = async (file: string, passphrase: string, folder: string): Promise<void> => {
  const [{ Decrypter }, tar] = await Promise.all([import('age-encryption'), import('tar-stream')]);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const source = createReadStream(file, { highWaterMark: chunkBytes });
  try {
    const plain = await decrypter.decrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>);
    const extract = tar.extract();
    await Promise.all([pipeline(plain as never, extract), writeEntries(extract, folder)]);
  } catch (error) {
    throw faultOf(file, error as NodeJS.ErrnoException);
  } finally {
    source.destroy();
  }
};

const faultOf = (file: string, cause: NodeJS.ErrnoException): Error => {
  if (cause instanceof StartupError) return cause;
  if (/no identity matched/.test(cause.message))
    return new StartupError('The passphrase is wrong, or it is not the one of this file.', { cause });
  // Of the disk, which names itself.
  if (typeof cause.syscall === 'string') return new StartupError(cause.message, { cause });
  return new StartupError(
    `${file} is cut off or was changed: it is not what was downloaded. Copy it again, or choose another backup.`,
    { cause },
  );
};

const writeEntries = async (extract: Extract, folder: string): Promise<void> => {
  for await (const entry of extract) {
    const { name, type } = entry.header;
    const path = name.replace(/\/$/, '');
    if (pathFault(path, longestPath) !== null || (type !== 'file' && type !== 'directory'))
      throw new StartupError(`The file holds something that no backup holds: ${path.slice(0, 100)}`);
    if (type === 'directory') await mkdir(join(folder, path), { mode: 0o700 });
    else {
      await using target = await open(join(folder, path), 'wx', 0o600);
      for await (const chunk of entry as AsyncIterable<Uint8Array>) await target.writeFile(chunk);
      continue;
    }
    entry.resume();
  }
};
