import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ofFileSystem } from '#runtime/postgres/database-state.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { holdHome } from '../control/held-home.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import { remove } from './move-home.ts';
import { isSameFolder, moveMarks, readMark, removeMark, writeMark } from './move-marks.ts';

/** The folder that this data folder was moved out of, while it holds more than its mark; null otherwise. */
export const keptHomeOf = async (home: string): Promise<string | null> => {
  const from = await readMark(home, 'movedFrom');
  if (from === null || (await isSameFolder(from, home))) return null;
  const to = await readMark(from, 'moved').catch(() => null);
  // Report only a folder that says itself that it was moved here.
  if (to === null || !(await isSameFolder(to, home))) return null;
  return (await namesLeft(from)).length > 0 ? from : null;
};

const namesLeft = async (kept: string): Promise<string[]> =>
  (await readdir(kept)).filter((name) => name !== moveMarks.moved && !ofFileSystem.has(name));

/**
 * Removes what is left in the old folder. Its mark stays, so that a start there is led to the new one.
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
 * Whether the database was never opened in the new data folder, so that the old one holds everything. Postgres writes
 * this file at every start.
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
 * Makes the old folder the data folder again. This loses nothing only while the new one is untouched and the caller runs
 * nothing in either; from then on the copy counts as unfinished.
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

/** Like `goBack`, for a caller that does not hold the data folder. @throws {HomeHeldError} when another program runs it */
export const holdAndGoBack = async (home: string): Promise<string | null> => {
  await using _held = await holdHome(home, 'the desktop');
  return await goBack(home);
};
