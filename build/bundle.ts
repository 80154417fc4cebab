import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const root = resolve(import.meta.dirname, '..');
const outFolder = join(root, 'dist');

/** Each program is one file that needs no node_modules but the platform's Postgres. */
const programs = {
  castellan: 'electron/headless/main.ts',
  api: 'server/main.ts',
  bot: 'bot/main.ts',
  portal: 'portal/main.ts',
  guardian: 'runtime/guardian/main.ts',
} as const;

/** Optional native speed-ups that the libraries look for and do without. */
const absentOptionals = ['pg-native', 'zlib-sync', 'bufferutil', 'utf-8-validate'];

/** Rewrites dist/ whole. */
export const bundlePrograms = async (): Promise<void> => {
  await rm(outFolder, { recursive: true, force: true });
  for (const [name, entry] of Object.entries(programs)) {
    const bundle = await rolldown({
      input: join(root, entry),
      platform: 'node',
      external: absentOptionals,
      logLevel: 'warn',
    });
    await bundle.write({
      file: join(outFolder, `${name}.mjs`),
      format: 'esm',
      codeSplitting: false,
      sourcemap: false,
      minify: { compress: true, mangle: false, codegen: false },
      banner:
        "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    });
    await bundle.close();
  }
};
