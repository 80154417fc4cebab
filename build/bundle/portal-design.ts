import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugin } from 'rolldown';

const root = resolve(import.meta.dirname, '../..');
const replaced = join(root, 'portal/pages/design-files.ts');
const patterns = [
  'renderer/kit/design/tokens.css',
  'node_modules/@fontsource-variable/{inter,jetbrains-mono}/wght.css',
  'node_modules/@fontsource-variable/{inter,jetbrains-mono}/files/*-wght-normal.woff2',
];

/** What the portal takes from the panel's look: paths from the root of the checkout. */
export const portalDesignFiles = async (): Promise<readonly string[]> =>
  (await Array.fromAsync(glob(patterns, { cwd: root }))).map((path) => path.replaceAll('\\', '/')).sort();

/** Puts the colours and fonts of the panel into the portal's bundle, which runs without a checkout. */
export const portalDesign: Plugin = {
  name: 'portal-design',
  async load(id) {
    if (resolve(id) !== replaced) return null;
    const paths = await portalDesignFiles();
    const files = await Promise.all(
      paths.map(async (path) => [path, await readFile(join(root, path), 'base64')] as const),
    );
    return `const files = ${JSON.stringify(Object.fromEntries(files))};
export const readDesignFile = (path) => {
  if (!Object.hasOwn(files, path)) throw new Error(\`the bundle lacks \${path}\`);
  return Buffer.from(files[path], 'base64');
};`;
  },
};
