import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isNoAccess, NoAccessError, noAccessWords } from './path-access.ts';
import { StartupError } from './program.ts';
import { takeFolder } from './take-folder.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Where an installation keeps all its files: `variable` when set, else %ProgramData%\<Name> on Windows, else
 * $XDG_DATA_HOME/<name>. For root on Linux it is /var/lib/<name>: Postgres runs under another account there, which cannot reach
 * /root.
 */
export const homeFolder = (
  name: string,
  variable: string,
  variables: Variables,
  system: { platform: NodeJS.Platform; uid: number | undefined } = {
    platform: process.platform,
    uid: process.getuid?.(),
  },
): string => {
  const chosen = variables[variable];
  if (chosen) return resolve(chosen);
  if (system.platform === 'win32') return join(variables.ProgramData ?? 'C:\\ProgramData', name);
  const folder = name.toLowerCase();
  if (variables.XDG_DATA_HOME) return join(variables.XDG_DATA_HOME, folder);
  return system.uid === 0 ? join('/var/lib', folder) : join(homedir(), '.local/share', folder);
};

/** Where the supervisor writes the log files of all components. */
export const logsFolder = (home: string): string => join(home, 'logs');

/**
 * Makes the folder and takes it (`takeFolder`), or says in one sentence why it cannot be used.
 * @throws {StartupError}
 */
export const makeHome = async (home: string): Promise<void> => {
  try {
    await takeFolder(home);
    await mkdir(logsFolder(home), { recursive: true, mode: 0o700 });
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (isNoAccess(error)) throw new NoAccessError(noAccessWords(home), { cause: error });
    throw new StartupError(`The data folder ${home} cannot be written to: ${(error as Error).message}`, {
      cause: error,
    });
  }
};
