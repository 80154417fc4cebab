import { copyFile, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandResult } from '#contracts/servers/games.ts';
import type { Game } from '#games/game.ts';
import { maskResult } from '#games/mask-command.ts';
import { whenNotBusy } from '#runtime/busy-file.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import {
  acknowledgedResult,
  encodeEntry,
  type JournalEntry,
  newHeading,
  type ReceivedCommand,
} from './journal-entry.ts';
import { openJournalFile } from './journal-file.ts';
import { type KnownCommand, replayJournal } from './replay-journal.ts';

/** The agent's commands and their progress; survives its death. All writes resolve when they are on disk. */
export interface CommandJournal extends AsyncDisposable {
  /** The same while nothing that was written is lost. */
  readonly name: string;
  find(id: string): KnownCommand | undefined;
  /** Its newest state is not on disk yet, so it must not be reported. */
  isWriting(id: string): boolean;
  /** Commands that are written and not started, in order. */
  waiting(): readonly ReceivedCommand[];
  /** Results that the API has not acknowledged. */
  results(): ReadonlyMap<string, CommandResult>;
  /** `full`: it was not accepted; the API will send it again. Only for an unknown id. */
  receive(command: ReceivedCommand): Promise<'written' | 'full'>;
  /** Call it before any byte goes to the game. */
  start(id: string): Promise<void>;
  /** Also for an unknown id, whose other entries are lost. */
  finish(id: string, result: CommandResult): Promise<void>;
  /** The API has received these results. */
  forget(ids: readonly string[]): Promise<void>;
}

const fileName = 'commands.journal';
/** Commands without an acknowledged result. */
const usualMostCommands = 1000;
const usualGrowthBytes = 4 * 1024 * 1024;
/** How long an id is remembered after its result was received. */
const rememberMs = 48 * 60 * 60 * 1000;

/** @throws {StartupError} when the journal cannot be read or written */
export const openCommandJournal = async (options: {
  readonly stateFolder: string;
  /** The owner of these commands: the agent's public key. */
  readonly agentKey: string;
  readonly log: Log;
  readonly mostCommands?: number;
  readonly growthBytes?: number;
  /** Passwords in its commands are removed from disk when they are done, even where a reply repeats them. */
  readonly game?: Pick<Game, 'maskCommand' | 'maskReply'>;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
}): Promise<CommandJournal> => {
  const { stateFolder, agentKey, log, now = Date.now, mostCommands = usualMostCommands } = options;
  const { game } = options;
  const path = join(stateFolder, fileName);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new StartupError(`The journal ${path} cannot be read: ${error.code}.`, { cause: error });
  });
  const found = replayJournal(text);
  const isForeign = found.heading !== null && found.heading.agentKey !== agentKey;
  if (isForeign) {
    await whenNotBusy(() => rename(path, `${path}.foreign`));
    log.error(
      { kept: `${path}.foreign` },
      'the journal belongs to another agent; not running its commands, starting a new journal',
    );
  }
  const { heading, commands, unknownIds, damagedLines } = isForeign ? replayJournal('') : found;
  const { name } = heading ?? newHeading(agentKey);
  if (damagedLines > 0) {
    await copyFile(path, `${path}.damaged`);
    log.error(
      { damagedLines, copy: `${path}.damaged` },
      'the journal is damaged; not running commands in doubt',
    );
  }
  if (unknownIds.length > 0)
    log.warn({ commandIds: unknownIds }, 'commands may have run when the agent died; not running them again');
  const open = new Set([...commands].filter(([, { stage }]) => stage !== 'forgotten').map(([id]) => id));

  const kept = () => {
    for (const [id, known] of commands)
      if (known.stage === 'forgotten' && now() - known.at > rememberMs) commands.delete(id);
    const entries = [...commands].flatMap(([id, known]) => entriesOf(id, known));
    return [{ kind: 'journal', name, agentKey } as const, ...entries].map(encodeEntry).join('');
  };
  const growthBytes = options.growthBytes ?? usualGrowthBytes;
  const file = await openJournalFile({ path, kept, growthBytes }).catch((error: Error) => {
    throw new StartupError(`The journal ${path} cannot be written: ${error.message}`, { cause: error });
  });
  const writing = new Set<string>();
  const write = async (entry: JournalEntry, thenRenew = false) => {
    writing.add(entry.id);
    await file.append(encodeEntry(entry), { thenRenew });
    writing.delete(entry.id);
  };
  const written = () => [...open].filter((id) => !writing.has(id));

  return {
    name,
    find: (id) => commands.get(id),
    isWriting: (id) => writing.has(id),
    waiting: () =>
      written().flatMap((id) => {
        const known = commands.get(id);
        return known?.stage === 'received' ? [known.command] : [];
      }),
    results: () =>
      new Map(
        written().flatMap((id) => {
          const known = commands.get(id);
          return known?.stage === 'result' ? [[id, known.result] as const] : [];
        }),
      ),
    async receive(command) {
      if (open.size >= mostCommands) return 'full';
      commands.set(command.id, { stage: 'received', command });
      open.add(command.id);
      await write(command);
      return 'written';
    },
    async start(id) {
      const known = commands.get(id);
      if (known?.stage !== 'received') throw new Error('only a command that waits can be started');
      commands.set(id, { stage: 'started', command: known.command });
      await write({ kind: 'started', id });
    },
    async finish(id, result) {
      const known = commands.get(id);
      const command = known !== undefined && 'command' in known ? known.command.command : '';
      const kept = game ? maskResult(game, command, result) : result;
      commands.set(id, { stage: 'result', result: kept });
      open.add(id);
      await write(
        { kind: 'result', id, result: kept },
        game !== undefined && game.maskCommand(command) !== command,
      );
    },
    async forget(ids) {
      const known = ids.flatMap((id) => {
        const command = commands.get(id);
        return command?.stage === 'result' ? [{ id, result: acknowledgedResult(command.result) }] : [];
      });
      const at = now();
      for (const { id, result } of known) {
        commands.set(id, { stage: 'forgotten', result, at });
        open.delete(id);
      }
      // It does not count as being written: its result was already on disk, and a repeated request is answered.
      const lines = known.map(({ id, result }) => encodeEntry({ kind: 'forgotten', id, result, at }));
      await Promise.all(lines.map((line) => file.append(line)));
    },
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
};

const entriesOf = (id: string, known: KnownCommand): JournalEntry[] => {
  switch (known.stage) {
    case 'received':
      return [known.command];
    case 'started':
      return [known.command, { kind: 'started', id }];
    case 'result':
      return [{ kind: 'result', id, result: known.result }];
    case 'forgotten':
      return [{ kind: 'forgotten', id, result: known.result, at: known.at }];
  }
};
