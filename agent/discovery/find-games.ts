import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type GameId, gameIds } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import type { GameLayout } from '#games/layout.ts';
import type { ConsoleSettings } from '#games/settings-file.ts';
import { accountName } from '#runtime/account-name.ts';
import { answers } from '#runtime/answering-folder.ts';
import { findGameFolders, gameOfFolder, type SearchOptions } from './game-folders.ts';
import { type GameManager, managerOf } from './game-manager.ts';
import { listLinuxPrograms } from './linux-programs.ts';
import type { RunningProgram } from './running-program.ts';
import { readSettingsFile } from './settings-on-disk.ts';
import { listWindowsPrograms } from './windows-programs.ts';

const listPrograms = (): Promise<readonly RunningProgram[]> =>
  process.platform === 'win32' ? listWindowsPrograms() : listLinuxPrograms();

/** A game server on this machine. */
export interface FoundGame {
  readonly game: GameId;
  readonly folder: string;
  /** Owner of the folder; null on Windows, and for a number without a name. */
  readonly account: string | null;
  /** Null when none of its processes is visible. */
  readonly program: RunningProgram | null;
  /** The process belongs to the folder's owner, to root or to this account. Any other account may merely claim to run this game. */
  readonly isBelieved: boolean;
  readonly settingsPath: string | null;
  /** Includes values from the command line; null when the file cannot be read. */
  readonly console: ConsoleSettings | null;
  /** Why `console` is null. */
  readonly consoleFault: string | null;
  readonly logFile: string | null;
  /** The program that starts and stops it, such as a panel for containers; null when none is seen. */
  readonly manager: GameManager | null;
  /** What in its settings is not as it looks, as sentences. */
  readonly notes: readonly string[];
}

/** Running ones first, then by folder. */
export const findGames = async (options: SearchOptions = {}): Promise<FoundGame[]> => {
  const { games = gameIds } = options;
  const [programs, folders] = await Promise.all([listPrograms(), findGameFolders(options)]);
  const found = new Map<string, FoundGame>();
  for (const { game, folder } of [...(await runningFolders(programs, games)), ...folders])
    if (!found.has(`${game} ${folder}`))
      found.set(`${game} ${folder}`, await describeGame(game, folder, programs));
  return [...found.values()].sort(
    (a, b) => Number(b.isBelieved) - Number(a.isBelieved) || a.folder.localeCompare(b.folder),
  );
};

const runningFolders = async (programs: readonly RunningProgram[], games: readonly GameId[]) => {
  const named = programs.flatMap((program) =>
    games.map((game) => ({ game, folder: gameOf(game).layout.folderOf(program) })),
  );
  const checked = named.map(async ({ game, folder }) => {
    const real = folder === null ? null : await realFolder(folder);
    return real !== null && (await gameOfFolder(real, [game])) === game ? [{ game, folder: real }] : [];
  });
  return (await Promise.all(checked)).flat();
};

/** Null when it does not exist, or is on a drive that does not answer. */
const realFolder = async (folder: string): Promise<string | null> =>
  (await answers(folder)) ? realpath(folder).catch(() => null) : null;

/** Everything known about the game server in this folder. */
export const describeGame = async (
  game: GameId,
  folder: string,
  programs?: readonly RunningProgram[],
): Promise<FoundGame> => {
  const layout = gameOf(game).layout;
  const { program, isBelieved } = await findRunning(game, folder, programs);
  const args = isBelieved && program ? program.command : [];
  const settingsFiles = await filesThere(folder, layout.settingsFiles(args));
  const [settingsPath = null] = settingsFiles;
  const read = await readConsole(layout, settingsPath, args);
  return {
    game,
    folder,
    account: await ownerOf(folder),
    program,
    isBelieved,
    settingsPath,
    ...read,
    logFile: (await filesThere(folder, [layout.logFile(args) ?? []].flat()))[0] ?? null,
    manager: await managerOf(folder, program),
    notes: [
      ...(read.console?.notes ?? []),
      ...settingsFiles.slice(1).map((other) => `${other} is there too; the game reads ${settingsPath}.`),
      ...(await rivalsIn(folder, layout)),
    ],
  };
};

/** The files that win over the settings file. */
const rivalsIn = async (folder: string, { rivals = [] }: GameLayout): Promise<string[]> => {
  const found: string[] = [];
  for (const { folder: place, name, note } of rivals) {
    const below = await readdir(join(folder, place)).catch(() => []);
    const paths = ['.', ...below.sort().slice(0, mostWorlds)].map((world) => join(place, world, name));
    for (const path of await filesThere(folder, paths)) found.push(`${path}: ${note}`);
  }
  return found;
};

/** The process of the game server in this folder, without a look at its files. */
export const findRunning = async (
  game: GameId,
  folder: string,
  programs?: readonly RunningProgram[],
): Promise<Pick<FoundGame, 'program' | 'isBelieved'>> => {
  const { layout } = gameOf(game);
  const ours = await programsIn(folder, layout, programs ?? (await listPrograms()));
  const believed = await believedIn(folder, ours);
  const program = (await mainOf(believed)) ?? (await mainOf(ours));
  return { program, isBelieved: program !== null && believed.includes(program) };
};

const programsIn = async (
  folder: string,
  layout: GameLayout,
  programs: readonly RunningProgram[],
): Promise<RunningProgram[]> => {
  const ours: RunningProgram[] = [];
  for (const program of programs) {
    const named = layout.folderOf(program);
    if (named !== null && (await realFolder(named)) === folder) ours.push(program);
  }
  return ours;
};

/** Any account may run a process with any command in a folder that it can enter. */
const believedIn = async (folder: string, programs: readonly RunningProgram[]): Promise<RunningProgram[]> => {
  const { uid: owner } = await stat(folder);
  return programs.filter(({ uid }) => uid === null || [owner, 0, process.getuid?.()].includes(uid));
};

/** Of a script and the game that it started, the one that listens; else the younger one. */
const mainOf = async (ours: readonly RunningProgram[]): Promise<RunningProgram | null> => {
  for (const program of ours) if ((await program.listeningPorts()).length > 0) return program;
  return ours.toSorted((a, b) => b.pid - a.pid)[0] ?? null;
};

const readConsole = async (
  layout: GameLayout,
  path: string | null,
  args: readonly string[],
): Promise<Pick<FoundGame, 'console' | 'consoleFault'>> => {
  if (path === null)
    return {
      console: null,
      consoleFault: `The settings file of the game does not exist yet. ${layout.settings.howToFill}`,
    };
  try {
    const console = {
      ...(await readSettingsFile(path, layout.settings)),
      ...layout.settings.overrides(args),
    };
    return { console, consoleFault: null };
  } catch (error) {
    return { console: null, consoleFault: (error as Error).message };
  }
};

const mostWorlds = 50;

const filesThere = async (folder: string, paths: readonly string[]): Promise<string[]> => {
  const there: string[] = [];
  for (const path of paths) {
    const whole = resolve(folder, path);
    const isFile = await stat(whole).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) there.push(whole);
  }
  return there;
};

/** The account that owns the files of a folder; null on Windows. */
export const ownerOf = async (folder: string): Promise<string | null> =>
  process.platform === 'win32' ? null : accountName((await stat(join(folder, '.'))).uid);
