import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunSystemProgram, runSystemProgram } from './system-program.ts';

const utf16Mark = Buffer.from([0xff, 0xfe]);

/** Text of a file written by `reg export`: UTF-16, so that a path in any script survives. */
const decode = (file: Buffer): string =>
  file.subarray(0, 2).equals(utf16Mark) ? file.subarray(2).toString('utf16le') : file.toString('utf8');

type RegistryValue = string | number;
/** By key and name, both in small letters, as Windows does not tell their case apart. */
export type RegistryValues = ReadonlyMap<string, ReadonlyMap<string, RegistryValue>>;

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');

/** Null for the kinds that are not read here. */
const readValue = (value: string): RegistryValue | null => {
  if (value.startsWith('"')) return unescaped(value.slice(1, value.lastIndexOf('"')));
  const number = /^dword:([0-9a-f]{8})/i.exec(value)?.[1];
  if (number !== undefined) return Number.parseInt(number, 16);
  const bytes = /^hex\([12]\):([0-9a-f,]*)/i.exec(value)?.[1];
  if (bytes === undefined) return null;
  return Buffer.from(bytes.replaceAll(',', ''), 'hex').toString('utf16le').replace(/\0+$/, '');
};

/** Reads texts and numbers from a file written by `reg export`. */
export const readExportedValues = (file: Buffer): RegistryValues => {
  const keys = new Map<string, Map<string, RegistryValue>>();
  let values = new Map<string, RegistryValue>();
  // A long value continues on the next line.
  for (const line of decode(file)
    .replace(/\\\r?\n\s*/g, '')
    .split(/\r?\n/)) {
    const key = /^\[(.+)\]$/.exec(line)?.[1];
    if (key !== undefined) {
      values = new Map();
      keys.set(key.toLowerCase(), values);
      continue;
    }
    const [, name, text] = /^"((?:[^"\\]|\\.)*)"=(.*)$/.exec(line) ?? [];
    const value = text === undefined ? null : readValue(text);
    if (name !== undefined && value !== null) values.set(unescaped(name).toLowerCase(), value);
  }
  return keys;
};

/** Reads a text value from a file written by `reg export`; null when it is not there. */
export const readExportedText = (file: Buffer, name: string): string | null => {
  for (const values of readExportedValues(file).values()) {
    const value = values.get(name.toLowerCase());
    if (typeof value === 'string') return value;
  }
  return null;
};

/**
 * A key of the registry with everything below it, as `reg` writes it into a file; what it prints is in the code page of the console.
 * Null where there is no such key, or this account may not read it: `reg` has one code for both.
 */
export const exportRegistryKey = async (
  key: string,
  run: RunSystemProgram = runSystemProgram,
): Promise<Buffer | null> => {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-registry-'));
  const file = join(folder, 'key.reg');
  try {
    await run('reg.exe', ['export', key, file, '/y']);
    return await readFile(file);
  } catch (error) {
    if ((error as { code?: unknown }).code === 1) return null;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
