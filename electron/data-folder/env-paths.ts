import { readFile } from 'node:fs/promises';
import { normalize, relative, resolve, sep } from 'node:path';
import { parseEnvText } from '#runtime/env.ts';
import { type EnvChanges, editEnv } from '#runtime/env-file.ts';
import { StartupError } from '#runtime/program.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { isInside } from './survey-home.ts';

/** Those of the `.env` that name files; a relative path begins at the home. */
const pathVariables = ['TLS_CERT_FILE', 'TLS_KEY_FILE'] as const;

/**
 * What has to be written into the copy's `.env`: what lies in the home moves along, and what lies elsewhere stays there.
 * @throws {StartupError} when that has to be done by hand
 */
export const envPathChanges = async (home: string): Promise<EnvChanges> => {
  const text = await readFile(stackEnvPath(home), 'utf8');
  const values = parseEnvText(text);
  const changes: Record<string, string> = {};
  for (const name of pathVariables) {
    const path = values[name];
    if (!path) continue;
    const whole = resolve(home, path);
    const wanted = isInside(whole, home) ? relative(home, whole) : whole;
    if (normalize(path) !== wanted) changes[name] = wanted.replaceAll(sep, '/');
  }
  try {
    editEnv(text, changes);
  } catch (error) {
    const names = Object.keys(changes).join(', ');
    throw new StartupError(
      `${names} in the .env cannot be rewritten for another folder: write what lies in ${home} as a path that begins ` +
        'there, and anything else in full.',
      { cause: error },
    );
  }
  return changes;
};
