/** What stands in the place of a secret. */
export const mask = '***';

const password = 'passw(?:or)?d|passphrase';
/** What a word that names a secret looks like. */
const secretWord = String.raw`[\w.-]*(?:${password}|secret|token|apikey)[\w.-]*`;
/** `ServerAdminPassword=x`, `-password:x`, in any command of any game. */
const assignment = new RegExp(String.raw`(${secretWord}\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s"'?&|]+)`, 'gi');
/** A command that is called after a password, such as `setpassword x`, of any plug-in; tokens are a currency, too. */
const secretCommand = new RegExp(String.raw`^\s*/?(?:[\w-]+:)?[\w.-]*(?:${password})[\w.-]*(?=\s+\S)`, 'i');

/**
 * What of a command may be kept and shown once it is done; the command itself where it carries no secret.
 * @param commands each matches the start of a command that carries a secret, as far as it may be shown: all behind it is masked
 */
export const maskSecrets = (command: string, commands: readonly RegExp[]): string => {
  for (const shown of [...commands, secretCommand]) {
    const start = shown.exec(command)?.[0];
    if (start !== undefined && command.slice(start.length).trim() !== '') return `${start.trimEnd()} ${mask}`;
  }
  return command.replace(assignment, `$1${mask}`);
};
