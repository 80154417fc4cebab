import { RandomAccessReader } from 'yauzl';

/** The bytes of an archive: an open file, or memory. */
export interface ByteSource {
  read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

export const sourceOf = (bytes: Buffer): ByteSource => ({
  read: async (target, offset, length, position) => ({
    bytesRead: bytes.copy(target, offset, position, position + length),
  }),
});

const windowBytes = 16 * 1024;

/** Reads a file for yauzl, which asks for 30 bytes here and 40 there: one disk read serves neighbouring requests too. */
export class ZipBytes extends RandomAccessReader {
  readonly #file: ByteSource;
  readonly #size: number;
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;

  constructor(file: ByteSource, size: number) {
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

/** What Java takes for the whole archive: bytes before it and behind it are left out, and `end` takes the place of its end record. */
export class ZipView extends RandomAccessReader {
  readonly #zip: ZipBytes;
  readonly #from: number;
  readonly #bytes: number;
  readonly #end: Buffer;

  constructor(zip: ZipBytes, view: { readonly from: number; readonly to: number; readonly end: Buffer }) {
    super();
    this.#zip = zip;
    this.#from = view.from;
    this.#bytes = view.to - view.from;
    this.#end = view.end;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    const inside = Math.max(0, Math.min(length, this.#bytes - position));
    const behind = Math.max(0, position - this.#bytes);
    const copy = async () => {
      if (inside > 0) (await this.#zip.at(this.#from + position, inside)).copy(target, offset);
      const copied = this.#end.copy(target, offset + inside, behind, behind + length - inside);
      if (inside + copied < length) throw new Error('it ends too early');
    };
    copy().then(
      () => done(null),
      (error: unknown) => done(error as Error),
    );
  }
}

export const readExactly = async (file: ByteSource, position: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) throw new Error('it ends too early');
    read += bytesRead;
  }
  return bytes;
};
