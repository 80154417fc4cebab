import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { type CommandGrammar, type CommandName, parseCommand } from './parse-command.ts';

/** A line of a game's chat by a player who is known. */
export interface ChatLine {
  /** The same line has the same key however often it is told, and no other line has it. */
  readonly key: string;
  readonly serverId: string;
  readonly playerId: string;
  /** The game named the player by an id, and not by a name that another may bear. */
  readonly isProven: boolean;
  readonly name: string;
  readonly text: string;
  readonly at: Date;
}

export interface ChatCommand {
  readonly name: CommandName;
  /** @param argument what follows the word, without blanks around it */
  run(line: ChatLine, argument: string): Promise<void>;
  /** A line that gets no answer: from no known player, too old, told once more later, too many, or without a license. */
  passOver?(argument: string): Promise<void>;
}

export interface ChatCommandsOptions {
  readonly commands: readonly ChatCommand[];
  /** Whether commands other than `link` are answered, and how they are written. */
  readonly rules: () => Promise<CommandGrammar & { readonly isOpen: boolean }>;
  /** By the license of this moment. */
  readonly mayAct: () => boolean;
  /** Tells a player who has typed too much, at most once a minute. */
  readonly tellTooFast: (line: ChatLine, waitMs: number) => Promise<void>;
  readonly now?: () => number;
  readonly log: Log;
}

type HeardLine = Omit<ChatLine, 'playerId'> & {
  readonly playerId: string | null;
  /** It may be told once more, with another key. */
  readonly comesAgain: boolean;
};

export interface ChatCommands extends AsyncDisposable {
  take(lines: readonly HeardLine[]): void;
  /** Resolves when every line that was taken is answered. */
  idle(): Promise<void>;
}

/** An agent that was away tells what was said meanwhile: no one waits for an answer to that any more. */
const freshMs = 120_000;
const stopDeadlineMs = 2000;
/** Each answer costs the game a command. Someone who only bears a player's name uses up no tries of the player. */
const playerFlood = { capacity: 5, refillMs: 10_000 };
const serverFlood = { capacity: 40, refillMs: 500 };
const warnings = { capacity: 1, refillMs: 60_000 };
const mostKeysKept = 10_000;

/** What players type into the chat of their game, such as `!shop`. */
export const createChatCommands = (options: ChatCommandsOptions): ChatCommands => {
  const { commands, rules, mayAct, tellTooFast, now = Date.now, log } = options;
  const underWay = new Set<Promise<void>>();
  const known = new Set<string>();
  const playerTries = createTokenBuckets(playerFlood, now);
  const serverTries = createTokenBuckets(serverFlood, now);
  const warned = createTokenBuckets(warnings, now);
  let isStopping = false;

  const isRepeat = (key: string): boolean => {
    if (known.has(key)) return true;
    known.add(key);
    const [oldest] = known;
    if (known.size > mostKeysKept && oldest !== undefined) known.delete(oldest);
    return false;
  };

  const hasServerTries = ({ serverId, isProven }: ChatLine): boolean =>
    serverTries.tryTake(`${serverId} ${isProven}`) === 0;
  const run = async (command: ChatCommand, line: ChatLine, argument: string): Promise<void> => {
    const player = `${line.playerId} ${line.isProven}`;
    const waitMs = playerTries.tryTake(player);
    if (waitMs === 0 && hasServerTries(line)) return command.run(line, argument);
    await command.passOver?.(argument);
    if (waitMs > 0 && warned.tryTake(player) === 0 && hasServerTries(line)) await tellTooFast(line, waitMs);
  };

  /** @param wasLicensed when the line was heard */
  const obey = async ({ playerId, comesAgain, ...line }: HeardLine, wasLicensed: boolean): Promise<void> => {
    const { isOpen, ...grammar } = await rules();
    const typed = parseCommand(line.text, grammar);
    const command = typed && commands.find(({ name }) => name === typed.command);
    if (!command || isStopping || isRepeat(line.key)) return;
    // Linking was there before the shop, and is no part of it.
    if (!isOpen && command.name !== 'link') return;
    const { argument } = typed;
    const isFresh = now() - line.at.getTime() <= freshMs;
    // While a server's agent is away its console may be heard; an agent that follows the game's log tells those lines again, and
    // one line buys once. A code in it has been read by all, and is used up.
    const isHeard = playerId !== null && isFresh && !comesAgain;
    if (isHeard && wasLicensed && mayAct()) await run(command, { ...line, playerId }, argument);
    else await command.passOver?.(argument);
  };

  return {
    take(lines) {
      for (const line of lines) {
        if (isStopping) return;
        const work: Promise<void> = obey(line, mayAct())
          .catch((error: unknown) => log.warn({ err: error }, 'a chat command has failed'))
          .finally(() => underWay.delete(work));
        underWay.add(work);
      }
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      // A game that hangs holds up a whisper for longer than a stop may take.
      await Promise.race([Promise.all(underWay), delay(stopDeadlineMs, undefined, { ref: false })]);
    },
  };
};
