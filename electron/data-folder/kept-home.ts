import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { holdHome } from '../control/held-home.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import { remove } from './move-home.ts';
import { isSameFolder, moveMarks, ofFileSystem, readMark, removeMark, writeMark } from './move-marks.ts';

/** The folder that this home was moved out of, while anything but its mark is left in it; null otherwise. */
export const keptHomeOf = async (home: string): Promise<string | null> => {
  const from = await readMark(home, 'movedFrom');
  if (from === null || (await isSameFolder(from, home))) return null;
  const to = await readMark(from, 'moved').catch(() => null);
  // Only what says itself that it was moved here is ours to speak of.
  if (to === null || !(await isSameFolder(to, home))) return null;
  return (await namesLeft(from)).length > 0 ? from : null;
};

const namesLeft = async (kept: string): Promise<string[]> =>
  (await readdir(kept)).filter((name) => name !== moveMarks.moved && !ofFileSystem.has(name));

/**
 * Removes what is left in the old folder. Its mark stays, so that whoever starts there is led to the new one.
 * @returns false when there was none
 */
export const removeKeptHome = async (home: string): Promise<boolean> => {
  const from = await keptHomeOf(home);
  if (from === null) return false;
  for (const name of await namesLeft(from)) await remove(join(from, name));
  await removeMark(home, 'movedFrom');
  return true;
};

/**
 * Whether the database of the new home was never opened there, so that the old one holds all that there is. Postgres
 * writes this file whenever it starts.
 */
export const isUntouchedSince = async (home: string, kept: string): Promise<boolean> => {
  const control = (folder: string) =>
    readFile(join(postgresFolder(folder), 'data', 'global', 'pg_control')).then(
      (bytes) => createHash('sha256').update(bytes).digest('hex'),
      () => null,
    );
  const [now, then] = await Promise.all([control(home), control(kept)]);
  return now !== null && now === then;
};

/**
 * Makes the old folder the home again. Nothing is lost by it only while the new one is untouched, and the caller runs
 * nothing in either; the copy counts as unfinished from then on.
 * @returns the old folder; null when that cannot be done
 */
export const goBack = async (home: string): Promise<string | null> => {
  const kept = await keptHomeOf(home);
  if (kept === null || !existsSync(stackEnvPath(kept)) || !(await isUntouchedSince(home, kept))) return null;
  await writeMark(kept, 'moving', home);
  await writeMark(home, 'unfinished', kept);
  await removeMark(kept, 'moved');
  return kept;
};

/** As `goBack`, for whoever does not hold the home. @throws {HomeHeldError} when somebody runs it after all */
export const holdAndGoBack = async (home: string): Promise<string | null> => {
  await using _held = await holdHome(home, 'the desktop');
  return await goBack(home);
};
