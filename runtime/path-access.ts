import { closeSync, openSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { StartupError } from './program.ts';

/** `closed`: something is there, or a folder on the way to it, that this account may not open. */
export type PathAccess = 'there' | 'absent' | 'closed';

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
  return [
    `The account ${account} has no access to ${folder}.`,
    'If Castellan runs there for another account of this computer, sign in with that one.',
    'Otherwise ask its owner or an administrator for access, then try again.',
    ...(process.platform === 'win32'
      ? [`An administrator can give it with: icacls "${folder}" /grant "${account}:(OI)(CI)F" /T`]
      : []),
  ].join(' ');
};

const ownAccountName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `${process.geteuid?.() ?? ''}`;
  }
};

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
