import { createHash } from 'node:crypto';
import { chmod, chown, copyFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { removeHalfWritten, writeFileAtomically } from './atomic-write.ts';
import { syncFile, syncFolder } from './disk-sync.ts';
import { lockFile } from './license/record/file-lock.ts';
import { Secret } from './secret.ts';
import { keyIdOf } from './secret-box.ts';

/** Beside `.env`: every key that CONFIG_ENCRYPTION_KEY has had and that a secret may still need, the one in use included. */
export const keyRecordName = 'encryption-keys.json';

const pathIn = (home: string): string => join(home, keyRecordName);

const onlyOwner = 0o600;
/** The mode bits that give access to everyone; Windows has none. */
const others = process.platform === 'win32' ? 0 : 0o007;

const about =
  'Keys that CONFIG_ENCRYPTION_KEY in .env has had, written by Castellan. As secret as .env. To destroy the old ones: castellan key forget';

/** The id proves that no digit of the key was changed. */
const recordedKey = z
  .object({ id: z.string(), key: z.string().regex(/^[0-9a-f]{64}$/) })
  .refine(({ id, key }) => keyIdOf(new Secret(key)) === id);
const keyRecord = z.object({ keys: z.array(recordedKey) });

/**
 * - `damaged`: the file is not what was written; the keys that were still found in it are used
 * - `unusable`: it cannot be read or written, which `why` explains
 */
type KeyRecordFault = { readonly kind: 'damaged' } | { readonly kind: 'unusable'; readonly why: string };

export interface KeyRecord {
  readonly keys: readonly Secret[];
  readonly fault: KeyRecordFault | null;
}

/** Never rejects: without the file, the key in `.env` still opens what it sealed. */
export const readKeyRecord = async (home: string): Promise<KeyRecord> => {
  let text: string;
  try {
    text = await readFile(pathIn(home), 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { keys: [], fault: code === 'ENOENT' ? null : { kind: 'unusable', why: message } };
  }
  const keys = soundKeys(text);
  if (keys !== null) return { keys, fault: null };
  const found = new Set(text.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g));
  return { keys: [...found].map((key) => new Secret(key)), fault: { kind: 'damaged' } };
};

const soundKeys = (text: string): Secret[] | null => {
  try {
    return keyRecord.parse(JSON.parse(text)).keys.map(({ key }) => new Secret(key));
  } catch {
    return null;
  }
};

interface RecordingReport {
  /** The name of the copy of a damaged file; null: it was not damaged. */
  readonly damagedCopy: string | null;
  /** Other accounts could read the file; now they cannot. */
  readonly wasOpen: boolean;
}

/**
 * Ensures that the file holds these keys. It has the owner and the permissions of `.env`, without access for everyone. A damaged
 * file is copied before it is written again.
 * @param home a folder with an `.env`: a data folder, or a backup
 * @throws when the file cannot be read or written
 */
export const recordKeys = async (home: string, keys: readonly Secret[]): Promise<RecordingReport> => {
  await using lock = await lockFile(`${pathIn(home)}.lock`);
  const wasOpen = await closeToEveryone(pathIn(home));
  const { keys: known, fault } = await readKeyRecord(home);
  if (fault?.kind === 'unusable') throw new Error(fault.why);
  const knownIds = new Set(known.map(keyIdOf));
  const missing = keys.filter((key) => !knownIds.has(keyIdOf(key)));
  if (missing.length === 0 && fault === null) return { damagedCopy: null, wasOpen };
  const damagedCopy = fault === null ? null : await copyDamaged(home);
  lock.assertHeld();
  await write(home, [...missing, ...known]);
  return { damagedCopy, wasOpen };
};

/**
 * Removes keys by their ids, and what killed writes have left of the file.
 * @throws when the file cannot be read or written
 */
export const removeRecordedKeys = async (home: string, keyIds: readonly string[]): Promise<void> => {
  await using lock = await lockFile(`${pathIn(home)}.lock`);
  await removeHalfWritten(pathIn(home));
  const { keys, fault } = await readKeyRecord(home);
  if (fault?.kind === 'unusable') throw new Error(fault.why);
  const left = keys.filter((key) => !keyIds.includes(keyIdOf(key)));
  if (fault === null && left.length === keys.length) return;
  if (fault !== null) await copyDamaged(home);
  lock.assertHeld();
  await write(home, left);
};

/** Removes the copies of damaged files. @returns how many there were */
export const removeDamagedCopies = async (home: string): Promise<number> => {
  const names = await damagedCopiesIn(home);
  for (const name of names) await rm(join(home, name), { force: true });
  if (names.length > 0) await syncFolder(home);
  return names.length;
};

export const countDamagedCopies = async (home: string): Promise<number> =>
  (await damagedCopiesIn(home)).length;

const damagedCopiesIn = async (home: string): Promise<string[]> =>
  (await readdir(home)).filter((name) => damagedCopies.test(name));

const damagedCopies = /^encryption-keys\.damaged-[0-9a-f]{8}\.json$/;

/** Named after its content: a killed write that is repeated makes no second copy. */
const copyDamaged = async (home: string): Promise<string> => {
  const digest = createHash('sha256')
    .update(await readFile(pathIn(home)))
    .digest('hex');
  const name = `encryption-keys.damaged-${digest.slice(0, 8)}.json`;
  const copy = join(home, name);
  await copyFile(pathIn(home), copy);
  await takeRights(home, copy);
  await syncFile(copy);
  await syncFolder(home);
  return name;
};

const write = async (home: string, keys: readonly Secret[]): Promise<void> => {
  const entries = keys.map((key) => ({ id: keyIdOf(key), key: key.reveal().toLowerCase() }));
  const text = `${JSON.stringify({ about, keys: entries }, null, 2)}\n`;
  await writeFileAtomically(pathIn(home), text, onlyOwner);
  await takeRights(home, pathIn(home));
  await syncFolder(home);
};

/** Those of `.env`. Root may write for the account that the stack runs under. */
const takeRights = async (home: string, path: string): Promise<void> => {
  const env = await stat(join(home, '.env')).catch(() => null);
  if (env === null) return;
  if (process.getuid?.() === 0 && env.uid !== 0) await chown(path, env.uid, env.gid);
  // On Windows a mode says only whether a file can be written.
  if (process.platform !== 'win32') await chmod(path, (env.mode & 0o777 & ~others) | onlyOwner);
};

const closeToEveryone = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => null);
  if (found === null || (found.mode & others) === 0) return false;
  await chmod(path, found.mode & 0o777 & ~others);
  return true;
};
