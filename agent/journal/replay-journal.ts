import type { CommandResult } from '#contracts/servers/games.ts';
import {
  decodeEntry,
  decodeHeading,
  type JournalEntry,
  type JournalHeading,
  type ReceivedCommand,
  unknownResult,
} from './journal-entry.ts';

/** The progress of a command. */
export type KnownCommand =
  | { readonly stage: 'received' | 'started'; readonly command: ReceivedCommand }
  | { readonly stage: 'result'; readonly result: CommandResult }
  | { readonly stage: 'forgotten'; readonly result: CommandResult; readonly at: number };

interface Replay {
  /** Null: the journal is new, is from before journals had names, or its first line is damaged. */
  readonly heading: JournalHeading | null;
  /** In order of arrival. None is `started`: the outcome of such a command is unknown. */
  readonly commands: Map<string, KnownCommand>;
  /** Commands whose result is `unknown` because the journal does not contain it. */
  readonly unknownIds: readonly string[];
  /** Whole lines that cannot be read. */
  readonly damagedLines: number;
}

/**
 * Reads a journal after its agent's death. An end without a line feed was never confirmed to anyone and counts as not written. A
 * damaged line may have been the start of any command received before it.
 */
export const replayJournal = (text: string): Replay => {
  const commands = new Map<string, KnownCommand>();
  const unknown = new Set<string>();
  let damagedLines = 0;
  const doubt = (id: string) => {
    commands.set(id, { stage: 'result', result: unknownResult });
    unknown.add(id);
  };

  const lines = text.split('\n').slice(0, -1);
  const heading = decodeHeading(lines[0] ?? '');
  if (heading) lines.shift();
  for (const line of lines) {
    const entry = decodeEntry(line);
    if (entry) {
      apply(commands, entry);
      if (entry.kind === 'result' || entry.kind === 'forgotten') unknown.delete(entry.id);
      continue;
    }
    damagedLines += 1;
    const id = readableId(line);
    if (id !== null && !isFinished(commands.get(id))) doubt(id);
    for (const [known, { stage }] of commands) if (stage === 'received') doubt(known);
  }
  for (const [id, { stage }] of commands) if (stage === 'started') doubt(id);
  return { heading, commands, unknownIds: [...unknown], damagedLines };
};

const apply = (commands: Map<string, KnownCommand>, entry: JournalEntry) => {
  const { id } = entry;
  const known = commands.get(id);
  switch (entry.kind) {
    case 'received':
      if (!known) commands.set(id, { stage: 'received', command: entry });
      break;
    case 'started':
      if (known?.stage === 'received') commands.set(id, { stage: 'started', command: known.command });
      // The line of its receipt is lost.
      else if (!known) commands.set(id, { stage: 'result', result: unknownResult });
      break;
    case 'result':
      if (known?.stage !== 'forgotten') commands.set(id, { stage: 'result', result: entry.result });
      break;
    case 'forgotten':
      commands.set(id, { stage: 'forgotten', result: entry.result, at: entry.at });
  }
};

const isFinished = (known: KnownCommand | undefined): boolean =>
  known?.stage === 'result' || known?.stage === 'forgotten';

/** The id in a damaged line, so that its command is not carried out when it arrives again. */
const readableId = (line: string): string | null => /"id":"([^"\\]{1,64})"/.exec(line)?.[1] ?? null;
