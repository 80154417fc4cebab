import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { modSteps } from '#contracts/servers/agent-mods.ts';
import { taskResult } from '#contracts/servers/agent-tasks.ts';
import { isDiskFull } from '#runtime/disk-space.ts';
import { parseJson } from '#runtime/read-json.ts';
import { modsManifest, modsStateFolder, readOrNone, writeForGood } from './manifest.ts';
import { ModsError } from './mods-error.ts';

/** One file that is swapped; all paths are absolute. */
export const move = z.object({
  place: z.string(),
  /** The new file; null: none is put in place. */
  fresh: z.string().nullable(),
  /** The old file; null: there was none. */
  before: z.string().nullable(),
  /** Where the old file stays for good, because someone else has changed it. */
  kept: z.string().nullable(),
});
export type Move = z.infer<typeof move>;

/**
 * - `staging`: no file of the game was touched
 * - `stopping`: still none, but the game was told to stop
 * - `swapping`: files are being swapped; a kill leads back to the old set
 * - `watching`: the new set is in place and is watched; the next start of the agent continues with that
 * - `rolling-back`: the old set is being put back
 * - `back`: the old set is in place
 * - `keeping`: the new set stays; the next start of the agent finishes that
 * - `ended`: nothing is left to do; kept so that later questions about its result are answered
 */
const stages = [
  'staging',
  'stopping',
  'swapping',
  'watching',
  'rolling-back',
  'back',
  'keeping',
  'ended',
] as const;

const changeJournal = z.object({
  version: z.literal(1),
  stage: z.enum(stages),
  task: z.string(),
  at: z.iso.datetime(),
  /** Holds the files that wait to be swapped in. */
  folder: z.string(),
  /** The folder was created with the rights of the account; earlier agents created it as root. */
  isOfAccount: z.boolean().optional(),
  moves: z.array(move),
  /** Folders that are created for new files, outer ones first. */
  made: z.array(z.string()),
  next: modsManifest.nullable(),
  notes: z.array(z.string()),
  /** When the new set was in place, in milliseconds since the start of the machine `boot`; null before that, or from an older agent. */
  newSince: z.object({ boot: z.string(), atMs: z.number() }).nullable().default(null),
  /** The game was running before, and is started again. */
  isRestarted: z.boolean(),
  /** The new set was in place for a while. */
  isRolledBack: z.boolean(),
  /** Why the old set stays. */
  failure: z
    .object({ at: z.enum(modSteps), why: z.string(), lines: z.array(z.string()), isCancelled: z.boolean() })
    .nullable(),
  result: taskResult.nullable(),
});
export type ChangeJournal = z.infer<typeof changeJournal>;

const journalPath = (stateFolder: string) => join(modsStateFolder(stateFolder), 'change.json');
const reservePath = (stateFolder: string) => join(modsStateFolder(stateFolder), 'reserve');

/** Null: no change was ever made. @throws {ModsError} */
export const readChange = async (stateFolder: string): Promise<ChangeJournal | null> => {
  const path = journalPath(stateFolder);
  const text = await readOrNone(path);
  if (text === null) return null;
  const content = parseJson(text);
  const parsed = changeJournal.safeParse(content);
  if (!parsed.success) {
    // From an agent of another version: nothing of it is left to do.
    if (z.object({ stage: z.literal('ended') }).safeParse(content).success) return null;
    throw new ModsError(
      `How far a change of the mods came cannot be read: ${path} is damaged. Bring the files of the mods in order by hand, from .castellan-mods in the folder of the server, then delete it.`,
    );
  }
  return parsed.data;
};

/** The current change, even if it was interrupted. */
export const openChange = async (stateFolder: string): Promise<ChangeJournal | null> => {
  const journal = await readChange(stateFolder);
  return journal?.stage === 'ended' ? null : journal;
};

export const writeChange = async (stateFolder: string, journal: ChangeJournal): Promise<void> => {
  const write = () => writeForGood(journalPath(stateFolder), JSON.stringify(journal));
  try {
    await write();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    await rm(reservePath(stateFolder), { force: true });
    await write();
  }
};

/** Reserves room for the journal on a disk that fills up: swapped files must not wait for it. */
export const reserveRoom = (stateFolder: string, journal: ChangeJournal): Promise<void> =>
  writeForGood(
    reservePath(stateFolder),
    randomBytes(JSON.stringify(journal).length * 2 + 65_536).toString('base64'),
  );

export const freeReserve = (stateFolder: string): Promise<void> =>
  rm(reservePath(stateFolder), { force: true });
