import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { programFault } from '#contracts/kernel/program-faults.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import { processIdentity } from '../process/process-identity.ts';

export const gameExit = z.object({
  /** Null when a signal ended it, or when it was no longer a child. */
  code: z.int().nullable(),
  signal: z.string().nullable(),
});
export type GameExit = z.infer<typeof gameExit>;

/** Left on disk by a holder, for an agent that comes later and for one that no longer finds a holder. */
const holderRecord = z.object({
  launch: z.string(),
  /** Proves an agent to the holder and the holder to the agent. */
  secret: z.string(),
  boot: z.string(),
  /** Time of the launch, since the start of the machine. */
  startedMs: z.number(),
  holder: processIdentity,
  game: processIdentity.nullable(),
  /** The number of this launch's first console line. */
  firstLine: z.int(),
  /** The start command ended and the game continues without it: its exit code cannot be seen. */
  isAdopted: z.boolean(),
  /** Why there is no game; null when it was started. */
  fault: z.string().nullable(),
  /** The same if its program is not there, or cannot be loaded. Earlier holders do not say. */
  programFault: programFault.nullable().default(null).catch(null),
  /** Null while it runs. */
  ended: z.object({ exit: gameExit, ranMs: z.number(), sinceBootMs: z.number() }).nullable(),
});
export type HolderRecord = z.infer<typeof holderRecord>;

const recordPath = (powerFolder: string): string => join(powerFolder, 'holder.json');

/** Flushed to disk, safe from a power cut, when it resolves. */
export const writeHolderRecord = async (powerFolder: string, record: HolderRecord): Promise<void> => {
  await writeFileAtomically(recordPath(powerFolder), `${JSON.stringify(record)}\n`, 0o600);
  await syncFolder(powerFolder);
};

/** Null when there is none. @throws {Error} when it cannot be read: it is then unknown what runs */
export const readHolderRecord = async (powerFolder: string): Promise<HolderRecord | null> => {
  const path = recordPath(powerFolder);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`The record of the running game ${path} cannot be read: ${error.code}.`);
  });
  if (text === null) return null;
  try {
    return holderRecord.parse(JSON.parse(text));
  } catch {
    throw new Error(
      `The record of the running game ${path} is damaged. Delete it when no game server runs here any more.`,
    );
  }
};
