import { readdir, readFile, realpath } from 'node:fs/promises';
import { endianness } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { openNamedFile } from '../../folders/named-file.ts';
import { type ElfFile, readElf } from './elf-file.ts';

/** A program or library and where its linker looks for what it names, as ld.so(8) says. */
interface Loaded {
  readonly path: string;
  readonly elf: ElfFile;
}

const cachePath = '/etc/ld.so.cache';
const usualFolders = ['/lib', '/lib64', '/lib32', '/usr/lib', '/usr/lib64', '/usr/lib32', '/usr/local/lib'];
/** What multiarch calls the folder of a machine's libraries. */
const triplets: Readonly<Record<number, readonly string[]>> = {
  3: ['i386-linux-gnu'],
  40: ['arm-linux-gnueabihf', 'arm-linux-gnueabi'],
  62: ['x86_64-linux-gnu', 'x86_64-linux-gnux32'],
  183: ['aarch64-linux-gnu'],
};
const platforms: Readonly<Record<number, string>> = { 3: 'i686', 62: 'x86_64', 183: 'aarch64' };

/** Programs name a few dozen libraries; a chain of more is damaged, or not worth the time. */
const mostLibraries = 500;

export const readElfFile = async (path: string): Promise<ElfFile | null> => {
  try {
    await using file = await openNamedFile(path);
    return await readElf(file);
  } catch {
    // Not there, or not for this account.
    return null;
  }
};

/**
 * The first library without which the program cannot be loaded; null when all are found, or when that cannot be told. Reads files
 * and runs nothing: ldd would run the program's own linker.
 */
export const missingLinuxLibrary = async (path: string): Promise<string | null> => {
  const elf = await readElfFile(path);
  // Another linker than glibc's looks elsewhere, and a static program has none.
  if (!elf?.interpreter || !/^ld(?:-linux.*|64?)\.so/.test(basename(elf.interpreter))) return null;
  const first: Loaded = { path: await realpath(path).catch(() => path), elf };
  const cached = await cachedLibraries();
  const seen = new Set<string>();
  const found: Loaded[] = [first];
  for (let index = 0; index < found.length && seen.size < mostLibraries; index += 1)
    for (const name of found[index]?.elf.needed ?? []) {
      if (seen.has(name)) continue;
      seen.add(name);
      const library = await findLibrary(name, found, cached);
      if (library === null) return name;
      found.push(library);
    }
  return null;
};

/**
 * Whether the linker would find this library for the program; one of another machine it would pass over. A script's program is not
 * known: there, the library may be anywhere in the server's folder.
 */
export const isLinuxLibraryThere = async (path: string, name: string, folder: string): Promise<boolean> => {
  const own = await readElfFile(path);
  const elf = own ?? (await readElfFile(process.execPath));
  if (elf === null) return false;
  const program: Loaded = {
    path: await realpath(path).catch(() => path),
    elf: own ?? { ...elf, needed: [], searched: await foldersIn(folder, deepestFolder) },
  };
  return (await findLibrary(name, [program], await cachedLibraries())) !== null;
};

const deepestFolder = 3;
const mostFolders = 300;

const foldersIn = async (folder: string, depth: number): Promise<string[]> => {
  const folders = [folder];
  let level = [folder];
  for (let deep = 0; deep < depth; deep += 1) {
    const below: string[] = [];
    for (const one of level) {
      if (folders.length + below.length > mostFolders) break;
      const entries = await readdir(one, { withFileTypes: true }).catch(() => []);
      below.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(one, name)));
    }
    folders.push(...below);
    level = below;
  }
  return folders.slice(0, mostFolders);
};

/** @param loaded the program first: its folders count for the libraries of its libraries, too */
const findLibrary = async (
  name: string,
  loaded: readonly Loaded[],
  cached: ReadonlyMap<string, readonly string[]>,
): Promise<Loaded | null> => {
  const [program] = loaded;
  if (!program) return null;
  const fits = async (path: string): Promise<Loaded | null> => {
    const elf = await readElfFile(path);
    const isOfMachine = elf?.machine === program.elf.machine && elf.isWide === program.elf.isWide;
    return isOfMachine ? { path, elf } : null;
  };
  if (name.includes('/')) return fits(resolve(dirname(program.path), name));
  const { machine } = program.elf;
  // biome-ignore lint/style/noProcessEnv: the game gets what the agent was given
  const { LD_LIBRARY_PATH = '' } = process.env;
  const folders = new Set([
    ...loaded.flatMap(({ path, elf }) => elf.searched.flatMap((folder) => expand(folder, path, machine))),
    ...LD_LIBRARY_PATH.split(/[:;]/).filter(Boolean),
    ...(triplets[machine] ?? []).flatMap((triplet) => [`/lib/${triplet}`, `/usr/lib/${triplet}`]),
    ...usualFolders,
  ]);
  for (const path of cached.get(name) ?? []) {
    const library = await fits(path);
    if (library) return library;
  }
  for (const folder of folders) {
    const library = (await fits(join(folder, name))) ?? (await inVariants(folder, name, fits));
    if (library) return library;
  }
  return null;
};

/** Builds of a library for processors of a certain level. */
const inVariants = async (
  folder: string,
  name: string,
  fits: (path: string) => Promise<Loaded | null>,
): Promise<Loaded | null> => {
  const variants = join(folder, 'glibc-hwcaps');
  for (const variant of await readdir(variants).catch(() => [])) {
    const library = await fits(join(variants, variant, name));
    if (library) return library;
  }
  return null;
};

/** The folders that a path with `$ORIGIN`, `$LIB` or `$PLATFORM` may mean. */
const expand = (written: string, path: string, machine: number): readonly string[] => {
  const named = (name: string) => new RegExp(String.raw`\$(?:${name}\b|\{${name}\})`, 'g');
  const whole = written
    .replace(named('ORIGIN'), dirname(path))
    .replace(named('PLATFORM'), platforms[machine] ?? '');
  const libraries = ['lib', 'lib64', ...(triplets[machine] ?? []).map((triplet) => `lib/${triplet}`)];
  return named('LIB').test(whole) ? libraries.map((folder) => whole.replace(named('LIB'), folder)) : [whole];
};

const cacheMagic = 'glibc-ld.so.cache1.1';
const entryBytes = 24;
const headerBytes = 48;

/** The paths of each library in the linker's cache; none when there is no cache, or one of another form. */
const cachedLibraries = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const libraries = new Map<string, string[]>();
  const cache = await readFile(cachePath).catch(() => Buffer.alloc(0));
  // An older table may stand before it, for older linkers.
  const at = cache.indexOf(cacheMagic, 0, 'latin1');
  if (at === -1) return libraries;
  const own = cache.subarray(at);
  const isLittle = endianness() === 'LE';
  const word = (offset: number) => (isLittle ? own.readUInt32LE(offset) : own.readUInt32BE(offset));
  const text = (offset: number) => own.toString('utf8', offset, own.indexOf(0, offset));
  try {
    const count = word(cacheMagic.length);
    for (let index = 0; index < count; index += 1) {
      const entry = headerBytes + index * entryBytes;
      const name = text(word(entry + 4));
      libraries.set(name, [...(libraries.get(name) ?? []), text(word(entry + 8))]);
    }
  } catch (error) {
    // A number in it points outside of it: what was read until there counts.
    if (!(error instanceof RangeError)) throw error;
  }
  return libraries;
};
