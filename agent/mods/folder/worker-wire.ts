import * as z from 'zod';
import { toldError } from './worker-errors.ts';

/** The action with which the agent starts its program as the account of a server's folder. */
export const workActionName = 'work-in-folder';
/** The channel for the bytes of files. Requests arrive on the worker's standard input, one line of JSON each. */
export const bytesChannel = 3;

/** The first line: the account whose rights the worker takes for good before it reads on. */
export const workerAccount = z.object({
  uid: z.int().positive(),
  gid: z.int().nonnegative(),
  groups: z.array(z.int().nonnegative()),
});

/** The bytes of the file follow on a separate channel. */
const fileRequest = z.object({
  to: z.string(),
  bytes: z.int().nonnegative(),
  sha512: z.string(),
  /** For people. */
  from: z.string(),
});
export type FileRequest = z.infer<typeof fileRequest>;

export const workerRequest = z.union([
  z.object({ put: fileRequest }),
  z.object({ work: z.string(), input: z.unknown() }),
]);
export type WorkerRequest = z.infer<typeof workerRequest>;

/** One line for each request, in order. */
export const workerAnswer = z.union([z.object({ error: toldError }), z.object({ value: z.unknown() })]);

/**
 * Splits a stream of texts into whole lines. Only a line feed ends one: JSON may contain other characters that Unicode calls the
 * end of a line.
 */
export const createLineParts = (
  onLine: (line: string) => void,
  mostCharacters = Number.POSITIVE_INFINITY,
) => {
  let parts: string[] = [];
  let length = 0;
  /** @returns false when a line is longer than allowed */
  return (text: string): boolean => {
    const [rest = '', ...lines] = text.split('\n');
    const add = (part: string) => {
      parts.push(part);
      length += part.length;
    };
    add(rest);
    for (const part of lines) {
      const line = parts.join('');
      [parts, length] = [[], 0];
      onLine(line);
      add(part);
    }
    return length <= mostCharacters;
  };
};
