import { win32 } from 'node:path';

/**
 * Characters that no name on Windows may contain or end with, and the names of devices, with any extension and blanks before it
 * (learn.microsoft.com, "Naming Files, Paths, and Namespaces"; the superscript digits count, too).
 */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are meant
  /[<>:"|?*\x00-\x1F]|[. ]$|^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?: *\.| *$)/i;

/** The first part of a path that cannot be the name of a folder on Windows; undefined when all can. */
export const impossibleName = (path: string): string | undefined => {
  const { root } = win32.parse(path);
  return path
    .slice(root.length)
    .split(/[\\/]/)
    .find((name) => forbidden.test(name) || !name.isWellFormed());
};

/**
 * What Windows would read as the name of a variable: pg_ctl and initdb run Postgres through cmd.exe (pg_ctl.c, `start_postmaster`), no
 * quotes protect `%` there, and a service's command is expanded, too (learn.microsoft.com, "CreateServiceW"). Which variables there
 * are depends on the account, so each counts, and its name may hold any character; undefined when there is none.
 */
export const variableIn = (path: string): string | undefined => /%[^%]+%/.exec(path)?.[0];

/** A path without the prefix by which programs pass long paths and devices, which Postgres does not know; null when it has none. */
export const plainWindowsPath = (path: string): string | null => {
  const prefix = /^[\\/]{2}[?.][\\/]/.exec(path)?.[0];
  if (prefix === undefined) return null;
  const rest = path.slice(prefix.length);
  if (/^UNC[\\/]/i.test(rest)) return `\\\\${rest.slice(4)}`;
  return /^[a-z]:[\\/]/i.test(rest) ? rest : 'D:\\Castellan';
};
