import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const known = new Map<number, string | null>();

/** The account's name on Linux, including accounts of a directory service; null for a number without a name. */
export const accountName = async (uid: number): Promise<string | null> => {
  const kept = known.get(uid);
  if (kept !== undefined) return kept;
  const name = await run('getent', ['passwd', String(uid)]).then(
    ({ stdout }) => stdout.split(':')[0] || null,
    () => null,
  );
  known.set(uid, name);
  return name;
};
