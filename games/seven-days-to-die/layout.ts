import type { GameLayout } from '../layout.ts';
import { folderAbove, programPaths } from '../program-paths.ts';
import { sevenDaysSettings } from './settings-file.ts';

const programs = ['7DaysToDieServer.x86_64', '7DaysToDieServer.exe'];
const configArgument = /^-configfile=(.+)$/i;

/** Null: the arguments name none. */
export const namedSettingsFile = (args: readonly string[]): string | null =>
  args.flatMap((arg) => configArgument.exec(arg)?.[1] ?? []).at(0) ?? null;

export const sevenDaysLayout: GameLayout = {
  marks: programs.map((program) => [program]),
  foreignMarks: [],
  folderNames: ['7 Days to Die Dedicated Server', '7 Days To Die', '7dtd'],
  folderOf: (program) =>
    folderAbove(
      programPaths(program),
      programs.map((name) => name.toLowerCase()),
      1,
    ),
  settingsFiles(args) {
    const named = namedSettingsFile(args);
    // LinuxGSM starts the game with a file of this name, beside the one that the game brings.
    return [...(named === null ? [] : [named]), 'sdtdserver.xml', 'serverconfig.xml'];
  },
  // Telnet shows every line of the log.
  logFile: () => null,
  // The game's own startdedicated.bat detaches the game with `start`, so that nothing could follow it.
  startScripts: { linux: ['startserver.sh', 'start.sh'], windows: ['start.bat'] },
  settings: sevenDaysSettings,
};
