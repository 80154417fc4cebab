import { renderCommand } from '../command-text.ts';
import type { ActionForms, GameActions } from '../game.ts';
import { readReply } from '../reply-reading.ts';
import { commandIdFor } from './ids.ts';
import { longestCommandBytes } from './limits.ts';

type Moderation = 'kick' | 'ban' | 'unban' | 'whitelist-add' | 'whitelist-remove';

/** `answer` follows the player's id in the game's reply. ARK takes no reason. */
const moderation = (command: string, answer: RegExp, reason: string): ActionForms<Moderation> => ({
  render: ({ player }: GameActions['unban']) => {
    const who = commandIdFor(player);
    return 'refused' in who ? who : renderCommand(`${command} ${who.id}`, longestCommandBytes);
  },
  read: (reply, { player }: GameActions['unban']) => {
    const who = commandIdFor(player);
    const proves = (line: string) => {
      const [id = '', ...said] = line.split(' ');
      return 'id' in who && id.toLowerCase() === who.id && said.join(' ').search(answer) === 0;
    };
    return readReply(reply, {
      proofs: [{ sign: /\b[0-9a-f]{17,32} [A-Z]/gi, proves, reason }],
      refusals: [],
    });
  },
});

export const kick = moderation('KickPlayer', /^Kicked$/i, 'The game says that it kicked the player.');
export const ban = moderation('BanPlayer', /^Banned$/i, 'The game says that it banned the player.');
export const unban = moderation('UnbanPlayer', /^Unbanned$/i, 'The game says that it lifted the ban.');
export const whitelistAdd = moderation(
  'AllowPlayerToJoinNoCheck',
  /^Allow(?:ed)? Player To Join No Check$/i,
  'The game says that the player may join.',
);
/** The game misspells the end of its answer as `No Checknned`. */
export const whitelistRemove = moderation(
  'DisallowPlayerToJoinNoCheck',
  /^Disallow(?:ed)? Player To Join No Check(?:nned)?$/i,
  'The game says that the player may not join any more.',
);
