import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

/** Everything of ours that a build may read; a name that ends in no folder is a file. */
const sources = [
  ...[
    'contracts',
    'runtime',
    'games',
    'portal',
    'server',
    'bot',
    'agent',
    'electron',
    'renderer',
    'resources',
  ],
  ...['build', 'docs', 'CHANGELOG.md', 'package.json', 'package-lock.json', 'tsconfig.base.json'],
];
/** What decides how everything is built. */
const tools = ['build', 'package.json', 'package-lock.json', 'tsconfig.base.json'];
/** npm writes it last, at each installation. */
const installed = 'node_modules/.package-lock.json';

/** Paths from the root of the checkout, with a text that changes with the file. */
export type Versions = Readonly<Record<string, string>>;

export interface Inputs {
  /** Null for a file that is not there. Own files are read once: the version is that of the first call. */
  versionOf(path: string): string | null;
  /** Of all files below these folders, and of these files; tests do not count, since no program imports one. */
  versionOfTree(...names: readonly string[]): string;
  /** The files that such a version is of. */
  filesOf(...names: readonly string[]): string[];
  /** Of the bundler, its settings, the libraries and Node. */
  readonly toolsVersion: string;
  /** Reads every source now, so that a build that follows cannot have read an older one. */
  readAll(): void;
  /** The versions of what a build has read; null if it may have read something that changed since the versions were taken. */
  versionsOf(modules: readonly string[]): Versions | null;
}

const digest = (content: string | Buffer): string => createHash('sha256').update(content).digest('base64url');

const isTest = (name: string): boolean => /\.test\.tsx?$/.test(name);

const changedAt = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs ?? null;

/** The sources of a checkout as they are when they are first asked for. */
export const openInputs = (root: string): Inputs => {
  const own = new Map<string, { readonly version: string | null; readonly changedNs: bigint | null }>();

  const read = (path: string) => {
    const known = own.get(path);
    if (known) return known;
    const file = join(root, path);
    const changedNs = changedAt(file);
    const taken = { version: changedNs === null ? null : digest(readFileSync(file)), changedNs };
    own.set(path, taken);
    return taken;
  };
  /** Libraries are many and change only as a whole, or by hand. */
  const libraryVersion = (path: string): string | null => {
    const stats = statSync(resolve(root, path), { throwIfNoEntry: false });
    return stats ? `${stats.size} ${stats.mtimeMs}` : null;
  };
  const isLibrary = (path: string): boolean => path.split(sep).includes('node_modules');
  const versionOf = (path: string) => (isLibrary(path) ? libraryVersion(path) : read(path).version);

  const filesIn = (name: string): string[] => {
    const stats = statSync(join(root, name), { throwIfNoEntry: false });
    if (!stats?.isDirectory()) return stats ? [name] : [];
    return readdirSync(join(root, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !isTest(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .sort();
  };
  const filesOf = (...names: readonly string[]) => names.flatMap(filesIn);
  const versionOfTree = (...names: readonly string[]): string =>
    digest(
      filesOf(...names)
        .map((path) => `${path} ${read(path).version}`)
        .join('\n'),
    );

  const libraries = [
    libraryVersion(installed),
    statSync(join(root, installed), { throwIfNoEntry: false }) ? read(installed).version : null,
  ];
  const toolsVersion = digest(
    JSON.stringify([versionOfTree(...tools), ...libraries, process.version, process.platform, process.arch]),
  );
  return {
    versionOf,
    versionOfTree,
    filesOf,
    toolsVersion,
    readAll: () => void versionOfTree(...sources),
    versionsOf(modules) {
      const versions: Record<string, string> = {};
      for (const path of pathsOf(root, modules)) {
        const taken = own.get(path);
        const isOwn = !isLibrary(path);
        if (isOwn && (!taken || taken.changedNs !== changedAt(join(root, path)))) return null;
        const version = versionOf(path);
        if (version === null) return null;
        versions[path] = version;
      }
      return versions;
    },
  };
};

/** Bundlers append a query to some names, and have modules that are no files: these begin with a zero, or are Node's. */
const pathsOf = (root: string, modules: readonly string[]): Set<string> =>
  new Set(
    modules
      .map((id) => id.replace(/\?.*$/s, ''))
      .filter((id) => !id.startsWith('\0') && resolve(id) === id)
      .map((id) => relative(root, id)),
  );
