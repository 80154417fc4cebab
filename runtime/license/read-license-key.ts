import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';

/** Shown to people who pass a key as an argument of a command. */
export const keyAmongArguments =
  'Others on this machine can read arguments; give the key when asked, or on stdin.';

/** Prompts for the key, or reads it from stdin when that is not a terminal. */
export const readLicenseKey = async (): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question('License key: ')).trim();
  } finally {
    lines.close();
  }
};
