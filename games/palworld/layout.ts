import type { GameLayout, SeenProgram } from '../layout.ts';
import { folderAbove, programPaths } from '../program-paths.ts';
import { palworldSettings } from './settings-file.ts';

/** In the server's folder; each starts one of the programs below. */
const starters = ['palserver.sh', 'palserver.exe'];
/** In Pal/Binaries/<system>; named `-Test` in the first versions. */
const programs = ['linux-shipping', 'linux-test', 'win64-shipping.exe', 'win64-shipping-cmd.exe'].map(
  (name) => `palserver-${name}`,
);
const levelsToFolder = 4;

const folderOf = (program: SeenProgram): string | null => {
  const paths = programPaths(program);
  return folderAbove(paths, programs, levelsToFolder) ?? folderAbove(paths, starters, 1);
};

/** https://docs.palworldgame.com/getting-started/deploy-dedicated-server */
export const palworldLayout: GameLayout = {
  marks: [['PalServer.sh'], ['PalServer.exe']],
  foreignMarks: [],
  folderNames: ['PalServer'],
  folderOf,
  settingsFiles: () =>
    ['LinuxServer', 'WindowsServer'].map((system) => `Pal/Saved/Config/${system}/PalWorldSettings.ini`),
  // The game writes to its standard output.
  logFile: () => null,
  startScripts: { linux: ['PalServer.sh', 'start.sh'], windows: ['start.bat', 'run.bat'] },
  settings: palworldSettings,
};
