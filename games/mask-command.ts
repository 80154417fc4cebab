import type { CommandResult } from '#contracts/servers/games.ts';
import type { Game } from './game.ts';

/** Replaces a secret. */
export const mask = '***';

/** Raised when a game learns to mask more: stored commands are then masked again. */
export const maskRules = 1;

const password = 'passw(?:or)?d|passphrase';
/**
 * A word that contains one of `names`. It is matched only at the start of a word, and its end only after its middle: a word that
 * consists of nothing but names takes a time that grows with its length, not with its square or cube.
 * @param letter a character class, of the characters that words consist of
 */
export const wordWith = (names: string, letter: string): string =>
  `(?<!${letter})(?=${letter}*(?:${names}))${letter}+`;

const letter = String.raw`[\w.-]`;
const secretWord = wordWith(`${password}|secret|token|apikey`, letter);
/** Up to the next quote of the same kind; one after a backslash belongs to the value, as in JSON, if another one follows. */
const quoted = String.raw`(["'])(?:(?:\\[^]|(?!\2)[^\\])*|(?:(?!\2)[^])*)\2`;
/** `ServerAdminPassword=x`, `-password:x`, `{"password":"x"}`, in any command of any game. */
const assignment = new RegExp(String.raw`(${secretWord}["']?\s*[=:]\s*)(?:${quoted}|[^\s"'?&|]+)`, 'gi');
/** A command named after a password, such as `setpassword x`, of any plug-in; tokens are not included, since they are a currency too. */
const secretCommand = new RegExp(String.raw`^\s*/?(?:[\w-]+:)?${wordWith(password, letter)}(?=\s+\S)`, 'i');

/** Shorter ones are not hidden in replies: that would tear other words apart. */
const shortestHidden = 4;
/** A word, or text between quotes. */
const argument = /(["'])(.*?)\1|\S+/g;

/**
 * The command as it may be stored and shown once it is done; unchanged if it carries no secret.
 * @param commands each matches the start of a command that carries a secret, as far as it may be shown: everything after it is
 * masked
 * @param onSecret receives each value that is masked
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

/** The reply as it may be stored and shown: games repeat what they did not understand, or were told to set. */
export const maskReply = (command: string, reply: string, commands: readonly RegExp[]): string => {
  const secrets = new Set<string>();
  // Also in the form in which the game reads a value with backslashes.
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
