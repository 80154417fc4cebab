import type { FileHandle } from 'node:fs/promises';

/** What an ELF file says about how it is loaded (elf(5)). */
export interface ElfFile {
  readonly machine: number;
  readonly isWide: boolean;
  /** The dynamic linker; null for a static program or a library. */
  readonly interpreter: string | null;
  /** The libraries that it names. */
  readonly needed: readonly string[];
  /** Folders in which the linker looks for them, as written: with `$ORIGIN` and the like. */
  readonly searched: readonly string[];
}

const magic = 0x7f454c46;
const types = { executable: 2, shared: 3 };
const segments = { load: 1, dynamic: 2, interpreter: 3 };
const tags = { needed: 1, strings: 5, rpath: 15, runpath: 29 };

/** A file with more is damaged: the limits keep its numbers from costing memory. */
const mostSegments = 512;
const mostDynamicBytes = 256 * 1024;
const longestString = 4096;

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

export const isElf = (head: Buffer): boolean => head.length >= 4 && head.readUInt32BE(0) === magic;

/** Null when it is not a program or library, or is damaged. */
export const readElf = async (file: FileHandle): Promise<ElfFile | null> => {
  try {
    return await read(file);
  } catch (error) {
    // A number in the file points outside of it.
    if (error instanceof RangeError) return null;
    throw error;
  }
};

const read = async (file: FileHandle): Promise<ElfFile | null> => {
  const bytes = async (offset: number, length: number): Promise<Buffer> => {
    if (!Number.isSafeInteger(offset) || offset < 0) throw new RangeError('outside of the file');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };
  const header = await bytes(0, 64);
  if (!isElf(header)) return null;
  const isWide = header[4] === 2;
  const isLittle = header[5] === 1;
  const half = (from: Buffer, at: number) => (isLittle ? from.readUInt16LE(at) : from.readUInt16BE(at));
  const word = (from: Buffer, at: number) => (isLittle ? from.readUInt32LE(at) : from.readUInt32BE(at));
  const long = (from: Buffer, at: number) =>
    Number(isLittle ? from.readBigUInt64LE(at) : from.readBigUInt64BE(at));
  /** An address or a size: of eight bytes in a wide file, else of four. */
  const number = (from: Buffer, wideAt: number, at: number) => (isWide ? long(from, wideAt) : word(from, at));
  const type = half(header, 16);
  if (type !== types.executable && type !== types.shared) return null;
  const machine = half(header, 18);
  const tableAt = number(header, 32, 28);
  const entrySize = half(header, isWide ? 54 : 42);
  const count = half(header, isWide ? 56 : 44);
  if (count > mostSegments || entrySize > 256) return null;
  const table = await bytes(tableAt, entrySize * count);
  const all = Array.from({ length: count }, (_, index): Segment => {
    const entry = table.subarray(index * entrySize, (index + 1) * entrySize);
    return {
      type: word(entry, 0),
      offset: number(entry, 8, 4),
      address: number(entry, 16, 8),
      size: number(entry, 32, 16),
    };
  });
  const text = async (offset: number, length = longestString): Promise<string> => {
    const found = await bytes(offset, Math.min(length, longestString));
    const end = found.indexOf(0);
    return found.toString('utf8', 0, end === -1 ? found.length : end);
  };
  const interpreterAt = all.find((segment) => segment.type === segments.interpreter);
  const interpreter = interpreterAt ? await text(interpreterAt.offset, interpreterAt.size) : null;
  const dynamic = all.find((segment) => segment.type === segments.dynamic);
  const entries: { readonly tag: number; readonly value: number }[] = [];
  if (dynamic) {
    const found = await bytes(dynamic.offset, Math.min(dynamic.size, mostDynamicBytes));
    const size = isWide ? 16 : 8;
    for (let at = 0; at + size <= found.length; at += size) {
      const tag = number(found, at, at);
      if (tag === 0) break;
      entries.push({ tag, value: number(found, at + 8, at + 4) });
    }
  }
  const stringsAt = entries.find(({ tag }) => tag === tags.strings)?.value;
  const holding = all.find(
    ({ type: kind, address, size }) =>
      kind === segments.load && stringsAt !== undefined && stringsAt >= address && stringsAt < address + size,
  );
  const named = async (...wanted: readonly number[]): Promise<string[]> => {
    if (!holding || stringsAt === undefined) return [];
    const from = stringsAt - holding.address + holding.offset;
    const names: string[] = [];
    for (const { tag, value } of entries) if (wanted.includes(tag)) names.push(await text(from + value));
    return names;
  };
  return {
    machine,
    isWide,
    interpreter,
    needed: await named(tags.needed),
    searched: (await named(tags.rpath, tags.runpath)).flatMap((paths) => paths.split(':')).filter(Boolean),
  };
};

const machines: Readonly<Record<number, string>> = {
  3: 'x86 (32-bit)',
  8: 'MIPS',
  20: 'PowerPC (32-bit)',
  21: 'PowerPC (64-bit)',
  22: 'IBM Z',
  40: 'ARM (32-bit)',
  62: 'x86-64',
  183: 'ARM64',
  243: 'RISC-V',
  258: 'LoongArch',
};
export const machineName = (machine: number): string => machines[machine] ?? `the machine no. ${machine}`;

/** Kernels that run the programs of another machine, too. */
const alsoRuns: Readonly<Record<number, readonly number[]>> = { 62: [3], 183: [40] };

export const runsOn = (machine: number, own: number): boolean =>
  machine === own || (alsoRuns[own]?.includes(machine) ?? false);
