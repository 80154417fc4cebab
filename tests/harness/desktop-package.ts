import { createHash } from 'node:crypto';
import { lstat, open, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Paths of all files below the folder, with slashes. */
export const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
};

interface AsarFolder {
  readonly files: Readonly<Record<string, AsarFolder | { readonly size: number }>>;
}

/** The files in an Electron archive, which begins with two sizes, a length, and then the list as JSON. */
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

/** Electron looks for its fuses after this text in its own file. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** In their order in the file. */
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

/** Reads the fuses back. @throws when there is not exactly one set of fuses */
export const readFuses = async (executable: string): Promise<Readonly<Record<string, boolean>>> => {
  const program = await readFile(executable);
  const start = program.indexOf(sentinel);
  if (start < 0 || program.indexOf(sentinel, start + 1) >= 0) throw new Error(`fuses of ${executable}?`);
  // A version, a count, and then one digit per fuse.
  const digits = program.subarray(start + sentinel.length + 2);
  return Object.fromEntries(
    Object.keys(shippedFuses).map((name, index) => [name, digits[index] === '1'.charCodeAt(0)]),
  );
};

/** Files that no user of the desktop needs, each with its name for the report. */
const unwanted: Readonly<Record<string, RegExp>> = {
  'sources, tests and maps': /\.(?:map|tsx?|test\.\w+)$/,
  'settings of the machine that built it': /(?:^|\/)\.env|\.half-/,
  'for compiling against Postgres': /\.(?:a|h|lib|pc|pdb)$|\/pgxs\//,
  'messages in other languages': /\/share\/(?:postgresql\/)?locale\//,
  manuals: /\/share\/(?:postgresql\/)?(?:doc|man)\//,
  'languages without their interpreters': /pl(?:perl|python3?|tcl)u?(?:\.|--)/,
  'tests and debuggers of Postgres': /test_decoding|plugin_debugger|pldbgapi|pg_regress|isolationtester/,
  'embedded SQL': /\/lib(?:ecpg|pgtypes)/,
  'shader compilers for WebGPU': /(?:^|\/)(?:dxcompiler|dxil)\.dll$/,
  "Electron's own start page": /default_app\.asar$/,
  'licenses that are packed': /LICENSES\.chromium\.html$/,
  'languages that the desktop does not speak': /^locales\/(?!(?:en-US|en-GB|pt-BR|pt-PT)\.pak$)/,
};

/** The files of a package that may not ship. @param paths with slashes */
export const unwantedFiles = (paths: readonly string[]): readonly string[] =>
  Object.entries(unwanted).flatMap(([why, rule]) =>
    paths.filter((path) => rule.test(path)).map((path) => `${path}: ${why}`),
  );

/** Smaller files are not worth the comparison. */
const duplicateBytes = 64 * 1024;

/** Files of a package that exist twice. */
export const duplicateFiles = async (folder: string): Promise<readonly string[]> => {
  const found: string[] = [];
  const known = new Map<string, string>();
  for (const path of await filesIn(folder)) {
    const file = join(folder, path);
    const details = await lstat(file);
    if (!details.isFile() || details.size < duplicateBytes) continue;
    const digest = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    const first = known.get(digest);
    if (first === undefined) known.set(digest, path);
    else found.push(`${path} is ${first}`);
  }
  return found;
};

/** Texts that would reveal something about the build machine or leak secrets. */
const tellTales = [root, `${homedir()}/`, '-----BEGIN PRIVATE KEY-----\nM', 'npm_config_'];

/** Our own files that contain such texts. */
export const indiscreetFiles = async (folder: string): Promise<readonly string[]> => {
  const ours = (await filesIn(join(folder, 'resources'))).filter((path) => !path.includes('node_modules/'));
  const found: string[] = [];
  for (const path of ours) {
    // Built elsewhere.
    if (/^programs\/(?:node|node\.exe|koffi\.node|service-host\.exe)$/.test(path)) continue;
    const text = await readFile(join(folder, 'resources', path), 'latin1');
    found.push(...tellTales.filter((tale) => text.includes(tale)).map((tale) => `${path}: ${tale}`));
  }
  return found;
};
