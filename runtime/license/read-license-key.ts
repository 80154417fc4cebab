import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';

/** Said to people who give a key among the arguments of a command. */
export const keyAmongArguments =
  'Others on this machine can read arguments; give the key when asked, or on stdin.';

/** Asked, or read from stdin when that is no terminal. */
export const readLicenseKey = async (): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question('License key: ')).trim();
  } finally {
    lines.close();
  }
};
