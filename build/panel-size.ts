import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What a browser fetches before the panel shows anything, compressed with gzip's best level, in bytes. */
interface PanelSizes {
  readonly scriptBytes: number;
  readonly styleBytes: number;
  readonly total: number;
  /** In addition: the fonts that the page requests immediately, which are already compressed. */
  readonly fontBytes: number;
}

/** The limit that we promise to people who open the panel from far away. */
export const panelBudgetBytes = 230_000;
export const fontBudgetBytes = 60_000;

/**
 * The first load of a panel that was built into a folder: the scripts and styles that its index.html names. What is
 * behind a lazy import comes later and does not count.
 */
export const panelSizes = async (folder: string): Promise<PanelSizes> => {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const sum = async (tag: RegExp, sizeOf: (bytes: Buffer) => number): Promise<number> => {
    const names = [...page.matchAll(tag)].map(([, name = '']) => name);
    if (names.length === 0) throw new Error(`index.html names nothing that fits ${tag}`);
    const sizes = names.map(async (name) => sizeOf(await readFile(join(folder, name))));
    return (await Promise.all(sizes)).reduce((total, bytes) => total + bytes, 0);
  };
  const gzipped = (bytes: Buffer): number => gzipSync(bytes, { level: 9 }).length;
  const scriptBytes = await sum(/(?:src|rel="modulepreload"[^>]* href)="(\.\/[^"]+\.js)"/g, gzipped);
  const styleBytes = await sum(/href="(\.\/[^"]+\.css)"/g, gzipped);
  const fontBytes = await sum(/rel="preload"[^>]* href="(\.\/[^"]+\.woff2)"/g, ({ length }) => length);
  return { scriptBytes, styleBytes, total: scriptBytes + styleBytes, fontBytes };
};
