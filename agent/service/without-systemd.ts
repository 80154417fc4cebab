import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const readOnlyUnits =
  '/etc/systemd/system is read-only. On NixOS, declare the service in the configuration of the system, as in: castellan-agent run. On another image-based system, make /etc writable first.';

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/**
 * Which system starts services here instead of systemd, and what to do.
 * @param command that runs the agent
 * @param root of the file system
 */
export const withoutSystemd = (command: string, root = '/'): string => {
  const has = (path: string) => existsSync(join(root, path));
  // https://learn.microsoft.com/windows/wsl/systemd
  if (/microsoft/i.test(textOf(join(root, 'proc/version'))) && !has('.dockerenv'))
    return 'This is WSL: add the lines "[boot]" and "systemd=true" to /etc/wsl.conf, run in Windows: wsl --shutdown, and try again.';
  const manager = [
    ['run/openrc', 'OpenRC (a script in /etc/init.d, then rc-update add)'],
    ['run/runit', 'runit (a folder in /etc/sv, linked into /var/service)'],
    ['run/s6', 's6'],
    ['run/dinitctl', 'dinit'],
  ].find(([mark = '']) => has(mark));
  if (manager) return `Let ${manager[1]} start, as the account that owns the games: ${command}`;
  return `This may be a container. Let the container start: ${command}`;
};
