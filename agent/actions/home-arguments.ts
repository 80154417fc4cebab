import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const everywhere = { home: text, help: { ...flag, short: 'h' } } as const;

/** The arguments of an action that works on a home; null where they are not understood. */
export const readHomeArguments = <const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) => {
  try {
    return parseArgs({ args: [...args], options: { ...options, ...everywhere } }).values;
  } catch {
    // What the parser says would repeat the arguments, and a secret may stand there by mistake.
    return null;
  }
};
