import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Texts of files by their path in a folder. */
export type FileTexts = Readonly<Record<string, string>>;

/** A data folder without a database, with what a move looks at. */
export const smallHome: FileTexts = {
  '.env': 'API_PORT=3001\nCLIENT_ID=\n',
  'license.json': '{"revision":1}',
  'logs/api.log': 'a line\n',
  'backups/2026-01-01/PG_VERSION': '18\n',
  'postgres/superuser.password': 'a password\n',
  'postgres/data/PG_VERSION': '18\n',
  'postgres/data/global/pg_control': 'control',
};

export const writeFiles = async (folder: string, files: FileTexts): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
};
