import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type CommandResult, commandResult, withoutReply } from '#contracts/servers/games.ts';
import { readJson } from '#runtime/read-json.ts';

/**
 * A line of the journal. A command goes received → started → result → forgotten; each line is on disk before its event happens or
 * is reported.
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

/**
 * The first line: names this journal and its agent. A journal without it is from before there were names. No member is called
 * `id`: an older agent treats the line as damaged and looks for the id of the command that it was about.
 */
const journalHeading = z.strictObject({
  kind: z.literal('journal'),
  name: z.string().min(1).max(64),
  agentKey: z.string(),
});
export type JournalHeading = z.infer<typeof journalHeading>;

export const newHeading = (agentKey: string): JournalHeading => ({
  kind: 'journal',
  name: randomBytes(12).toString('base64url'),
  agentKey,
});
export type ReceivedCommand = Extract<JournalEntry, { kind: 'received' }>;

export const encodeEntry = (entry: JournalEntry | JournalHeading): string => `${JSON.stringify(entry)}\n`;

/** Null for a line that is damaged. */
export const decodeEntry = (line: string): JournalEntry | null => readJson(journalEntry, line);
/** Null for a line that is not a heading. */
export const decodeHeading = (line: string): JournalHeading | null => readJson(journalHeading, line);

/** Its bytes may have reached the game, and the outcome is unknown. */
export const unknownResult: CommandResult = withoutReply('unknown', true);

/** What is kept of a result that the API has. */
export const acknowledgedResult = ({ logLine: _, ...result }: CommandResult): CommandResult => ({
  ...result,
  reply: null,
  truncated: result.truncated || result.reply !== null,
});
