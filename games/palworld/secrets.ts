import { maskReply as maskIn, maskSecrets } from '../mask-command.ts';

/** Administrators sign in through the chat, and the game logs what they type: `Ann executed the command. adminpassword x`. */
const secretCommands = [/^.{0,200}\bexecuted the command\. \/?adminpassword(?=\s)/i];

export const maskCommand = (text: string): string => maskSecrets(text, secretCommands);
export const maskReply = (text: string, reply: string): string => maskIn(text, reply, secretCommands);
