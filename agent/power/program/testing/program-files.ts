import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The head of a 64-bit ELF program, with no segments: enough for a kernel to see whether it could run it. */
export const elfHead = (machine: number): Buffer => {
  const head = Buffer.alloc(64);
  head.writeUInt32BE(0x7f454c46, 0);
  head.set([2, 1, 1], 4);
  head.writeUInt16LE(2, 16);
  head.writeUInt16LE(machine, 18);
  head.writeUInt16LE(56, 54);
  return head;
};

const arm64 = 183;
const x86Wide = 62;
/** A machine on which these tests do not run. */
export const otherMachine = process.arch === 'arm64' ? x86Wide : arm64;

/** A program of Windows that names libraries, in one section. */
export const peFile = (machine: number, libraries: readonly string[] = []): Buffer => {
  const file = Buffer.alloc(4096);
  file.write('MZ', 0);
  file.writeUInt32LE(64, 0x3c);
  file.write('PE\0\0', 64);
  file.writeUInt16LE(machine, 68);
  file.writeUInt16LE(1, 70);
  file.writeUInt16LE(240, 84);
  const optional = 88;
  file.writeUInt16LE(0x20b, optional);
  file.writeUInt32LE(16, optional + 108);
  file.writeUInt32LE(0x1000, optional + 120);
  const section = optional + 240;
  file.write('.idata', section);
  for (const [at, value] of [
    [8, 2048],
    [12, 0x1000],
    [16, 2048],
    [20, 1024],
  ] as const)
    file.writeUInt32LE(value, section + at);
  for (const [index, name] of libraries.entries()) {
    file.writeUInt32LE(0x1000 + 512 + index * 64, 1024 + index * 20 + 12);
    file.write(name, 1024 + 512 + index * 64);
  }
  return file;
};

export const missingLibrary = 'libq.so.6';

/** A real program that lacks one of its libraries: a copy of `true`, whose C library has another name. */
export const writeProgramWithoutLibrary = async (path: string): Promise<void> => {
  await copyFile('/bin/true', path);
  const file = await readFile(path);
  const at = file.indexOf('libc.so.6\0');
  file.write(missingLibrary, at);
  await writeFile(path, file, { mode: 0o755 });
};

/** A game as a script that counts its starts in the file `starts` beside it. */
export const writeGame = async (path: string): Promise<void> => {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, '#!/bin/sh\necho $$ >> "$(dirname "$0")/starts"\nexec sleep 1000\n', { mode: 0o755 });
};
