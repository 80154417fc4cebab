import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

interface PanelFile {
  readonly type: string;
  read(): Promise<Buffer>;
}

/** Each file of the built panel by its path in an address, such as `/assets/app.js`. */
export type PanelFiles = ReadonlyMap<string, PanelFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

/** Listed once: a path that is not in the list leads nowhere, however it is written, and links are not followed. */
export const listPanelFiles = async (folder: string): Promise<PanelFiles> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries.flatMap((entry): [string, PanelFile][] => {
      const type = types[extname(entry.name)];
      if (!entry.isFile() || type === undefined) return [];
      const path = join(entry.parentPath, entry.name);
      const address = `/${relative(folder, path).split(sep).join('/')}`;
      return [[address, { type, read: () => readFile(path) }]];
    }),
  );
};
