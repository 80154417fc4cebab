import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const asked = new Map<number, Promise<string | null>>();

/**
 * The account's name on Linux, including accounts of a directory service; null for a number without a name. Asked again each time,
 * since a number may be given to another account; those who ask at once, as all processes of a machine do, share one answer.
 */
export const accountName = (uid: number): Promise<string | null> => {
  const name = asked.get(uid) ?? askForName(uid).finally(() => asked.delete(uid));
  asked.set(uid, name);
  return name;
};

const askForName = (uid: number): Promise<string | null> =>
  run('getent', ['passwd', String(uid)]).then(
    ({ stdout }) => stdout.split(':')[0] || null,
    () => null,
  );
