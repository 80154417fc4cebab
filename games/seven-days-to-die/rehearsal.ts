import type { GameRehearsal } from '../rehearsal-layout.ts';
import { namedSettingsFile } from './layout.ts';
import { setSevenDaysSettings, sevenDaysSetting } from './settings-file.ts';

const settingsFile = (args: readonly string[]): string => namedSettingsFile(args) ?? 'serverconfig.xml';
/** Each property of the file is also an argument, which would override it. */
const taken =
  /^-(?:ServerPort|TelnetPort|TelnetPassword|TelnetEnabled|WebDashboardPort|ControlPanelPort|ServerVisibility|UserDataFolder|SaveGameFolder)=/i;
const isWhole = (path: string): boolean => /^(?:[\\/]|[a-z]:)/i.test(path);

export const sevenDaysRehearsal: GameRehearsal = {
  leftOut: /^(?:logs?|backups?|output_log.*|\.castellan.*|.*\.(?:log|zip|tar|gz|tgz|7z|rar|bak))$/i,
  // ServerPort, and the two or three after it.
  ports: 4,
  async whyNot(server, args) {
    const odd = args.find((arg) => taken.test(arg));
    if (odd !== undefined)
      return `The start command has ${odd.replace(/=.*/s, '')}, which a copy beside the running server cannot have, too. Put it into serverconfig.xml instead.`;
    const logAt = args.findIndex((arg) => /^-logfile$/i.test(arg));
    if (logAt !== -1 && isWhole(args[logAt + 1] ?? ''))
      return 'The start command has -logfile with a path outside the folder of the server, where the copy would write over the log of the running server.';
    const content = await server.read(settingsFile(args));
    if (content === null) return `The settings ${settingsFile(args)} are not there.`;
    // Without it, worlds are in the home folder of the account that runs the game.
    const data = sevenDaysSetting(content, 'UserDataFolder');
    if (data === null || data.trim() === '')
      return 'The worlds are in the home of the account, which a copy would share. Name UserDataFolder in serverconfig.xml, a folder in that of the server.';
    return null;
  },
  settingsFile,
  change(content, { port, consolePort, inCopy }) {
    const moved = ['UserDataFolder', 'SaveGameFolder'].flatMap((name) => {
      const value = sevenDaysSetting(content, name);
      return value === null ? [] : [[name, inCopy(value)]];
    });
    return setSevenDaysSettings(content, {
      ServerPort: String(port),
      ServerVisibility: '0',
      TelnetEnabled: 'true',
      TelnetPort: String(consolePort),
      // Without a password it listens only on this machine.
      TelnetPassword: '',
      WebDashboardEnabled: 'false',
      ControlPanelEnabled: 'false',
      ...Object.fromEntries(moved),
    });
  },
};
