import { win32 } from 'node:path';

/** Characters that no name on Windows may contain or end with, and the names of devices, with any extension. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are meant
const forbidden = /[<>:"|?*\x00-\x1F]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** The first part of a path that cannot be the name of a folder on Windows; undefined when all can. */
export const impossibleName = (path: string): string | undefined => {
  const { root } = win32.parse(path);
  return path
    .slice(root.length)
    .split(/[\\/]/)
    .find((name) => forbidden.test(name));
};
