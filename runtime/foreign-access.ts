import { join } from 'node:path';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import type { Log } from './log.ts';
import { foreignPart, nameOf } from './owned-path.ts';
import { accountNameOf, isTrusted, readFolderSecurity } from './windows/folder-security.ts';
import { ownAccount } from './windows/private-folder.ts';
import { type RunSystemProgram, runSystemProgram } from './windows/system-program.ts';

/** Someone besides us and the machine's administrators who may change a data folder or what it holds. */
interface ForeignAccess {
  /** What a person reads, with the command that ends it. */
  readonly words: string;
  /** More than one known account: a person has to look at it. */
  readonly isOpen: boolean;
}

/** What decides what runs, and what was kept. */
const looked = ['.', '.env', 'encryption-keys.json', 'license.json', 'logs', 'backups', 'servers', 'program'];

/**
 * Who else may change a data folder in use; empty if no one, or if it cannot be found out. Nothing is changed: some of it may be
 * intended.
 */
export const foreignAccess = async (home: string): Promise<ForeignAccess[]> => {
  if (process.platform === 'win32') return foreignOnWindows(home).catch(() => []);
  for (const name of looked) {
    const part = await foreignPart(join(home, name)).catch(() => null);
    if (part === null) continue;
    const own = await nameOf(process.geteuid?.() ?? 0);
    const words =
      part.owner === 'others'
        ? healthReasons['folder-open'](part.path, `chmod go-w "${part.path}"`)
        : healthReasons['folder-foreign'](await nameOf(part.owner), part.path, `chown ${own} "${part.path}"`);
    return [{ words, isOpen: true }];
  }
  return [];
};

/** Logs who else may change a data folder. The start does not wait for it: on Windows it takes seconds. */
export const warnOfForeignAccess = (home: string, log: Pick<Log, 'warn'>): void => {
  void foreignAccess(home).then((found) => {
    for (const { words } of found) log.warn(words);
  });
};

/** An account of a person or of a directory; anything else that is foreign is a group of many, such as all users. */
const singleAccount = /^S-1-(?:5-21|12-1|5-80|5-82|5-83)-/;

export const foreignOnWindows = async (
  home: string,
  run: RunSystemProgram = runSystemProgram,
): Promise<ForeignAccess[]> => {
  const own = await ownAccount(run);
  const security = await readFolderSecurity(home, 'children', run);
  const isOurs = isTrusted(own, security ?? { administrators: [] });
  const found = new Map<string, { readonly path: string; readonly command: string }>();
  for (const [path, descriptor] of security?.descriptors ?? []) {
    const { owner = null, allowed = [] } = descriptor ?? {};
    // Each account once, at the folder itself if it has rights there.
    for (const sid of allowed)
      if (!isOurs(sid) && !found.has(sid))
        found.set(sid, {
          path,
          command: `icacls "${path}" /inheritance:d /remove:g *${sid}`,
        });
    if (owner !== null && !isOurs(owner) && !found.has(owner))
      found.set(owner, { path, command: `icacls "${path}" /setowner *S-1-5-32-544` });
  }
  return Promise.all(
    Array.from(found, async ([sid, { path, command }]) => ({
      words: healthReasons['folder-foreign'](await accountNameOf(sid, run), path, command),
      isOpen: !singleAccount.test(sid),
    })),
  );
};
