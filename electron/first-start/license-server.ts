import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { isAbsent } from '#runtime/absent-file.ts';
import { StartupError } from '#runtime/program.ts';

const licenseServer = z.strictObject({ url: z.string(), publicKey: z.string() });
export type LicenseServer = z.infer<typeof licenseServer>;

/** The portal of this build, from the file beside the programs; null in a build that names none. */
export const readLicenseServer = async (programsFolder: string): Promise<LicenseServer | null> => {
  const path = join(programsFolder, 'license-server.json');
  try {
    return licenseServer.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (isAbsent(error)) return null;
    throw new StartupError(`${path} is damaged. Install Castellan again.`, { cause: error });
  }
};
