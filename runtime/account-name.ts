import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const known = new Map<number, Promise<string | null>>();

/** The account's name on Linux, including accounts of a directory service; null for a number without a name. */
export const accountName = (uid: number): Promise<string | null> => {
  // All processes of a machine ask at once, and few accounts have many of them.
  const name = known.get(uid) ?? askForName(uid);
  known.set(uid, name);
  return name;
};

const askForName = (uid: number): Promise<string | null> =>
  run('getent', ['passwd', String(uid)]).then(
    ({ stdout }) => stdout.split(':')[0] || null,
    () => null,
  );
