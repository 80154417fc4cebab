import { crc32, deflateRawSync } from 'node:zlib';

/** Fields of a header; those not given are correct. */
interface Header {
  readonly name?: string | Buffer;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly packedBytes?: number;
  readonly bytes?: number;
  readonly extra?: Buffer;
}

export interface RawEntry {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  readonly method?: number;
  readonly flags?: number;
  /** Unix mode; the entry then declares Unix as its system. */
  readonly mode?: number;
  readonly extra?: Buffer;
  /** Replaces the data as the method packs it. */
  readonly packed?: Buffer;
  /** Written after the data. */
  readonly descriptor?: Buffer;
  /** Bytes of another program before the header. */
  readonly gap?: Buffer;
  readonly local?: Header;
  readonly central?: Header & { readonly offset?: number };
}

interface End {
  readonly disk?: number;
  readonly directoryDisk?: number;
  readonly entriesHere?: number;
  readonly entries?: number;
  readonly directoryBytes?: number;
  readonly directoryStart?: number;
}

interface Whole {
  readonly prefix?: Buffer;
  readonly comment?: Buffer;
  readonly commentBytes?: number;
  readonly suffix?: Buffer;
  readonly end?: End;
  readonly zip64?: End & {
    readonly offset?: number;
    readonly recordBytes?: number;
    readonly signature?: number;
  };
}

const isUtf8 = 0x800;

const fields = (...values: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer =>
  Buffer.concat(
    values.map(([bytes, value]) => {
      const buffer = Buffer.alloc(8);
      buffer.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
      return buffer.subarray(0, bytes);
    }),
  );

export const extraField = (id: number, data: Buffer): Buffer =>
  Buffer.concat([fields([2, id], [2, data.length]), data]);

/** Builds a zip with exactly the faults asked for, which no library would write. */
export const zipByBytes = (entries: readonly RawEntry[], whole: Whole = {}): Buffer => {
  const parts: Buffer[] = [whole.prefix ?? Buffer.alloc(0)];
  let at = parts[0]?.length ?? 0;
  const append = (part: Buffer) => {
    parts.push(part);
    at += part.length;
  };
  const directory = entries.map((entry) => {
    append(entry.gap ?? Buffer.alloc(0));
    const data = Buffer.from(entry.data ?? '');
    const method = entry.method ?? 8;
    const packed = entry.packed ?? (method === 8 ? deflateRawSync(data) : data);
    const base = {
      name: entry.name,
      flags: entry.flags ?? isUtf8,
      method,
      crc: crc32(data),
      packedBytes: packed.length,
      bytes: data.length,
      extra: entry.extra ?? Buffer.alloc(0),
    };
    const offset = at;
    const local = { ...base, ...entry.local };
    const localName = Buffer.from(local.name);
    append(
      Buffer.concat([
        fields([4, 0x0403_4b50], [2, 20], ...described(local)),
        fields([2, localName.length], [2, local.extra.length]),
        localName,
        local.extra,
        packed,
        entry.descriptor ?? Buffer.alloc(0),
      ]),
    );
    const central = { ...base, offset, ...entry.central };
    const name = Buffer.from(central.name);
    const madeBy = entry.mode === undefined ? 20 : 0x0314;
    return Buffer.concat([
      fields([4, 0x0201_4b50], [2, madeBy], [2, 20], ...described(central)),
      fields([2, name.length], [2, central.extra.length], [2, 0], [2, 0], [2, 0]),
      fields([4, (entry.mode ?? 0) * 0x1_0000], [4, central.offset]),
      name,
      central.extra,
    ]);
  });
  const directoryStart = at;
  for (const header of directory) append(header);
  const actual = {
    disk: 0,
    directoryDisk: 0,
    entriesHere: entries.length,
    entries: entries.length,
    directoryBytes: at - directoryStart,
    directoryStart,
  };
  if (whole.zip64) {
    const wide = { ...actual, offset: at, recordBytes: 44, signature: 0x0606_4b50, ...whole.zip64 };
    append(
      fields(
        [4, wide.signature],
        [8, wide.recordBytes],
        [2, 45],
        [2, 45],
        [4, wide.disk],
        [4, wide.directoryDisk],
        [8, wide.entriesHere],
        [8, wide.entries],
        [8, wide.directoryBytes],
        [8, wide.directoryStart],
      ),
    );
    append(fields([4, 0x0706_4b50], [4, 0], [8, wide.offset], [4, 1]));
  }
  const end = { ...actual, ...whole.end };
  const comment = whole.comment ?? Buffer.alloc(0);
  append(
    fields(
      [4, 0x0605_4b50],
      [2, end.disk],
      [2, end.directoryDisk],
      [2, end.entriesHere],
      [2, end.entries],
      [4, end.directoryBytes],
      [4, end.directoryStart],
      [2, whole.commentBytes ?? comment.length],
    ),
  );
  append(comment);
  append(whole.suffix ?? Buffer.alloc(0));
  return Buffer.concat(parts);
};

const described = (header: Required<Omit<Header, 'name' | 'extra'>>): (readonly [2 | 4, number])[] => [
  [2, header.flags],
  [2, header.method],
  [2, 0],
  [2, 0x21],
  [4, header.crc],
  [4, header.packedBytes],
  [4, header.bytes],
];
