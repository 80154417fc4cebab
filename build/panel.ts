import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { version } from '#runtime/version.ts';
import type { Bundled } from './bundle/bundle-file.ts';

const root = resolve(import.meta.dirname, '..');

/** A module that imports one of their modules counts as importing all of them. */
const importedAsWhole = /@mantine.core.esm.components|@mantine.hooks|@tabler|@floating-ui/;

/** How the panel is built, for browsers and for the desktop: with relative addresses, so that any folder can serve it. */
export const panelConfig: InlineConfig = {
  root: join(root, 'renderer'),
  configFile: false,
  base: './',
  logLevel: 'warn',
  clearScreen: false,
  define: { 'import.meta.env.CASTELLAN_VERSION': JSON.stringify(version) },
  build: {
    target: 'es2024',
    emptyOutDir: true,
    // An inlined file would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // Otherwise all 6,000 icons are compiled, of which the panel shows a hundred.
      experimental: { lazyBarrel: true },
      output: {
        // What every first load needs is one chunk, in the order of its imports: the code that keeps schemas from being
        // compiled runs before any contract in any chunk, and many small chunks would be larger in total. Of libraries
        // that are imported as a whole, the chunk includes only what the first load itself uses. What three pages share is
        // another one: each page would otherwise load forty to a hundred small files, six at a time.
        codeSplitting: {
          groups: [
            { name: 'first', priority: 2, tags: ['$initial'], test: (id) => !importedAsWhole.test(id) },
            { name: 'shared', priority: 1, minShareCount: 3 },
          ],
        },
      },
      onLog(level, entry, report) {
        // The libraries mark what runs in browsers; here, everything does.
        if (entry.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, entry);
      },
    },
  },
};

/** Builds the panel into a folder, each compressible file with a `.br` and a `.gz` beside it. */
export const buildPanel = async (folder: string): Promise<Bundled> => {
  const read: string[] = [];
  const collect: Plugin = {
    name: 'collect-modules',
    buildEnd() {
      read.push(...this.getModuleIds());
    },
  };
  const built = await build({
    ...panelConfig,
    plugins: [collect],
    // The production build, also when a test builds it.
    define: { ...panelConfig.define, 'process.env.NODE_ENV': JSON.stringify('production') },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: { ...panelConfig.build, outDir: folder },
  });
  await Promise.all((await compressible(folder)).map(compress));
  // There is one build, for one kind of browser; Vite could also watch, or build several.
  const { output } = built as Rolldown.RolldownOutput;
  const modules = output.flatMap((file) =>
    file.type === 'chunk'
      ? file.moduleIds
      : file.originalFileNames.map((name) => resolve(root, 'renderer', name)),
  );
  return { modules, read };
};

/** Compressing a file smaller than this saves no packet. */
const worthBytes = 1024;

const compressible = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.(?:js|css|html|svg|json)$/.test(name)).map((name) => join(folder, name));
};

const compress = async (path: string): Promise<void> => {
  const plain = await readFile(path);
  if (plain.length < worthBytes) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(plain, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(plain, { level: 9 }));
};
