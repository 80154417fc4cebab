import type { ConsoleEntry } from '#contracts/servers/console.ts';

/**
 * The state of the command that was sent last.
 * - `asking`: not confirmed as accepted yet
 * - `taken`: it is in the history, so the server takes care of it now
 * - `refused`: the API refused it; nothing was sent to a game
 * - `unsure`: no answer came; the history will tell
 * - `lost`: the history shows that it never arrived
 */
export type Sending =
  | { readonly state: 'asking' | 'unsure'; readonly sent: SentCommand }
  | { readonly state: 'taken' | 'lost'; readonly sent: SentCommand }
  | { readonly state: 'refused'; readonly sent: SentCommand; readonly error: Error };

export interface SentCommand {
  readonly command: string;
  readonly serverIds: readonly string[];
  readonly by: { readonly kind: string; readonly id: string };
  /** Whether an entry was in the history before. */
  readonly wasKnown: (entryId: string) => boolean;
  /** By this device's clock, milliseconds since 1970. */
  readonly sentAtMs: number;
}

/** Whether an entry is this very command: the same words by the same person, and not there before. */
const isOf = ({ command, by, wasKnown }: SentCommand, entry: ConsoleEntry): boolean =>
  entry.command === command &&
  entry.actor.kind === by.kind &&
  entry.actor.id === by.id &&
  !wasKnown(entry.id);

/** Decides by the history, read after no answer came, what happened to the command. */
export const settle = (sending: Sending, entries: readonly ConsoleEntry[], readAtMs: number): Sending => {
  const { state, sent } = sending;
  if (state !== 'asking' && state !== 'unsure') return sending;
  if (entries.some((entry) => isOf(sent, entry))) return { state: 'taken', sent };
  return state === 'unsure' && readAtMs > sent.sentAtMs ? { state: 'lost', sent } : sending;
};
