import type { FileHandle } from 'node:fs/promises';

/** What a program of Windows says about how it is loaded ("PE Format" in Microsoft's documentation). */
interface PeFile {
  readonly machine: number;
  /** The libraries that it names. */
  readonly needed: readonly string[];
}

export const isPe = (head: Buffer): boolean => head.toString('latin1', 0, 2) === 'MZ';

/** A file with more is damaged: the limits keep its numbers from costing memory. */
const mostSections = 96;
const mostLibraries = 1000;
const longestName = 260;

/** Null when it is none, or is damaged. */
export const readPe = async (file: FileHandle): Promise<PeFile | null> => {
  try {
    return await read(file);
  } catch (error) {
    // A number in the file points outside of it.
    if (error instanceof RangeError) return null;
    throw error;
  }
};

const read = async (file: FileHandle): Promise<PeFile | null> => {
  const bytes = async (offset: number, length: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };
  const dos = await bytes(0, 64);
  if (!isPe(dos)) return null;
  const at = dos.readUInt32LE(0x3c);
  const header = await bytes(at, 24);
  if (header.toString('latin1', 0, 4) !== 'PE\0\0') return null;
  const machine = header.readUInt16LE(4);
  const sectionCount = Math.min(header.readUInt16LE(6), mostSections);
  const optionalSize = header.readUInt16LE(20);
  const optional = await bytes(at + 24, optionalSize);
  const isWide = optional.readUInt16LE(0) === 0x20b;
  const directories = isWide ? 112 : 96;
  const table = await bytes(at + 24 + optionalSize, sectionCount * 40);
  /** Where an address of the loaded program is in the file; null: nowhere. */
  const offsetOf = (address: number): number | null => {
    for (let section = 0; section + 40 <= table.length; section += 40) {
      const start = table.readUInt32LE(section + 12);
      const size = Math.max(table.readUInt32LE(section + 8), table.readUInt32LE(section + 16));
      if (address >= start && address < start + size)
        return address - start + table.readUInt32LE(section + 20);
    }
    return null;
  };
  const hasImports = optional.readUInt32LE(directories - 4) > 1 && optional.length >= directories + 16;
  const imports = hasImports ? offsetOf(optional.readUInt32LE(directories + 8)) : null;
  const needed: string[] = [];
  for (let index = 0; imports !== null && index < mostLibraries; index += 1) {
    const entry = await bytes(imports + index * 20, 20);
    const nameAddress = entry.readUInt32LE(12);
    if (nameAddress === 0) break;
    const nameAt = offsetOf(nameAddress);
    if (nameAt === null) break;
    const name = await bytes(nameAt, longestName);
    const end = name.indexOf(0);
    needed.push(name.toString('latin1', 0, end === -1 ? name.length : end));
  }
  return { machine, needed };
};

const machines: Readonly<Record<number, string>> = {
  332: 'Windows on x86 (32-bit)',
  452: 'Windows on ARM (32-bit)',
  34404: 'Windows on x86-64',
  43620: 'Windows on ARM64',
};
export const windowsMachineName = (machine: number): string =>
  machines[machine] ?? `the machine no. ${machine}`;
