import type { ConsoleEntry } from '#contracts/console.ts';

/**
 * Where the command that was sent last is.
 * - `asking`: nobody has confirmed yet that it was taken
 * - `taken`: it stands in the history, so it is the server's business now
 * - `refused`: the API said no; nothing was sent to a game
 * - `unsure`: no answer came; the history will tell
 * - `lost`: the history says that it never arrived
 */
export type Sending =
  | { readonly state: 'asking' | 'unsure'; readonly sent: SentCommand }
  | { readonly state: 'taken' | 'lost'; readonly sent: SentCommand }
  | { readonly state: 'refused'; readonly sent: SentCommand; readonly error: Error };

export interface SentCommand {
  readonly command: string;
  readonly serverIds: readonly string[];
  readonly by: { readonly kind: string; readonly id: string };
  /** Ids of commands that stood in the history already. */
  readonly wasKnown: (entryId: string) => boolean;
  /** By this device's clock, milliseconds since 1970. */
  readonly sentAtMs: number;
}

/** Whether an entry is this very command: the same words by the same person, and not there before. */
export const isOf = ({ command, by, wasKnown }: SentCommand, entry: ConsoleEntry): boolean =>
  entry.command === command &&
  entry.actor.kind === by.kind &&
  entry.actor.id === by.id &&
  !wasKnown(entry.id);

/** What the history, read after no answer came, says of the command. */
export const settle = (sending: Sending, entries: readonly ConsoleEntry[], readAtMs: number): Sending => {
  const { state, sent } = sending;
  if (state !== 'asking' && state !== 'unsure') return sending;
  if (entries.some((entry) => isOf(sent, entry))) return { state: 'taken', sent };
  return state === 'unsure' && readAtMs > sent.sentAtMs ? { state: 'lost', sent } : sending;
};
