import { gameDetails, type WhitelistCommands } from '#contracts/servers/game-details.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { newLasts } from './lasting-draft.ts';
import { type CommandFields, newCommand } from './product-draft.ts';

export const newWhitelistEntry = ({
  command,
  counterCommand,
  success,
  taken,
}: WhitelistCommands): CommandFields => ({
  ...newCommand(),
  command,
  counterCommand,
  success,
  needsPlayer: false,
  lasts: { ...newLasts('whitelist'), taken },
});

/** Null: the line is not a whitelist command. */
export const whitelistOf = (game: GameId, line: { readonly command: string }): WhitelistCommands | null => {
  const { whitelist } = gameDetails[game];
  const [word = '', act = ''] = line.command.trim().split(/\s+/);
  const [own = '', add = ''] = whitelist?.command.split(' ') ?? [];
  const isEntry = word.toLowerCase() === own.toLowerCase() && (add.startsWith('{') || act === add);
  return isEntry ? whitelist : null;
};
