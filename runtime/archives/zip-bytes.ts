import type { FileHandle } from 'node:fs/promises';
import { RandomAccessReader } from 'yauzl';

const windowBytes = 16 * 1024;

/** Reads a file for yauzl, which asks for 30 bytes here and 40 there: one disk read serves neighbouring requests too. */
export class ZipBytes extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #size: number;
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;

  constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.#size = size;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.at(position, length).then(
      (bytes) => {
        bytes.copy(target, offset);
        done(null);
      },
      (error: unknown) => done(error as Error),
    );
  }

  /** Not for two calls at a time. The bytes are valid until the next call. */
  async at(position: number, length: number): Promise<Buffer> {
    if (!(position >= 0) || position + length > this.#size) throw new Error('it ends too early');
    if (position < this.#windowStart || position + length > this.#windowStart + this.#window.length) {
      this.#window = await readExactly(
        this.#file,
        position,
        Math.max(length, Math.min(windowBytes, this.#size - position)),
      );
      this.#windowStart = position;
    }
    const start = position - this.#windowStart;
    return this.#window.subarray(start, start + length);
  }
}

export const readExactly = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) throw new Error('it ends too early');
    read += bytesRead;
  }
  return bytes;
};
