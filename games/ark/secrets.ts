import { maskReply as maskIn, maskSecrets } from '../mask-command.ts';

/** `EnableCheats <password>` makes a player an administrator, alone or after another command word. */
const secretCommands = [
  /^\s*(?:(?:admincheat|cheat|scriptcommand)\s+)?(?:enablecheats|setcheatplayer|requestadmin|changeadminpassword)(?=\s)/i,
];

export const maskCommand = (text: string): string => maskSecrets(text, secretCommands);
export const maskReply = (text: string, reply: string): string => maskIn(text, reply, secretCommands);
