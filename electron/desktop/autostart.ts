import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';
import { writeFileAtomically } from '#runtime/atomic-write.ts';

/** Given by an autostart alone: begin in the tray, with no window in anybody's way. */
export const hiddenArgument = '--hidden';

export interface Autostart {
  isOn(): Promise<boolean>;
  set(on: boolean): Promise<void>;
}

/**
 * Whether the desktop starts with the session of this user; the system itself remembers it, and nobody else.
 * @param entry the program's file
 */
export const autostartOf = (
  app: App,
  variables: Readonly<Record<string, string | undefined>>,
  entry: string,
): Autostart => {
  // A checkout is run by an Electron that has to be told of it.
  const args = app.isPackaged ? [hiddenArgument] : [entry, hiddenArgument];
  if (process.platform !== 'linux') return loginItem(app, args);
  // Root's Chromium does not start without it.
  if (app.commandLine.hasSwitch('no-sandbox')) args.unshift('--no-sandbox');
  const config = variables.XDG_CONFIG_HOME || join(homedir(), '.config');
  // An AppImage runs from a folder that is another one the next time.
  const program = variables.APPIMAGE ?? app.getPath('exe');
  return xdgAutostart(join(config, 'autostart'), [program, ...args]);
};

const loginItem = (app: App, args: readonly string[]): Autostart => ({
  async isOn() {
    // Electron looks for what it takes this to be as a command line: without quotes, it ends at the first space.
    const path = `"${app.getPath('exe')}"`;
    const { executableWillLaunchAtLogin } = app.getLoginItemSettings({ path, args: [...args] });
    // Somebody may have turned it off in the Task Manager.
    return executableWillLaunchAtLogin;
  },
  async set(on) {
    app.setLoginItemSettings({ openAtLogin: on, enabled: on, args: [...args] });
  },
});

/** freedesktop.org's autostart, which Electron does not know. */
export const xdgAutostart = (folder: string, command: readonly string[]): Autostart => {
  const path = join(folder, 'castellan.desktop');
  return {
    async isOn() {
      const text = await readFile(path, 'utf8').catch(() => null);
      // Desktops turn an entry off inside of it.
      return text !== null && !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(text);
    },
    async set(on) {
      if (!on) return rm(path, { force: true });
      await mkdir(folder, { recursive: true });
      const lines = [
        '[Desktop Entry]',
        'Type=Application',
        'Name=Castellan',
        `Exec=${command.map(execWord).join(' ')}`,
        'X-GNOME-Autostart-enabled=true',
      ];
      await writeFileAtomically(path, `${lines.join('\n')}\n`, 0o644);
    },
  };
};

/** A word of an Exec line: quoted for it, then escaped once more as every value of such a file; `%` would begin a field. */
const execWord = (word: string): string =>
  `"${word.replaceAll(/["`$\\]/g, '\\$&')}"`.replaceAll('\\', '\\\\').replaceAll('%', '%%');
