import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What a browser fetches before the panel shows anything, compressed by gzip at its best, in bytes. */
export interface PanelSizes {
  readonly scriptBytes: number;
  readonly styleBytes: number;
  readonly total: number;
}

/** Promised to whoever opens the panel from far away. */
export const panelBudgetBytes = 230_000;

/**
 * The first load of a panel that was built into a folder: the scripts and styles that its index.html names. What is
 * behind a lazy import comes later and does not count.
 */
export const panelSizes = async (folder: string): Promise<PanelSizes> => {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const gzipped = async (tag: RegExp): Promise<number> => {
    const names = [...page.matchAll(tag)].map(([, name = '']) => name);
    if (names.length === 0) throw new Error(`index.html names nothing that fits ${tag}`);
    const sizes = names.map(
      async (name) => gzipSync(await readFile(join(folder, name)), { level: 9 }).length,
    );
    return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
  };
  const scriptBytes = await gzipped(/(?:src|rel="modulepreload"[^>]* href)="(\.\/[^"]+\.js)"/g);
  const styleBytes = await gzipped(/href="(\.\/[^"]+\.css)"/g);
  return { scriptBytes, styleBytes, total: scriptBytes + styleBytes };
};
