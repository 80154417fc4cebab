import type { Game } from '#games/game.ts';
import { createRedactor } from '#runtime/redact.ts';
import type { Secret } from '#runtime/secret.ts';

export interface LineMask {
  /** The command is about to be given: the game may write it, with its passwords, into the lines that follow. */
  gave(command: string): void;
  mask(line: string): string;
}

/** A command that a game writes into its log, of its console or of a player. */
const quotedCommand = /^(.*?(?:\bissued server command: |\bExecuting command ')\/?)(.*)$/s;
const rememberedMs = 600_000;
const mostRemembered = 100;

/** Takes secrets out of lines before they are kept: those of the agent, of its commands, and what looks like a password. */
export const createLineMask = (
  game: Pick<Game, 'maskCommand' | 'maskReply'>,
  secrets: readonly Secret[],
  now: () => number = () => performance.now(),
): LineMask => {
  const redact = createRedactor(secrets);
  let given: { readonly command: string; readonly untilMs: number }[] = [];
  return {
    gave(command) {
      if (game.maskCommand(command) === command) return;
      given = [...given, { command, untilMs: now() + rememberedMs }].slice(-mostRemembered);
    },
    mask(line) {
      const [, before = '', command = line] = quotedCommand.exec(line) ?? [];
      let masked = `${game.maskCommand(before)}${game.maskCommand(command)}`;
      if (given.length > 0) {
        given = given.filter(({ untilMs }) => untilMs > now());
        for (const one of given) masked = game.maskReply(one.command, masked);
      }
      return redact(masked);
    },
  };
};
