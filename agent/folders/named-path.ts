import { lstat, readlink, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writableByOthers } from '#runtime/owned-path.ts';
import { StartupError } from '#runtime/program.ts';

const sticky = 0o1000;
/** The limit of Linux. */
const mostLinks = 40;

/** A path that the machine's owner has named, as far as no other account has a say in where it leads. */
export interface NamedPath {
  /** Without the links that only root may change; other links are still in it. */
  readonly path: string;
  /**
   * The account that owns the first part that another account than root may change, which can put a link there at any moment;
   * others: several may. Null: no other account can, or this process has no rights of root's to lend.
   */
  readonly foreign: number | 'others' | null;
}

/** @throws {StartupError} for links that lead to no end */
export const followOwnLinks = async (named: string): Promise<NamedPath> => {
  const path = resolve(named);
  if (process.geteuid?.() !== 0) return { path: await realpath(path).catch(() => path), foreign: null };
  let links = 0;
  let foreign: NamedPath['foreign'] = null;
  let way = '/';
  let rest = path.split('/').filter(Boolean);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const place = join(way, name);
    const found = await lstat(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (found === null) return { path: join(place, ...rest), foreign };
    if (foreign === null && found.uid === 0 && found.isSymbolicLink()) {
      links += 1;
      if (links > mostLinks) throw new StartupError(`${named} leads through too many links.`);
      rest = [
        ...resolve(way, await readlink(place))
          .split('/')
          .filter(Boolean),
        ...rest,
      ];
      way = '/';
      continue;
    }
    if (foreign === null && found.uid !== 0) foreign = found.uid;
    // In such a folder as /tmp no one else can rename or replace what is root's.
    else if (foreign === null && (found.mode & writableByOthers) !== 0 && (found.mode & sticky) === 0)
      foreign = 'others';
    way = place;
  }
  return { path: way, foreign };
};

/** Why root does not go where another account's link leads. */
export const foreignLink = (named: string): StartupError =>
  new StartupError(
    `${named} leads through a link that another account than root may change, to something that is not that account's. Name the place itself instead of the link.`,
  );
