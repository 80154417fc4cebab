const shown = '***';
const word = String.raw`[\w.-]*(?:pass(?!ive)|pwd|pw(?![a-z])|secret|token|api[-_]?key|authkey|credential|gslt|webhook|setsteamaccount)[\w.-]*`;
/** The value is the rest of the word, or ends where Unreal's lists continue: `?ServerAdminPassword=x?…`. */
const assigned = new RegExp(String.raw`(${word}["']?\s*[=:])(?:"[^"]*"?|'[^']*'?|[^?])+`, 'gi');
/** The value is the next argument. */
const announcing = new RegExp(`^[-+/]*${word}[=:]?$`, 'i');
const account = /\b([a-z][a-z\d+.-]*:\/\/)[^\s/?#@]*@/gi;
/** Anyone who knows a webhook's path can use it. */
const path = /\b([a-z][a-z\d+.-]*:\/\/[^\s/?#"']+)[/?#][^\s"']+/gi;

/** Shorter ones would blot out ordinary words. */
const shortest = 4;

/**
 * A command line as it may be shown.
 * @param secrets known ones, such as the console's password, to mask wherever they occur
 */
export const maskArguments = (command: readonly string[], secrets: readonly string[]): string => {
  const known = secrets.filter(({ length }) => length >= shortest);
  return command
    .map((argument, index) => {
      const before = command[index - 1];
      // The program itself may be called "pass" and masks nothing.
      if (index > 1 && before !== undefined && announcing.test(before)) return shown;
      const masked = argument
        .replace(assigned, `$1${shown}`)
        .replace(account, `$1${shown}@`)
        .replace(path, `$1/${shown}`);
      return quoted(known.reduce((text, secret) => text.replaceAll(secret, shown), masked));
    })
    .join(' ');
};

const quoted = (argument: string): string =>
  /^[^\s"']+$/.test(argument) ? argument : JSON.stringify(argument);
