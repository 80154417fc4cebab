import { createRedactor } from '#runtime/redact.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Game } from './game.ts';

export interface LineMask {
  /** Announces a command before it is given: the game may write it, with its passwords, into the following lines. */
  gave(command: string): void;
  mask(line: string): string;
}

/** A command from its console or from a player, as a game writes it into its log. */
const quotedCommand = /^(.*?(?:\bissued server command: |\bExecuting command ')\/?)(.*)$/s;
const rememberedMs = 600_000;
const mostRemembered = 100;

/** Removes secrets from lines before they are stored: those of the agent and of its commands, and anything that looks like a password. */
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
