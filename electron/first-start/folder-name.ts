import { win32 } from 'node:path';

/** What no name on Windows may have, in it or at its end, and the names of devices, with any ending. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are meant
const forbidden = /[<>:"|?*\x00-\x1F]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** The first part of a path that Windows lets no folder be called; undefined when it would take them all. */
export const impossibleName = (path: string): string | undefined => {
  const { root } = win32.parse(path);
  return path
    .slice(root.length)
    .split(/[\\/]/)
    .find((name) => forbidden.test(name));
};
