import { printable } from '#runtime/printable.ts';

/** Exit codes of the command line; 78 (configuration) is shared by all our programs. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** The output of a command: text for people, with --json one JSON object. */
export interface Said {
  readonly text: string;
  readonly json: unknown;
}

/** A command that failed for a reason that fits in a sentence. */
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
