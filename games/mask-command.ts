import type { CommandResult } from '#contracts/games.ts';
import type { Game } from './game.ts';

/** What stands in the place of a secret. */
export const mask = '***';

const password = 'passw(?:or)?d|passphrase';
/**
 * A word that holds one of `names`. It is tried at the start of a word only, and its end is not sought before its middle:
 * a word that consists of nothing but names takes a time that grows with its length, not with its square or cube.
 * @param letter a class of characters, those that words consist of
 */
export const wordWith = (names: string, letter: string): string =>
  `(?<!${letter})(?=${letter}*(?:${names}))${letter}+`;

const letter = String.raw`[\w.-]`;
const secretWord = wordWith(`${password}|secret|token|apikey`, letter);
/** Up to the next quote of the same kind; one behind a backslash belongs to the value, as in JSON, where another follows. */
const quoted = String.raw`(["'])(?:(?:\\[^]|(?!\2)[^\\])*|(?:(?!\2)[^])*)\2`;
/** `ServerAdminPassword=x`, `-password:x`, `{"password":"x"}`, in any command of any game. */
const assignment = new RegExp(String.raw`(${secretWord}["']?\s*[=:]\s*)(?:${quoted}|[^\s"'?&|]+)`, 'gi');
/** A command that is called after a password, such as `setpassword x`, of any plug-in; tokens are a currency, too. */
const secretCommand = new RegExp(String.raw`^\s*/?(?:[\w-]+:)?${wordWith(password, letter)}(?=\s+\S)`, 'i');

/** Shorter ones are not hidden in replies: they would tear other words apart. */
const shortestHidden = 4;
/** A word, or what stands between quotes. */
const argument = /(["'])(.*?)\1|\S+/g;

/**
 * What of a command may be kept and shown once it is done; the command itself where it carries no secret.
 * @param commands each matches the start of a command that carries a secret, as far as it may be shown: all behind it is masked
 * @param onSecret is told each value that is masked
 */
export const maskSecrets = (
  command: string,
  commands: readonly RegExp[],
  onSecret: (value: string) => void = () => undefined,
): string => {
  for (const shown of [...commands, secretCommand]) {
    const start = shown.exec(command)?.[0];
    const secret = start === undefined ? '' : command.slice(start.length).trim();
    if (start === undefined || secret === '') continue;
    for (const [word, , quotedWord] of secret.matchAll(argument)) onSecret(quotedWord ?? word);
    return `${start.trimEnd()} ${mask}`;
  }
  return command.replace(assignment, (whole: string, name: string, quote = '') => {
    onSecret(whole.slice(name.length + quote.length, whole.length - quote.length));
    return `${name}${quote}${mask}${quote}`;
  });
};

/** What of a reply may be kept and shown: games repeat what they did not understand, or were told to set. */
export const maskReply = (command: string, reply: string, commands: readonly RegExp[]): string => {
  const secrets = new Set<string>();
  // Also as the game reads a value with backslashes.
  maskSecrets(command, commands, (value) => secrets.add(value).add(value.replace(/\\(.)/g, '$1')));
  return (
    [...secrets]
      .filter((value) => value.length >= shortestHidden)
      // One may be part of another.
      .sort((one, other) => other.length - one.length)
      .reduce((masked, value) => masked.replaceAll(value, mask), reply)
  );
};

export const maskResult = (
  game: Pick<Game, 'maskReply'>,
  command: string,
  result: CommandResult,
): CommandResult => ({
  ...result,
  reply: result.reply === null ? null : game.maskReply(command, result.reply),
  ...(result.logLine === undefined ? {} : { logLine: game.maskReply(command, result.logLine) }),
});
