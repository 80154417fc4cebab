import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/**
 * Reads one of the panel's design files. A bundle contains them: `build/bundle/portal-design.ts` replaces this module.
 * @param path from the root of the checkout
 */
export const readDesignFile = (path: string): Buffer => readFileSync(join(root, path));
