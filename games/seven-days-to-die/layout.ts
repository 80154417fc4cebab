import type { GameLayout } from '../layout.ts';
import { folderAbove, programPaths } from '../program-paths.ts';
import { sevenDaysSettings } from './settings-file.ts';

const programs = ['7DaysToDieServer.x86_64', '7DaysToDieServer.exe'];
const configArgument = /^-configfile=(.+)$/i;

/** Null: the game is not told which. */
export const namedSettingsFile = (args: readonly string[]): string | null =>
  args.flatMap((arg) => configArgument.exec(arg)?.[1] ?? []).at(0) ?? null;

export const sevenDaysLayout: GameLayout = {
  marks: programs.map((program) => [program]),
  foreignMarks: [],
  steamFolders: ['7 Days to Die Dedicated Server', '7 Days To Die'],
  folderOf: (program) =>
    folderAbove(
      programPaths(program),
      programs.map((name) => name.toLowerCase()),
      1,
    ),
  settingsFiles(args) {
    const named = namedSettingsFile(args);
    // The last is LinuxGSM's name for it.
    return [...(named === null ? [] : [named]), 'serverconfig.xml', 'sdtdserver.xml'];
  },
  // Telnet shows every line that the log has.
  logFile: () => null,
  // Its own startdedicated.bat leaves the game behind by `start`, so that nothing could follow it.
  startScripts: { linux: ['startserver.sh', 'start.sh'], windows: ['start.bat'] },
  settings: sevenDaysSettings,
};
