import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Linux lists formats that other programs run for it, such as Windows programs or those of other machines. */
const registered = '/proc/sys/fs/binfmt_misc';

/** Whether Linux hands a file with this name and beginning to another program (binfmt_misc in the kernel's documentation). */
export const isRunByAnother = async (path: string, head: Buffer, folder = registered): Promise<boolean> => {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (name === 'register' || name === 'status') continue;
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    if (matches(text, path, head)) return true;
  }
  return false;
};

const matches = (text: string, path: string, head: Buffer): boolean => {
  const value = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? null;
  if (!/^enabled$/m.test(text)) return false;
  const extension = value('extension');
  if (extension !== null) return path.endsWith(extension.startsWith('.') ? extension : `.${extension}`);
  const magic = Buffer.from(value('magic') ?? '', 'hex');
  const mask = Buffer.from(value('mask') ?? '', 'hex');
  const offset = Number(value('offset') ?? 0);
  return (
    magic.length > 0 &&
    magic.every((byte, index) => {
      const bits = mask[index] ?? 0xff;
      return ((head[offset + index] ?? -1) & bits) === (byte & bits);
    })
  );
};
