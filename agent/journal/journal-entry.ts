import * as z from 'zod';
import { type CommandResult, commandResult } from '#contracts/games.ts';

/**
 * A line of the journal. A command goes received → started → result → forgotten; each line is on the disk before what it
 * speaks of happens, or is said.
 */
const journalEntry = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('received'),
    id: z.string(),
    command: z.string(),
    timeoutMs: z.number(),
    expiresInMs: z.number(),
    /** Unix time in milliseconds by this machine's clock. */
    at: z.number(),
  }),
  z.strictObject({ kind: z.literal('started'), id: z.string() }),
  z.strictObject({ kind: z.literal('result'), id: z.string(), result: commandResult }),
  /** The API has the result; the id is kept so that nothing is carried out again. */
  z.strictObject({ kind: z.literal('forgotten'), id: z.string(), result: commandResult, at: z.number() }),
]);
export type JournalEntry = z.infer<typeof journalEntry>;
export type ReceivedCommand = Extract<JournalEntry, { kind: 'received' }>;

export const encodeEntry = (entry: JournalEntry): string => `${JSON.stringify(entry)}\n`;

/** Null for a line that is damaged. */
export const decodeEntry = (line: string): JournalEntry | null => {
  try {
    return journalEntry.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    // No JSON: damaged like any other line that is none of ours.
    return null;
  }
};

/** Its bytes may have reached the game, and nobody knows what became of it. */
export const unknownResult: CommandResult = {
  outcome: 'unknown',
  reply: null,
  truncated: false,
  sent: true,
  durationMs: 0,
};

/** What is kept of a result that the API has. */
export const withoutReply = (result: CommandResult): CommandResult => ({
  ...result,
  reply: null,
  truncated: result.truncated || result.reply !== null,
});
