import { maskSecrets } from '../mask-command.ts';

const secretCommands = [
  // ServerPassword, TelnetPassword, ControlPanelPassword
  /^\s*(?:setgamepref|sg)\s+"?\w*(?:password|secret|token)\w*"?(?=\s)/i,
  /^\s*webtokens\s+add\s+(?:"[^"]*"|\S+)/i,
  /^\s*(?:createwebuser|cwu|login|logintoken)(?=\s)/i,
];

export const maskCommand = (text: string): string => maskSecrets(text, secretCommands);
