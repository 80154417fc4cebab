import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A broken or very large data folder must not take for ever, nor fill a bundle. */
const mostFiles = 20_000;

/** Every file of a folder with its size and its last change, one per line; no contents. */
export const listFiles = async (folder: string): Promise<string> => {
  const lines: string[] = [];
  let left = mostFiles;
  const walk = async (path: string, shown: string): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      lines.push(`${shown}  cannot be read (${error.code})`);
      return [];
    });
    for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
      if (left === 0) return;
      left -= 1;
      const name = `${shown}${oneLine(entry.name)}`;
      if (entry.isDirectory()) await walk(join(path, entry.name), `${name}/`);
      else lines.push(`${name}  ${await describe(join(path, entry.name))}`);
    }
  };
  await walk(folder, '');
  if (left === 0) lines.push(`… (more than ${mostFiles})`);
  return `${lines.join('\n')}\n`;
};

/** A name may contain anything but a slash. */
const oneLine = (name: string): string => name.replace(/\p{Cc}/gu, '�');

const describe = async (path: string): Promise<string> => {
  try {
    const about = await lstat(path);
    const kind = about.isFile() ? '' : about.isSymbolicLink() ? ', a link' : ', no plain file';
    return `${about.size} bytes, ${about.mtime.toISOString()}${kind}`;
  } catch (error) {
    // Also when it is gone: Postgres creates and removes files all the time.
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
};
