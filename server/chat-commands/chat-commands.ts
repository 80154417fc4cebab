import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';

/** A line of a game's chat by a player who is known. */
export interface ChatLine {
  /** The same line told twice has the same key; two lines never share one. */
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
  /** What follows the exclamation mark, in lower case. */
  readonly word: string;
  /** @param argument what follows the word, without blanks around it */
  run(line: ChatLine, argument: string): Promise<void>;
  /** A line that nobody is answered: of no one who is known, too old, or without a license. */
  passOver(argument: string): Promise<void>;
}

export interface ChatCommandsOptions {
  readonly commands: readonly ChatCommand[];
  /** By the license of this moment. */
  readonly mayAct: () => boolean;
  readonly now?: () => number;
  readonly log: Log;
}

export interface ChatCommands extends AsyncDisposable {
  take(lines: readonly (Omit<ChatLine, 'playerId'> & { readonly playerId: string | null })[]): void;
}

/** An agent that was away tells what was said meanwhile: no one waits for an answer to that any more. */
const freshMs = 120_000;
const stopDeadlineMs = 2000;

/** What players type into the chat of their game as `!word …`. */
export const createChatCommands = ({
  commands,
  mayAct,
  now = Date.now,
  log,
}: ChatCommandsOptions): ChatCommands => {
  const underWay = new Set<Promise<void>>();
  let isStopping = false;

  return {
    take(lines) {
      for (const { playerId, ...line } of lines) {
        const [, word = '', argument = ''] = /^!(\S{1,32})(?:\s+(.*))?$/su.exec(line.text.trim()) ?? [];
        const command = commands.find((one) => one.word === word.toLowerCase());
        if (!command || isStopping) continue;
        const isAnswered = playerId !== null && mayAct() && now() - line.at.getTime() <= freshMs;
        const work = (isAnswered ? command.run({ ...line, playerId }, argument) : command.passOver(argument))
          .catch((error: unknown) => log.warn({ err: error, word }, 'a chat command has failed'))
          .finally(() => underWay.delete(work));
        underWay.add(work);
      }
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      // A game that hangs holds up a whisper for longer than a stop may take.
      await Promise.race([Promise.all(underWay), delay(stopDeadlineMs, undefined, { ref: false })]);
    },
  };
};
