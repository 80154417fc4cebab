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

/**
 * What of a command may be kept and shown once it is done; the command itself where it carries no secret.
 * @param commands each matches the start of a command that carries a secret, as far as it may be shown: all behind it is masked
 */
export const maskSecrets = (command: string, commands: readonly RegExp[]): string => {
  for (const shown of [...commands, secretCommand]) {
    const start = shown.exec(command)?.[0];
    if (start !== undefined && command.slice(start.length).trim() !== '') return `${start.trimEnd()} ${mask}`;
  }
  return command.replace(assignment, `$1$2${mask}$2`);
};
