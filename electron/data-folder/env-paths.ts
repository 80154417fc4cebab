import { normalize, relative, resolve, sep } from 'node:path';
import { openEnvFile } from '#runtime/env.ts';
import { type EnvChanges, editEnv } from '#runtime/env-file.ts';
import { isInside } from '#runtime/folder-check/path-within.ts';
import { StartupError } from '#runtime/program.ts';
import { stackEnv, stackEnvPath } from '#runtime/stack-config.ts';

/** The settings in `.env` that name files; a relative path starts at the data folder. */
const pathVariables = Object.keys(stackEnv.shape).filter((name) => name.endsWith('_FILE'));

/**
 * What must be written into the copy's `.env`: files in the data folder move along, and files elsewhere stay there.
 * @throws {StartupError} when that must be done by hand
 */
export const envPathChanges = async (home: string): Promise<EnvChanges> => {
  const { text, values } = await openEnvFile(stackEnvPath(home));
  const changes: Record<string, string> = {};
  for (const name of pathVariables) {
    const path = values[name];
    if (!path) continue;
    const whole = resolve(home, path);
    const wanted = isInside(whole, home) ? relative(home, whole) : whole;
    if (normalize(path) !== wanted) changes[name] = wanted.replaceAll(sep, '/');
  }
  try {
    editEnv(text ?? '', changes);
  } catch (error) {
    const names = Object.keys(changes).join(', ');
    throw new StartupError(
      `${names} in the .env file cannot be changed for another folder. Write paths inside ${home} as paths that begin ` +
        'there, and all others in full.',
      { cause: error },
    );
  }
  return changes;
};
