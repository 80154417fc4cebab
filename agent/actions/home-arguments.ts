import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const everywhere = { home: text, help: { ...flag, short: 'h' } } as const;

/** The arguments of an action that works on a data folder; null when they are invalid. */
export const readHomeArguments = <const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) => {
  try {
    return parseArgs({ args: [...args], options: { ...options, ...everywhere } }).values;
  } catch {
    // The parser's message would repeat the arguments, and someone may have put a secret there by mistake.
    return null;
  }
};
