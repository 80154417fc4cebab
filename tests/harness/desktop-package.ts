import { open, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Paths of all files, with slashes, below the folder. */
export const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
};

interface AsarFolder {
  readonly files: Readonly<Record<string, AsarFolder | { readonly size: number }>>;
}

/** What is in an archive of Electron: two sizes, a length, and then its list as JSON. */
export const filesInAsar = async (path: string): Promise<readonly string[]> => {
  await using file = await open(path);
  const { buffer: head } = await file.read({ buffer: Buffer.alloc(16), position: 0 });
  const length = head.readUInt32LE(12);
  const { buffer: list } = await file.read({ buffer: Buffer.alloc(length), position: 16 });
  const below = (folder: AsarFolder, prefix: string): string[] =>
    Object.entries(folder.files).flatMap(([name, entry]) =>
      'files' in entry ? below(entry, `${prefix}${name}/`) : [`${prefix}${name}`],
    );
  return below(JSON.parse(list.toString()) as AsarFolder, '');
};

/** Electron looks for its fuses behind this text in its own file. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** In their order there. */
export const shippedFuses = {
  runAsNode: false,
  cookieEncryption: true,
  nodeOptions: false,
  nodeInspect: false,
  asarIntegrity: true,
  onlyLoadAppFromAsar: true,
  browserV8Snapshot: false,
  fileProtocolPrivileges: false,
} as const;

/** Reads back what was burnt in. @throws when there is not exactly one set of fuses */
export const readFuses = async (executable: string): Promise<Readonly<Record<string, boolean>>> => {
  const program = await readFile(executable);
  const start = program.indexOf(sentinel);
  if (start < 0 || program.indexOf(sentinel, start + 1) >= 0) throw new Error(`fuses of ${executable}?`);
  // A version, a count, and then one digit each.
  const digits = program.subarray(start + sentinel.length + 2);
  return Object.fromEntries(
    Object.keys(shippedFuses).map((name, index) => [name, digits[index] === '1'.charCodeAt(0)]),
  );
};

/** What would tell of the machine that built it, or give away what is nobody's business. */
const tellTales = [root, `${homedir()}/`, '-----BEGIN PRIVATE KEY-----\nM', 'npm_config_'];

/** Which files of ours say too much. */
export const indiscreetFiles = async (folder: string): Promise<readonly string[]> => {
  const ours = (await filesIn(join(folder, 'resources'))).filter((path) => !path.includes('node_modules/'));
  const found: string[] = [];
  for (const path of ours) {
    // Built elsewhere.
    if (/^programs\/(?:node|node\.exe|service-host\.exe)$/.test(path)) continue;
    const text = await readFile(join(folder, 'resources', path), 'latin1');
    found.push(...tellTales.filter((tale) => text.includes(tale)).map((tale) => `${path}: ${tale}`));
  }
  return found;
};
