import { open } from 'node:fs/promises';

/**
 * Changes one byte of a file, like a bad sector or a bad copy.
 * @param bits those to change in it
 * @returns puts the byte back
 */
export const flipByte = async (path: string, offset: number, bits: number): Promise<() => Promise<void>> => {
  const change = async () => {
    await using file = await open(path, 'r+');
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, offset);
    await file.write(Buffer.of(buffer.readUInt8(0) ^ bits), 0, 1, offset);
  };
  await change();
  return change;
};
