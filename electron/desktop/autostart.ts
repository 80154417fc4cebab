import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';
import { writeFileAtomically } from '#runtime/atomic-write.ts';

/** Passed only by autostart: begin in the tray, without opening a window. */
export const hiddenArgument = '--hidden';

export interface Autostart {
  isOn(): Promise<boolean>;
  set(on: boolean): Promise<void>;
}

/**
 * Whether the desktop starts with this user's session; only the system itself remembers it.
 * @param entry the program's file
 */
export const autostartOf = (
  app: App,
  variables: Readonly<Record<string, string | undefined>>,
  entry: string,
): Autostart => {
  // In a checkout, Electron has to be told which program to run.
  const args = app.isPackaged ? [hiddenArgument] : [entry, hiddenArgument];
  if (process.platform !== 'linux') return loginItem(app, args);
  // For root, Chromium does not start without it.
  if (app.commandLine.hasSwitch('no-sandbox')) args.unshift('--no-sandbox');
  const config = variables.XDG_CONFIG_HOME || join(homedir(), '.config');
  // An AppImage runs from a different folder each time.
  const program = variables.APPIMAGE ?? app.getPath('exe');
  return xdgAutostart(join(config, 'autostart'), [program, ...args]);
};

const loginItem = (app: App, args: readonly string[]): Autostart => ({
  async isOn() {
    // Electron parses this as a command line: without quotes, it would end at the first space.
    const path = `"${app.getPath('exe')}"`;
    const { executableWillLaunchAtLogin } = app.getLoginItemSettings({ path, args: [...args] });
    // False, too, when the user turned it off in the Task Manager.
    return executableWillLaunchAtLogin;
  },
  async set(on) {
    app.setLoginItemSettings({ openAtLogin: on, enabled: on, args: [...args] });
  },
});

/** freedesktop.org's autostart, which Electron does not support. */
export const xdgAutostart = (folder: string, command: readonly string[]): Autostart => {
  const path = join(folder, 'castellan.desktop');
  return {
    async isOn() {
      const text = await readFile(path, 'utf8').catch(() => null);
      // Desktops turn an entry off inside the file.
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

/** A word of an Exec line: quoted for it, then escaped again as every value in such a file is; `%` would start a field code. */
const execWord = (word: string): string =>
  `"${word.replaceAll(/["`$\\]/g, '\\$&')}"`.replaceAll('\\', '\\\\').replaceAll('%', '%%');
