import { join } from 'node:path';
import * as z from 'zod';
import { logsFolder } from '../home.ts';
import { isAlive } from '../live-process.ts';
import { readJsonFile } from '../read-json.ts';

/** A supervisor that does not react, as its guardian noticed. */
const freezeNote = z.object({
  pid: z.int(),
  /** When it was last heard, ISO 8601. */
  since: z.iso.datetime(),
});
export type FreezeNote = z.infer<typeof freezeNote>;

/** @param name of the supervisor's own log file: every account that runs one may write beside it */
export const freezeNotePath = (home: string, name: string): string =>
  join(logsFolder(home), `frozen-${name}.json`);

/** Null while the supervisor reacts, or is gone. */
export const readFreezeNote = async (home: string, name: string): Promise<FreezeNote | null> => {
  const note = await readJsonFile(freezeNote, freezeNotePath(home, name));
  return note && isAlive(note.pid) ? note : null;
};
