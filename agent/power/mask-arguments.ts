const shown = '***';
const word = String.raw`[\w.-]*(?:pass(?!ive)|pwd|secret|token|api[-_]?key|authkey|credential|gslt|setsteamaccount)[\w.-]*`;
/** `-password=x`, `?ServerAdminPassword=x?…`; values end where such lists go on. */
const assigned = new RegExp(String.raw`(${word}\s*[=:])[^?&;,\s"']+`, 'gi');
/** The value is the next argument. */
const announcing = new RegExp(`^[-+/]*${word}[=:]?$`, 'i');

/** Shorter ones would blot out ordinary words. */
const shortest = 4;

/**
 * A command line as it may be shown.
 * @param secrets that are known, such as the console's password, wherever they stand
 */
export const maskArguments = (command: readonly string[], secrets: readonly string[]): string => {
  const known = secrets.filter(({ length }) => length >= shortest);
  return command
    .map((argument, index) => {
      const before = command[index - 1];
      // The program itself may be called "pass" and masks nothing.
      if (index > 1 && before !== undefined && announcing.test(before)) return shown;
      const masked = argument.replace(assigned, `$1${shown}`);
      return quoted(known.reduce((text, secret) => text.replaceAll(secret, shown), masked));
    })
    .join(' ');
};

const quoted = (argument: string): string =>
  /^[^\s"']+$/.test(argument) ? argument : JSON.stringify(argument);
