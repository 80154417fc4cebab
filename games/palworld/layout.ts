import { type GameLayout, isWindowsBuild, type SeenProgram } from '../layout.ts';
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
  settingsFiles: (args) =>
    (isWindowsBuild(args) ? ['WindowsServer', 'LinuxServer'] : ['LinuxServer', 'WindowsServer']).map(
      (system) => `Pal/Saved/Config/${system}/PalWorldSettings.ini`,
    ),
  // https://github.com/ohmcodes/WindowsGSM.Palworld/issues/18, https://github.com/xNul/palworld-host-save-fix/issues/17,
  // https://github.com/thijsvanloef/palworld-server-docker/issues/933; the console is not among what it decides:
  // https://github.com/Bluefissure/pal-conf/issues/30
  rivals: [
    {
      folder: 'Pal/Saved/SaveGames/0',
      name: 'WorldOption.sav',
      note: 'The game takes the settings of this world from it and ignores most of PalWorldSettings.ini, except for its consoles. To change settings there, stop the game and move WorldOption.sav away.',
    },
  ],
  // The game writes to its standard output.
  logFile: () => null,
  startScripts: { linux: ['PalServer.sh', 'start.sh'], windows: ['start.bat', 'run.bat'] },
  settings: palworldSettings,
};
