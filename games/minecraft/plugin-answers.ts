import { plainLogLine } from '../log-line.ts';

/**
 * LuckPerms works later, when RCON has already answered with nothing (LuckPerms/LuckPerms#1365, #3411); what it says is only in
 * the log, on a thread of its own: `luckperms-command-executor`, before 5.4 `luckperms-worker` or `LuckPerms-…`. Forge writes a
 * logger's name behind it (LuckPerms/LuckPerms#3454), Fabric's own layout in brackets.
 */
const said =
  /^\[[^\]]{1,60}\] \[luckperms[^\]/]{0,60}\/(?:INFO|WARN)\](?:(?: \[[^\]]{1,120}\])?: | \([^()]{1,80}\) )(?<said>\[LP\] .+)$/i;

/** Its names for itself (luckperms.net/wiki/Command-Usage), for a user named in the command. */
const onUser =
  /^\/?(?:luckperms:)?(?:lp|luckperms|perms?|permissions?) user (?:"(?<quoted>[^"]+)"|(?<bare>\S+))(?<rest> .+)?$/i;

/** Words of its commands; the first other one is the rank, the permission or the track. */
const verbs = new Set([
  ...['parent', 'permission', 'meta', 'add', 'addtemp', 'remove', 'removetemp', 'set', 'settemp', 'unset'],
  ...['unsettemp', 'addprefix', 'addsuffix', 'promote', 'demote', 'settrack', 'switchprimarygroup', 'clear'],
]);
/** What it says without naming a rank: the user is not known, or another command is not over. */
const aboutUser = /could not be found|is not a valid|unable to|error/i;

const mentions = (text: string, word: string): boolean => {
  const letters = word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(`(?:^|[^\\w.*-])${letters}(?:$|[^\\w*-])`, 'i').test(text);
};

/**
 * Reads from the log what a plug-in says to a command; null: to no command of this kind.
 * @returns a line's text if it answers the command, else null
 */
export const readPluginAnswer = (command: string): ((line: string) => string | null) | null => {
  const { quoted, bare, rest = '' } = onUser.exec(command.trim())?.groups ?? {};
  const user = quoted ?? bare;
  // Its answers name the user, also to a command with an id.
  if (user === undefined || /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(user)) return null;
  const node = rest
    .trim()
    .split(/\s+/)
    .find((word) => word !== '' && !verbs.has(word.toLowerCase()));
  return (line) => {
    const text = said.exec(plainLogLine(line) ?? '')?.groups?.said;
    if (text === undefined || !mentions(text, user)) return null;
    return node === undefined || mentions(text, node) || aboutUser.test(text) ? text : null;
  };
};
