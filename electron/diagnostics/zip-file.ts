import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile as ZipStream } from 'yazl';

/** Writes a .zip, one entry after another, with no more than one of them in memory. */
interface ZipFile extends Disposable {
  /** @param name with slashes; neither absolute nor with `..` */
  add(name: string, content: Buffer): Promise<void>;
  /** The file cannot be read before this. */
  finish(): Promise<void>;
}

/** A plain file that only its owner can read. */
const mode = 0o100600;

/** @param file empty, and used by nothing else */
export const zipFile = (file: FileHandle, now: Date): ZipFile => {
  const zip = new ZipStream();
  const written = file.writeFile(zip.outputStream);
  // An entry or the end reports it.
  written.catch(() => undefined);
  return {
    async add(name, content) {
      const entry = Readable.from([content], { objectMode: false });
      zip.addReadStream(entry, name, { mtime: now, mode });
      // A full disk ends the writing, after which the entry is never read to its end.
      await Promise.race([finished(entry), written]);
    },
    async finish() {
      zip.end();
      await written;
    },
    // The file cannot be closed while the stream is still being written.
    [Symbol.dispose]: () => void (zip.outputStream as Readable).destroy(),
  };
};
