import { maskReply as maskIn, maskSecrets, wordWith } from '../mask-command.ts';

const secretCommands = [
  // ServerPassword, TelnetPassword, ControlPanelPassword
  new RegExp(
    String.raw`^\s*(?:setgamepref|sg)\s+"?${wordWith('password|secret|token', String.raw`\w`)}"?(?=\s)`,
    'i',
  ),
  /^\s*webtokens\s+add\s+(?:"[^"]*"|\S+)/i,
  /^\s*(?:createwebuser|cwu|login|logintoken)(?=\s)/i,
];

export const maskCommand = (text: string): string => maskSecrets(text, secretCommands);
export const maskReply = (text: string, reply: string): string => maskIn(text, reply, secretCommands);
