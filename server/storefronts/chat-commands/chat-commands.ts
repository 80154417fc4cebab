import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { type CommandGrammar, type CommandName, parseCommand } from './parse-command.ts';

/** A line of a game's chat by a known player. */
export interface ChatLine {
  /** The same line has the same key however often it is reported, and no other line has it. */
  readonly key: string;
  readonly serverId: string;
  readonly playerId: string;
  /** The game identified the player by an id, and not by a name that someone else may have. */
  readonly isProven: boolean;
  readonly name: string;
  readonly text: string;
  readonly at: Date;
}

/** What a player may do by the chat of a server: all, or nothing that spends, links or directs gifts. */
type ChatStatus = 'trusted' | 'untrusted' | 'newcomer';

export interface ChatCommand {
  readonly name: CommandName;
  /** It spends, links or directs gifts, so it is refused where anyone who controls the server could say it for a player. */
  readonly needsTrust?: true;
  /** @param argument what follows the word, trimmed */
  run(line: ChatLine, argument: string): Promise<void>;
  /** A line that gets no answer: from an unknown player, too old, reported again later, one of too many, or without a license. */
  passOver?(argument: string): Promise<void>;
}

export interface ChatCommandsOptions {
  readonly commands: readonly ChatCommand[];
  /** Whether commands other than `link` are answered, and how they are written. */
  readonly rules: () => Promise<CommandGrammar & { readonly isOpen: boolean }>;
  /** By the license at this moment. */
  readonly mayAct: () => boolean;
  readonly statusOf: (line: ChatLine) => Promise<ChatStatus>;
  readonly tellDistrusted: (line: ChatLine, status: Exclude<ChatStatus, 'trusted'>) => Promise<void>;
  /** Tells a player who has typed too much so, at most once a minute. */
  readonly tellTooFast: (line: ChatLine, waitMs: number) => Promise<void>;
  readonly now?: () => number;
  readonly log: Log;
}

type HeardLine = Omit<ChatLine, 'playerId'> & {
  readonly playerId: string | null;
  /** It may be reported again, with another key. */
  readonly comesAgain: boolean;
};

export interface ChatCommands extends AsyncDisposable {
  take(lines: readonly HeardLine[]): void;
  /** Resolves when every accepted line is answered. */
  idle(): Promise<void>;
}

/** An agent that was away reports what was said in between: no one waits for an answer to that any more. */
const freshMs = 120_000;
const stopDeadlineMs = 2000;
/** Each answer costs the game a command. Someone who only has the same name as a player uses up none of the player's tries. */
const playerFlood = { capacity: 5, refillMs: 10_000 };
const serverFlood = { capacity: 40, refillMs: 500 };
const warnings = { capacity: 1, refillMs: 60_000 };
const mostKeysKept = 10_000;

/** What players type into the chat of their game, such as `!shop`. */
export const createChatCommands = (options: ChatCommandsOptions): ChatCommands => {
  const { commands, rules, mayAct, statusOf, tellDistrusted, tellTooFast, now = Date.now, log } = options;
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
    if (waitMs === 0 && hasServerTries(line)) {
      const status = command.needsTrust ? await statusOf(line) : 'trusted';
      if (status === 'trusted') return command.run(line, argument);
      await command.passOver?.(argument);
      return tellDistrusted(line, status);
    }
    await command.passOver?.(argument);
    if (waitMs > 0 && warned.tryTake(player) === 0 && hasServerTries(line)) await tellTooFast(line, waitMs);
  };

  /** @param wasLicensed when the line was heard */
  const obey = async ({ playerId, comesAgain, ...line }: HeardLine, wasLicensed: boolean): Promise<void> => {
    const { isOpen, ...grammar } = await rules();
    const typed = parseCommand(line.text, grammar);
    const command = typed && commands.find(({ name }) => name === typed.command);
    if (!command || isStopping || isRepeat(line.key)) return;
    // Linking existed before the shop, and is not part of it.
    if (!isOpen && command.name !== 'link') return;
    const { argument } = typed;
    const isFresh = now() - line.at.getTime() <= freshMs;
    // While a server's agent is away its console may be heard; an agent that follows the game's log reports those lines
    // again, and one line buys once. A code in it has been read by everyone, and is used up.
    const isHeard = playerId !== null && isFresh && !comesAgain;
    if (isHeard && wasLicensed && mayAct()) await run(command, { ...line, playerId }, argument);
    else await command.passOver?.(argument);
  };

  return {
    take(lines) {
      for (const line of lines) {
        if (isStopping) return;
        const work: Promise<void> = obey(line, mayAct())
          .catch((error: unknown) => log.warn({ err: error }, 'chat command failed'))
          .finally(() => underWay.delete(work));
        underWay.add(work);
      }
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      // A game that hangs delays a whisper for longer than a stop may take.
      await Promise.race([Promise.all(underWay), delay(stopDeadlineMs, undefined, { ref: false })]);
    },
  };
};
