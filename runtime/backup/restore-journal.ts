import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { LeftRestore } from '#contracts/desktop/desktop-restore.ts';
import { removeHalfWritten, writeFileAtomically } from '../atomic-write.ts';
import { patientRemoval, whenNotBusy } from '../busy-file.ts';
import { syncFile, syncFolder } from '../disk-sync.ts';
import { removeScratch } from './scratch-cluster.ts';
import { clusterFolder } from './take-full-backup.ts';

/** Holds the staged files; it gets its other name once everything in it is complete and proven. */
export const staging = (home: string): string => join(home, 'restore.part');
export const staged = (home: string): string => join(home, 'restore.ready');
/** Where an encrypted backup is unpacked before it is restored. */
export const unpackedIn = (home: string): string => join(home, 'restore.unpacked');
const journalName = 'restore.json';
const journalPath = (home: string): string => join(home, journalName);

const replacedName = z.string().regex(/^replaced-[\w-]+$/);

const swap = z.object({
  /** The folder in the data folder that receives the replaced files. */
  replaced: replacedName,
  /** In the order in which they are swapped; the data comes last, so that it never meets files that do not fit it. */
  items: z.array(z.string()),
  /** The rest is not known of restores by earlier versions. */
  at: z.iso.datetime().optional(),
  /** Of the program that ran with the replaced files. */
  version: z.string().optional(),
  /** When the backup was taken that took their place. */
  takenAt: z.iso.datetime().optional(),
});
/** Shaped so that earlier versions, which would look for staged files, refuse it. */
const wayBack = z.object({ back: swap.extend({ from: replacedName }) });
const journal = z.union([wayBack, swap]);

interface Swap extends z.output<typeof swap> {
  /** The folder of an earlier swap that it takes back; null for a restore. */
  readonly from: string | null;
}

const readSwap = async (path: string): Promise<Swap> => {
  const read = journal.parse(JSON.parse(await readFile(path, 'utf8')));
  return 'back' in read ? read.back : { ...read, from: null };
};

/** What a swap has left beside the files that it replaced. @throws when there is none */
export const readFinishedSwap = (replaced: string): Promise<Swap> => readSwap(join(replaced, journalName));

/** For the files that are replaced now. */
export const newReplacedName = (home: string, at: Date): string => {
  const name = `replaced-${at.toISOString().replaceAll(':', '-').slice(0, 19)}`;
  for (let count = 1; ; count += 1) {
    const numbered = count === 1 ? name : `${name}-${count}`;
    if (!existsSync(join(home, numbered))) return numbered;
  }
};

/** Decides it: from here on `finishHomeRestore` finishes the swap, whatever is killed. */
export const beginSwap = async (home: string, { from, ...content }: Swap): Promise<void> => {
  const written = from === null ? content : { back: { ...content, from } };
  await writeFileAtomically(journalPath(home), `${JSON.stringify(written)}\n`, 0o644);
  await syncFile(journalPath(home));
  await syncFolder(home);
};

/** Whether a restore was interrupted after its switch, so that nothing may start before `finishHomeRestore`. */
export const isRestoreUnfinished = (home: string): boolean => existsSync(journalPath(home));

/** What a killed restore left, by what the next holder of the data folder does with it. */
export const leftRestoreWords: Readonly<Record<LeftRestore, string>> = {
  finished: 'A restore was interrupted after it had begun to replace the data. It is finished now.',
  'finished-back':
    'The way back to before a restore was interrupted after it had begun to replace the data. It is finished now.',
  removed:
    'A restore was interrupted before it had replaced anything. Its copy of the backup is removed; the data is unchanged.',
};

/** Null if there is nothing. */
export const findLeftRestore = async (home: string): Promise<LeftRestore | null> => {
  if (isRestoreUnfinished(home)) {
    const { from } = await readSwap(journalPath(home));
    return from === null ? 'finished' : 'finished-back';
  }
  return [staging(home), staged(home), unpackedIn(home)].some((path) => existsSync(path)) ? 'removed' : null;
};

/**
 * Finishes a restore that was interrupted after its switch, and removes what one left that was interrupted before; the holder of the
 * data folder calls it before anything in it is used. Each step checks what is there, so that it may be interrupted again.
 * @returns what was done; null: nothing was left
 */
export const finishHomeRestore = async (home: string): Promise<LeftRestore | null> => {
  const left = await findLeftRestore(home);
  await rm(unpackedIn(home), patientRemoval);
  if (!isRestoreUnfinished(home)) {
    await removeStaged(home);
    await removeHalfWritten(journalPath(home));
    return left;
  }
  await finishSwap(home);
  return left;
};

/** The caller has begun it, or found one that was interrupted. */
export const finishSwap = async (home: string): Promise<void> => {
  const { replaced, items, from: earlier } = await readSwap(journalPath(home));
  const source = earlier === null ? staged(home) : join(home, earlier);
  const replacedFolder = join(home, replaced);
  for (const item of items) {
    const [from, to, aside] = [source, home, replacedFolder].map((folder) => join(folder, item));
    if (from === undefined || to === undefined || aside === undefined || !existsSync(from)) continue;
    for (const path of [to, aside]) await mkdir(dirname(path), { recursive: true, mode: 0o711 });
    // Never over the replaced files: a second file can only have come after the switch.
    if (existsSync(to)) await whenNotBusy(() => rename(to, existsSync(aside) ? `${aside}.later` : aside));
    await syncFolder(dirname(aside));
    await whenNotBusy(() => rename(from, to));
    await syncFolder(dirname(to));
  }
  if (earlier === null) await rm(source, patientRemoval);
  else await removeEmptied(source);
  await mkdir(replacedFolder, { recursive: true, mode: 0o711 });
  // There it says what was replaced, and by what.
  await whenNotBusy(() => rename(journalPath(home), join(replacedFolder, journalName)));
  await syncFolder(replacedFolder);
  await syncFolder(home);
};

/** Whatever else someone has put there stays. */
const removeEmptied = async (folder: string): Promise<void> => {
  await rm(join(folder, journalName), patientRemoval);
  for (const path of [join(folder, 'postgres'), folder]) await rmdir(path).catch(() => undefined);
};

/** The cluster in which the copy was tried may still run. */
export const removeStaged = async (home: string): Promise<void> => {
  for (const folder of [staging(home), staged(home)]) {
    if (!existsSync(folder)) continue;
    await removeScratch(join(folder, 'postgres'), clusterFolder(home));
    await rm(folder, patientRemoval);
  }
};
