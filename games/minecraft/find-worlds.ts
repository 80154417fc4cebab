import type { FoundWorlds, ServerFolder } from '../saves-layout.ts';

/** The name of a world may include folders. */
const deepest = 4;
/** Folders that are looked into; those of a plugin with a cache can be many. */
const mostFolders = 2000;

/**
 * The game reads the older one if the other is broken (minecraft.wiki/w/Java_Edition_level_format). Slime worlds are one file each,
 * beside each other in `slime_worlds` (github.com/InfernalSuite/AdvancedSlimePaper).
 */
const isLevel = (file: string): boolean =>
  file === 'level.dat' || file === 'level.dat_old' || file.endsWith('.slime');

/** Servers, loaders and plugins keep templates and caches there, which they load from elsewhere or make again. */
const programFolders = new Set([
  ...['plugins', 'mods', 'libraries', 'versions', 'cache', 'config', 'defaultconfigs', 'bundler', 'logs'],
  ...['crash-reports', 'kubejs', 'datapacks'],
]);
const isCopies = (name: string): boolean => /backup|snapshots?$/i.test(name);
const isOfProgram = (path: string): boolean =>
  path
    .split('/')
    .slice(0, -1)
    .some((name) => programFolders.has(name.toLowerCase()) || isCopies(name));

/** Worlds are often on another disk behind a link; links to folders of programs are, too. */
const mayBeWorld = (name: string): boolean =>
  !name.includes('.') && !programFolders.has(name.toLowerCase()) && !isCopies(name);

const joined = (folder: string, name: string): string => (folder === '.' ? name : `${folder}/${name}`);

/**
 * Every folder with a `level.dat`: Multiverse and others load worlds of any name (Exolius/SimpleBackup#20,
 * espidev/ebackup#69), and Paper keeps the other dimensions beside the world.
 * @param container of the worlds, `.` for the server's folder; another one is looked into, too
 * @param name of the game's own world
 */
export const findWorlds = async (
  server: ServerFolder,
  container: string,
  name: string,
): Promise<FoundWorlds> => {
  const level = joined(container, name);
  const found: string[] = [];
  const links: string[] = [];
  let lookedInto = 0;
  let isCut = false;
  const look = async (folder: string, depth: number): Promise<void> => {
    if (lookedInto >= mostFolders) {
      isCut = true;
      return;
    }
    lookedInto += 1;
    if (folder !== '.' && (await server.files(folder)).some(isLevel)) {
      found.push(folder);
      return;
    }
    const linked = (await server.links(folder)).filter(mayBeWorld);
    links.push(...linked.map((name) => joined(folder, name)));
    if (depth === deepest) return;
    // With a dot: put aside by a restore, or by another program.
    const inside = (await server.folders(folder)).filter((name) => !name.startsWith('.'));
    for (const name of inside.toSorted()) await look(joined(folder, name), depth + 1);
  };
  await look('.', 0);
  if (!found.some((path) => path === level)) await look(container, 0);

  // Opening the place says where the link leads: the game's own world is never left out.
  const main = links.includes(level) ? [level] : [];
  // A world that was just made has no level.dat yet.
  const made = await withFolders(server, [level, `${level}_nether`, `${level}_the_end`]);
  const worlds = new Set([...main, ...made, ...found.filter((path) => !isOfProgram(path))]);
  const linked = [...new Set(links)]
    .filter((path) => path !== level && !isOfProgram(path))
    .map((path) => `${path} (a link)`);
  const leftOut = [...found.filter((path) => !worlds.has(path)), ...linked];
  return {
    places: [...worlds],
    leftOut: isCut ? [...leftOut, `whatever lies beyond ${mostFolders} folders`] : leftOut,
  };
};

const withFolders = async (server: ServerFolder, paths: readonly string[]): Promise<string[]> => {
  const there: string[] = [];
  for (const path of paths) {
    const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
    const around = end < 0 ? '.' : path.slice(0, end);
    if ((await server.folders(around)).includes(path.slice(end + 1))) there.push(path);
  }
  return there;
};
