import type { SavedCommand } from '#contracts/servers/console.ts';
import type { GameId } from '#contracts/servers/games.ts';

/**
 * The commands that typed text can complete to: saved ones of this game that start with it, the person's own earlier
 * ones, and saved ones whose name starts with it.
 */
export const completionsOf = (
  typed: string,
  saved: readonly SavedCommand[],
  game: GameId,
  earlier: readonly string[],
): readonly string[] => {
  const wanted = typed.trimStart().toLocaleLowerCase();
  if (wanted === '') return [];
  const begins = (text: string) => text.toLocaleLowerCase().startsWith(wanted);
  const fitting = saved.filter((one) => one.game === null || one.game === game);
  const all = [
    ...fitting.filter(({ command }) => begins(command)).map(({ command }) => command),
    ...earlier.filter(begins),
    ...fitting.filter(({ name }) => begins(name)).map(({ command }) => command),
  ];
  return [...new Set(all)].filter((command) => command !== typed);
};

/** A person's own commands, the newest first, without immediate repetitions. */
export const recallable = (commands: readonly string[]): readonly string[] =>
  commands.filter((command, index) => command !== commands[index - 1]);
