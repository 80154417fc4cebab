/** A command line's words; double quotes keep words together and cannot be escaped. */
export const quotedArguments = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"?|[^\s"]+/g)].map((match) => match[1] ?? match[0]);
