import { type GameLayout, isWindowsBuild } from '../layout.ts';
import { folderAbove, programPaths } from '../program-paths.ts';
import { arkAscendedSettings, arkEvolvedSettings } from './settings-file.ts';

/** ShooterGame/Binaries/<system>/<program> is below the server's folder. */
const levelsToFolder = 4;

/**
 * The folder is named after the build; a Windows server under Proton has the Windows name.
 * https://ark.wiki.gg/wiki/Server_configuration
 */
const configFolders = ['LinuxServer', 'WindowsServer', 'LinuxNoEditor', 'WindowsNoEditor'];

export const arkSettingsFiles: readonly string[] = configFolders.map(
  (name) => `ShooterGame/Saved/Config/${name}/GameUserSettings.ini`,
);
const windowsFirst = arkSettingsFiles.toSorted(
  (a, b) => Number(b.includes('/Windows')) - Number(a.includes('/Windows')),
);

const layoutOf = (programs: readonly string[]) =>
  ({
    marks: programs.map((program) => [`ShooterGame/Binaries/${program}`]),
    foreignMarks: [],
    folderOf: (program) =>
      folderAbove(
        programPaths(program),
        programs.map((path) => path.slice(path.indexOf('/') + 1).toLowerCase()),
        levelsToFolder,
      ),
    // Ascended has no build for Linux.
    settingsFiles: (args) =>
      programs.every((program) => program.endsWith('.exe')) || isWindowsBuild(args)
        ? windowsFirst
        : arkSettingsFiles,
    logFile: () => 'ShooterGame/Saved/Logs/ShooterGame.log',
    startScripts: { linux: ['start.sh', 'run.sh'], windows: ['start.bat', 'StartServer.bat', 'run.bat'] },
  }) satisfies Omit<GameLayout, 'folderNames' | 'settings'>;

export const arkEvolvedLayout: GameLayout = {
  ...layoutOf(['Linux/ShooterGameServer', 'Win64/ShooterGameServer.exe']),
  folderNames: ['ARK Survival Evolved Dedicated Server', 'ARK'],
  settings: arkEvolvedSettings,
};

export const arkAscendedLayout: GameLayout = {
  ...layoutOf(['Win64/ArkAscendedServer.exe']),
  folderNames: ['ARK Survival Ascended Dedicated Server'],
  settings: arkAscendedSettings,
};
