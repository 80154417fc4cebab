import type { GameLayout } from '../layout.ts';
import { pathsOf, programPaths } from '../program-paths.ts';
import { minecraftSettings } from './settings-file.ts';

/** Java with a program to run; Forge's launcher names it in a file: `java @libraries/…/unix_args.txt nogui`. */
const isServer = (command: readonly string[]): boolean =>
  command.some(
    (word) => word === '-jar' || word.startsWith('@') || word === 'nogui' || /minecraft/i.test(word),
  );

export const minecraftLayout: GameLayout = {
  marks: [
    ['server.properties', 'eula.txt'],
    ['server.properties', 'logs/latest.log'],
  ],
  // Bedrock's server has a file of the same name and no console on the network.
  foreignMarks: ['bedrock_server', 'bedrock_server.exe'],
  folderNames: [],
  folderOf(program) {
    const isJava = programPaths(program)
      .concat(program.command[0] ?? '')
      .some((path) => /^javaw?(?:\.exe)?$/i.test(pathsOf(path).basename(path)));
    return isJava && isServer(program.command) ? program.workingFolder : null;
  },
  settingsFiles: () => ['server.properties'],
  logFile: () => 'logs/latest.log',
  startScripts: { linux: ['start.sh', 'run.sh'], windows: ['start.bat', 'run.bat'] },
  settings: minecraftSettings,
};
