import { closeSync, openSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { StartupError } from './program.ts';

/** `closed`: something is there, or a folder on the way to it, that this account may not open. */
type PathAccess = 'there' | 'absent' | 'closed';

/** Windows answers EPERM where Linux answers EACCES. */
const closedCodes: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM']);

export const isNoAccess = (error: unknown): boolean =>
  closedCodes.has((error as { code?: unknown } | null)?.code);

/**
 * What this account finds at a path. `existsSync` calls absent what it may not see, as another account's data folder
 * (microsoft/PowerToys#6654).
 */
export const accessTo = (path: string): PathAccess => {
  try {
    // Not `access`, which ignores the lists of rights on Windows and the effective account on Linux.
    if (statSync(path).isFile()) closeSync(openSync(path, 'r'));
    return 'there';
  } catch (error) {
    if (isNoAccess(error)) return 'closed';
    // What another program has locked is there.
    return (error as NodeJS.ErrnoException).syscall === 'open' ? 'there' : 'absent';
  }
};

/** A folder that this account may not see into: nothing is known about what is in it. */
export class NoAccessError extends StartupError {}

/** For people: what is closed to whom, and whom to ask. */
export const noAccessWords = (folder: string): string => {
  const account = ownAccountName();
  const command = `icacls "${folder}" /grant "${account}:(OI)(CI)F" /T`;
  return [
    healthReasons['folder-closed'](account, folder),
    healthReasons['folder-closed-advice'],
    ...(process.platform === 'win32' ? [healthReasons['folder-closed-command'](command)] : []),
  ].join(' ');
};

const ownAccountName = (): string => {
  try {
    // biome-ignore lint/style/noProcessEnv: Windows says there whose account it is
    return accountOnWindows(userInfo().username, process.env);
  } catch {
    return `${process.geteuid?.() ?? ''}`;
  }
};

/** As `whoami` prints it: `icacls` finds an account of a domain or of Entra by no other name. Elsewhere the name alone. */
export const accountOnWindows = (
  name: string,
  { USERDOMAIN, USERNAME }: Readonly<Record<string, string | undefined>>,
): string =>
  // Of Windows itself, USERNAME is the name of the computer.
  USERDOMAIN && USERNAME?.toLowerCase() === name.toLowerCase() ? `${USERDOMAIN}\\${name}` : name;

/**
 * Whether something is at a path, which may be unreadable itself.
 * @param home the folder that is named when this account may not look
 * @throws {NoAccessError} where `existsSync` would say no
 */
export const isThere = (path: string, home: string): boolean => {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (isNoAccess(error)) throw new NoAccessError(noAccessWords(home), { cause: error });
    return false;
  }
};
