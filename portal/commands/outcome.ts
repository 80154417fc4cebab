import { printable } from '#runtime/printable.ts';

/** Exit codes of the command line; 78 (configuration) is the one of every program of ours. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** What a command says: to people as text, with --json as one JSON object. */
export interface Said {
  readonly text: string;
  readonly json: unknown;
}

/** A command that came to nothing, for a reason that can be said in a sentence. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Names in one column, values in the next. */
export const formatFields = (fields: Readonly<Record<string, string>>): string => {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `  ${name.padEnd(width)}  ${printable(value)}\n`)
    .join('');
};
