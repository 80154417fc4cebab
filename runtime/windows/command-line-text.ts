/** One argument in the form that Windows programs parse: in quotes where necessary, with the backslashes before a quote doubled. */
const quoted = (argument: string): string => {
  if (argument !== '' && !/[\s"]/.test(argument)) return argument;
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
};

/** The program is always quoted: unquoted, `C:\Program Files\…` would start `C:\Program.exe` instead. */
export const commandLineText = (program: string, args: readonly string[]): string =>
  [`"${program}"`, ...args.map(quoted)].join(' ');

/** The arguments of a command line, by the same rules. */
export const splitCommandLine = (text: string): string[] => {
  const args: string[] = [];
  let current: string | null = null;
  let inQuotes = false;
  let index = 0;
  while (index < text.length) {
    const backslashes = /^\\*/.exec(text.slice(index))?.[0].length ?? 0;
    index += backslashes;
    const character = text[index];
    if (character === '"') {
      current = (current ?? '') + '\\'.repeat(Math.floor(backslashes / 2));
      if (backslashes % 2 === 1) current += '"';
      else inQuotes = !inQuotes;
    } else {
      if (backslashes > 0) current = (current ?? '') + '\\'.repeat(backslashes);
      if (character === undefined) break;
      if (/\s/.test(character) && !inQuotes) {
        if (current !== null) args.push(current);
        current = null;
      } else current = (current ?? '') + character;
    }
    index += 1;
  }
  if (current !== null) args.push(current);
  return args;
};
