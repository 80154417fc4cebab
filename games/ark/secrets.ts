import { maskReply as maskIn, maskSecrets, wordWith } from '../mask-command.ts';

/**
 * `EnableCheats <password>` makes a player an administrator, alone or after another command word, and
 * `RequestSpectator <password>` a spectator (https://ark.wiki.gg/wiki/Admin_Spectator).
 */
const secretCommands = [
  /^\s*(?:(?:admincheat|cheat|scriptcommand)\s+)?(?:enablecheats|setcheatplayer|requestadmin|requestspectator)(?=\s)/i,
  new RegExp(
    String.raw`^\s*(?:admincheat|cheat|scriptcommand)\s+${wordWith('password', String.raw`\w`)}(?=\s)`,
    'i',
  ),
];

export const maskCommand = (text: string): string => maskSecrets(text, secretCommands);
export const maskReply = (text: string, reply: string): string => maskIn(text, reply, secretCommands);
