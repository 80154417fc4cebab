import { keyAmongArguments, readLicenseKey } from '#runtime/license/read-license-key.ts';
import { readLicenseQuery } from '../vendor/license-query.ts';
import { CommandError, exitCodes } from './outcome.ts';

/** Other accounts of the machine can read arguments, so keys should not be passed as one, although that still works. */
export const licenseArgument = [
  '[id]',
  'license id; without it, the license key is asked, or read from stdin',
] as const;

/** In place of the argument, since no argument means all. */
const asked = '-';

/** A license reference or a search text: `given`, or a key that is asked for if it is absent or `-`. */
export const readReference = async (given: string = asked): Promise<string> => {
  if (given !== asked) {
    const { by } = readLicenseQuery(given);
    if (by === 'key' || by === 'mistyped-key') process.stderr.write(`${keyAmongArguments}\n`);
    return given;
  }
  const key = await readLicenseKey();
  if (key === '')
    throw new CommandError(
      'Name the license by its id, or give its key when asked or on stdin.',
      exitCodes.usage,
    );
  return key;
};
