import { type GameId, games } from '#contracts/games.ts';
import { newLasts } from './lasting-draft.ts';
import { type CommandFields, newCommand } from './product-draft.ts';

type WhitelistGame = {
  [Id in GameId]: (typeof games)[Id]['hasWhitelist'] extends true ? Id : never;
}[GameId];

const ark = {
  command: 'AllowPlayerToJoinNoCheck {platformId}',
  counterCommand: 'DisallowPlayerToJoinNoCheck {platformId}',
  success: '',
  taken: '',
  warning: 'ark',
} as const;

/** A game's own whitelist commands, the replies that prove them, and what the owner must know. */
const whitelists = {
  'ark-se': ark,
  'ark-asa': ark,
  'seven-days-to-die': {
    command: 'whitelist add {platformId}',
    counterCommand: 'whitelist remove {platformId}',
    success: '',
    taken: '',
    warning: 'seven-days-to-die',
  },
  minecraft: {
    command: 'whitelist add {player}',
    counterCommand: 'whitelist remove {player}',
    success: 'Added * to the whitelist\nPlayer is already whitelisted',
    taken: 'Removed * from the whitelist\nPlayer is not whitelisted',
    warning: null,
  },
} as const satisfies Record<WhitelistGame, object>;

export const hasWhitelist = (game: GameId): game is WhitelistGame => games[game].hasWhitelist;

export const newWhitelistEntry = (game: WhitelistGame): CommandFields => {
  const { command, counterCommand, success, taken } = whitelists[game];
  return {
    ...newCommand(),
    command,
    counterCommand,
    success,
    needsPlayer: false,
    lasts: { ...newLasts('whitelist'), taken },
  };
};

/** Null: there is nothing to warn about, or the line is not a whitelist command. */
export const whitelistWarning = (game: GameId, line: { readonly command: string }) => {
  if (!hasWhitelist(game)) return null;
  const [word = '', act = ''] = line.command.trim().split(/\s+/);
  const [own = '', add = ''] = whitelists[game].command.split(' ');
  const isEntry = word.toLowerCase() === own.toLowerCase() && (add.startsWith('{') || act === add);
  return isEntry ? whitelists[game].warning : null;
};
