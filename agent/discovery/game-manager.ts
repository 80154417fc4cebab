import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { openNamedFile } from '../folders/named-file.ts';
import type { RunningProgram } from './running-program.ts';

/** Another program that starts and stops this game server. */
export interface GameManager {
  readonly name: string;
  /** The game runs in a container, out of reach for a start from outside. */
  readonly isContainer: boolean;
}

const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';

/** Where the usual managers put their servers, with `/` and in small letters. */
const places: readonly (readonly [RegExp, GameManager])[] = [
  // https://github.com/truenas/apps/issues/2305: /var/lib/pterodactyl/volumes/<uuid>
  [new RegExp(`/volumes/${uuid}(?:/|$)`), { name: 'Pterodactyl or Pelican', isContainer: true }],
  [/\/containers\/storage\/volumes\/[^/]+\/_data(?:\/|$)/, { name: 'Podman', isContainer: true }],
  [/\/volumes\/[^/]+\/_data(?:\/|$)/, { name: 'Docker', isContainer: true }],
  // https://github.com/MCSManager/MCSManager/issues/1883
  [/\/instancedata\/[0-9a-f]{32}(?:\/|$)/, { name: 'MCSManager', isContainer: false }],
  [/\/pufferpanel\/servers\/[^/]+(?:\/|$)/, { name: 'PufferPanel', isContainer: false }],
  [
    new RegExp(`/crafty[^/]*/(?:app/)?servers/${uuid}(?:/|$)`),
    { name: 'Crafty Controller', isContainer: false },
  ],
  // https://github.com/ohmcodes/WindowsGSM.Palworld/issues/18
  [/\/servers\/\d+\/serverfiles(?:\/|$)/, { name: 'WindowsGSM', isContainer: false }],
  [/\/tcafiles\//, { name: 'TCAdmin', isContainer: false }],
];

/** Files that a manager leaves in the server's folder or in one above it. */
const marks: readonly (readonly [name: string, levels: number, GameManager])[] = [
  // https://github.com/itzg/docker-mc-backup/pull/134
  ['.rcon-cli.env', 0, { name: 'itzg/minecraft-server', isContainer: true }],
  ['.rcon-cli.yaml', 0, { name: 'itzg/minecraft-server', isContainer: true }],
  ['AMPConfig.conf', 3, { name: 'AMP', isContainer: false }],
  ['crafty_commands.txt', 2, { name: 'Crafty Controller', isContainer: false }],
];

const composeNames = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'];
const composeLevels = 2;
const mostBytes = 256 * 1024;

/** Who manages the game server in this folder, from its place, from files around it and from its process; null when no one is seen. */
export const managerOf = async (
  folder: string,
  program: Pick<RunningProgram, 'container'> | null,
): Promise<GameManager | null> => {
  const path = folder.replaceAll('\\', '/').toLowerCase();
  const container = program?.container ?? null;
  const found =
    places.find(([place]) => place.test(path))?.[1] ?? (await markedBy(folder)) ?? (await composed(folder));
  if (found) return container === null ? found : { ...found, isContainer: true };
  return container === null ? null : { name: container, isContainer: true };
};

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

const foldersFrom = (folder: string, levels: number): string[] => {
  const folders = [folder];
  while (folders.length <= levels) folders.push(dirname(folders.at(-1) ?? folder));
  return [...new Set(folders)];
};

const markedBy = async (folder: string): Promise<GameManager | null> => {
  const most = Math.max(...marks.map(([, levels]) => levels));
  for (const [level, above] of foldersFrom(folder, most).entries()) {
    const names = await namesIn(above);
    const mark = marks.find(([name, levels]) => level <= levels && names.includes(name));
    if (mark) return mark[2];
  }
  return null;
};

/** A Compose file beside or above the folder that mounts it into a container: `- ./data:/data`. */
const composed = async (folder: string): Promise<GameManager | null> => {
  for (const above of foldersFrom(folder, composeLevels))
    for (const name of composeNames) {
      const text = await textOf(join(above, name));
      if (text !== null && mounts(text, relative(above, folder), folder))
        return { name: 'Docker Compose', isContainer: true };
    }
  return null;
};

const mounts = (text: string, below: string, folder: string): boolean => {
  const names = [folder, below === '' ? '.' : below, `./${below}`].map((one) => one.replaceAll('\\', '/'));
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/#.*$/, '')
        .replace(/^[\s-]*(?:source:)?[\s"']*/, '')
        .replace(/\$\{PWD\}|\$PWD/, '.'),
    )
    .some((line) =>
      names.some(
        (name) => line.startsWith(name) && /^\/?["']?(?::\/|:[a-z]:|\s*$)/i.test(line.slice(name.length)),
      ),
    );
};

const textOf = async (path: string): Promise<string | null> => {
  try {
    await using file = await openNamedFile(path);
    const content = Buffer.alloc(mostBytes);
    const { bytesRead } = await file.read(content, 0, mostBytes, 0);
    return content.toString('utf8', 0, bytesRead);
  } catch {
    return null;
  }
};
