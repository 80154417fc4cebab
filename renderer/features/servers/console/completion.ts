import type { SavedCommand } from '#contracts/console.ts';
import type { GameId } from '#contracts/games.ts';

/** Saved commands of this game whose name or command begins as what is typed; those whose command does come first. */
export const completionsOf = (
  typed: string,
  saved: readonly SavedCommand[],
  game: GameId,
): readonly SavedCommand[] => {
  const wanted = typed.trimStart().toLocaleLowerCase();
  if (wanted === '') return [];
  const begins = (text: string) => text.toLocaleLowerCase().startsWith(wanted);
  const fitting = saved.filter((one) => (one.game === null || one.game === game) && one.command !== typed);
  return [
    ...fitting.filter(({ command }) => begins(command)),
    ...fitting.filter(({ command, name }) => !begins(command) && begins(name)),
  ];
};

/** A person's own commands, the newest first, without immediate repetitions. */
export const recallable = (commands: readonly string[]): readonly string[] =>
  commands.filter((command, index) => command !== commands[index - 1]);
