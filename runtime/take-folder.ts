import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { foreignHand, nameOf, writableByOthers } from './owned-path.ts';
import { isThere } from './path-access.ts';
import { knownPostgresAccount } from './postgres/account.ts';
import { StartupError } from './program.ts';
import { takeOnWindows } from './windows/take-on-windows.ts';

/** Whether there seems to be an installation in a folder: anyone may put such files there, so only its owner proves that it is ours. */
type IsInstalled = (folder: string) => boolean;

/** Of the stack or the portal. */
const isHomeInstalled: IsInstalled = (home) =>
  isThere(join(home, '.env'), home) || isThere(join(home, 'postgres', 'data'), home);

/**
 * Makes a data folder, or takes an existing one unless another account could decide what is in it (decision 0093): one without an
 * installation of ours gets our owner and rights if it is empty, and is refused if anything in it belongs to another account.
 * An installation of ours stays as it is; `foreignAccess` tells who else may change it.
 * @throws {StartupError} with the remedy
 */
export const takeFolder = (folder: string, isInstalled: IsInstalled = isHomeInstalled): Promise<void> =>
  process.platform === 'win32' ? takeOnWindows(folder, isInstalled) : takeOnLinux(folder, isInstalled);

/** Others may pass through it, but not list it. */
const homeMode = 0o711;

const takeOnLinux = async (folder: string, isInstalled: IsInstalled): Promise<void> => {
  const self = process.geteuid?.() ?? 0;
  if (isInstalled(folder)) return demandOurs(folder, self);
  await demandNoFault(foreignHand(folder, 'way'));
  await mkdir(folder, { recursive: true, mode: homeMode });
  await setOwnerAndMode(folder, self);
  await demandNoFault(foreignHand(folder));
  const stranger = await firstOfAnother(folder, [self, 0, ...(self === 0 ? knownPostgresAccount() : [])]);
  if (stranger !== null) throw new StartupError(await wordsOfStranger(folder, stranger));
};

const demandNoFault = async (looking: Promise<string | null>): Promise<void> => {
  const fault = await looking;
  if (fault !== null) throw new StartupError(fault);
};

/** Works on the opened folder, since the account that owns it could put a link in its place at any moment. */
const setOwnerAndMode = async (folder: string, self: number): Promise<void> => {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const found = await stat(folder);
  if (found.uid === self ? (found.mode & writableByOthers) === 0 : found.uid === 0) return;
  // Its owner was there first, and keeps what it has.
  const isTakeable = found.uid === self || (self === 0 && (await readdir(folder)).length === 0);
  if (!isTakeable) throw new StartupError(await wordsOfOwner(folder, found.uid));
  await using opened = await open(await realpath(folder), flags);
  if (found.uid !== self) await opened.chown(self, process.getegid?.() ?? 0);
  await opened.chmod(homeMode);
};

/** The installation counts as ours if its folder does. Each start makes `logs`, and as root gives the database away. */
const demandOurs = async (home: string, self: number): Promise<void> => {
  const [folder, settings, logs, data] = await Promise.all(
    ['.', '.env', 'logs', 'postgres/data'].map((name) => lstat(join(home, name)).catch(() => null)),
  );
  if (!folder) return;
  const isOwn = (uid: number | undefined) => uid === self || uid === 0;
  const isPlanted = settings && !isOwn(settings.uid) && (folder.mode & writableByOthers) !== 0;
  if (isOwn(folder.uid) && !isPlanted) return;
  const wasRunByRoot = self === 0 && data && settings && data.uid !== settings.uid;
  if ((logs?.isDirectory() && logs.uid === self) || wasRunByRoot) return;
  throw new StartupError(await wordsOfOwner(home, isOwn(folder.uid) ? (settings?.uid ?? 0) : folder.uid));
};

const wordsOfOwner = async (folder: string, owner: number): Promise<string> => {
  const [other, own] = await Promise.all([nameOf(owner), nameOf(process.geteuid?.() ?? 0)]);
  const remedy =
    own === 'root'
      ? `If you trust what is in it, give it to root: chown -R root "${folder}"`
      : 'Or choose another folder.';
  return `The data folder ${folder} belongs to the account ${other}, which could change what runs here as ${own}. Run this command as that account: sudo -u ${other} … ${remedy}`;
};

const wordsOfStranger = async (folder: string, { path, uid }: Stranger): Promise<string> =>
  `${path} belongs to the account ${await nameOf(uid)}, and there is no installation yet in ${folder} that could need it. Look at it, and move it away.`;

interface Stranger {
  readonly path: string;
  readonly uid: number;
}

/** The first file or folder inside that belongs to another account; no link is followed. */
export const firstOfAnother = async (
  folder: string,
  accounts: readonly number[],
): Promise<Stranger | null> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const found = await lstat(path).catch(() => null);
    if (found === null) continue;
    if (!accounts.includes(found.uid)) return { path, uid: found.uid };
    if (!entry.isDirectory()) continue;
    const inside = await firstOfAnother(path, accounts).catch((error: NodeJS.ErrnoException) => {
      // What root closes to us, such as lost+found, root looks after.
      if (error.code === 'EACCES' || error.code === 'ENOENT') return null;
      throw error;
    });
    if (inside !== null) return inside;
  }
  return null;
};
